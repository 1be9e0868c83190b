/**
 * One real batch with more than 2^31 bytes of text through every operator on the host. Takes about
 * 8 GB of memory and a minute or two.
 */

import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import {
  DataType,
  Field,
  Int32,
  LargeUtf8,
  makeData,
  RecordBatch,
  Schema,
  Struct,
} from "apache-arrow";
import {
  type BatchStream,
  createEngine,
  expr,
  filter,
  fromBatches,
  join,
  OverflowError,
  regroup,
  select,
  StepError,
  withColumns,
} from "../../../../mod.ts";
import { largeTest } from "../../../support/running/large_test.ts";
import { assertRepeatedText, repeatedText } from "../../../support/values/repeated_text.ts";

const engine = createEngine({ device: "cpu", threshold: 2 ** 31 - 1, largeStrings: true });

/** What the rows hold over and over, 9,217 bytes in all; one of seven is not ASCII. */
const texts = [
  "alpha,beta,gamma; ".repeat(27),
  "The quick brown fox, ".repeat(38),
  "ärger, straße, ÎLE; ".repeat(50),
  "no comma here ".repeat(100),
  ",foxes and a fox,".repeat(100),
  "MiXeD CaSe, text ".repeat(121),
  "0123456789 ".repeat(165),
];
const period = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
const times = Math.ceil(2.3e9 / period);
const numRows = times * texts.length;

let made: RecordBatch | undefined;

/** The batch: `id` counts the rows, `text` is theirs. */
function largeBatch(): RecordBatch {
  if (made !== undefined) return made;
  const id = Int32Array.from({ length: numRows }, (_, row) => row);
  made = batchOf({
    id: makeData({ type: new Int32(), data: id }),
    text: repeatedText(texts, times),
  });
  return made;
}

function batchOf(columns: Record<string, ReturnType<typeof makeData>>): RecordBatch {
  const fields = Object.entries(columns).map(([name, { type }]) => new Field(name, type));
  const children = Object.values(columns);
  const { length } = children[0]!;
  return new RecordBatch(
    new Schema(fields),
    makeData({ type: new Struct(fields), length, nullCount: 0, children }),
  );
}

function largeStream(): BatchStream {
  return fromBatches([largeBatch()], { engine });
}

async function onlyBatch(stream: BatchStream): Promise<RecordBatch> {
  const batches = await Array.fromAsync(stream);
  assertEquals(batches.length, 1);
  return batches[0]!;
}

/** Each expression over the text, and what JavaScript makes of one row. */
const texting: readonly [string, (text: string) => string | null][] = [
  ["text.upper()", (text) => text.toUpperCase()],
  ["text.slice(2, 300)", (text) => text.slice(2, 300)],
  ["text.slice(1, -1)", (text) => text.slice(1, -1)],
  ['text + "b"', (text) => `${text}b`],
  ['text.replace("fox", "foxes")', (text) => text.replaceAll("fox", "foxes")],
  ['text.splitPart(",", 1)', (text) => text.split(",")[1] ?? null],
  [
    'text.replace("fox", "hen").upper() + "."',
    (t) => `${t.replaceAll("fox", "hen").toUpperCase()}.`,
  ],
];

for (const [source, model] of texting) {
  largeTest(`2.3 GB of text: ${source} of every row is right`, async () => {
    const batch = await onlyBatch(
      largeStream().pipeThrough(withColumns({ made: expr(source) })).pipeThrough(select("made")),
    );
    assertRepeatedText(batch.data.children[0]!, texts.map(model), numRows);
  });
}

largeTest("2.3 GB of text: contains() tells every row", async () => {
  const batch = await onlyBatch(
    largeStream().pipeThrough(withColumns({ has: expr('text.contains("fox")') }))
      .pipeThrough(select("has")),
  );
  const expected = texts.map((text) => text.includes("fox"));
  const has = batch.getChildAt(0)!;
  for (let row = 0; row < numRows; row++) {
    if (has.get(row) !== expected[row % texts.length]) throw new Error(`Row ${row} is wrong`);
  }
});

largeTest(
  "a filter keeps the offsets wide, or makes them narrow where little is left",
  async () => {
    const predicates: readonly [string, (text: string) => boolean][] = [
      ['!text.contains("alpha")', (text) => !text.includes("alpha")],
      ['!text.contains("0123")', (text) => !text.includes("0123")],
      ['text.startsWith("no")', (text) => text.startsWith("no")],
    ];
    const wide: boolean[] = [];
    for (const [source, keeps] of predicates) {
      const batch = await onlyBatch(
        largeStream().pipeThrough(filter(expr(source))).pipeThrough(select("text")),
      );
      const kept = texts.filter(keeps);
      const text = batch.data.children[0]!;
      assertRepeatedText(text, kept, times * kept.length);
      wide.push(DataType.isLargeUtf8(text.type));
    }
    assertEquals(wide, [true, false, false]);
  },
);

largeTest(
  "2.3 GB of text: it is the payload of a join, and its batches become one again",
  async () => {
    const keys = Int32Array.from({ length: numRows }, (_, row) => numRows - 1 - row);
    const left = batchOf({ id: makeData({ type: new Int32(), data: keys }) });
    const joined = () =>
      fromBatches([left], { engine }).pipeThrough(join(largeStream(), { on: "id" }));
    const backwards = texts.toReversed();
    let row = 0;
    for await (const batch of joined()) {
      const first = row % texts.length;
      const turned = [...backwards.slice(first), ...backwards.slice(0, first)];
      assertRepeatedText(batch.data.children[1]!, turned, batch.numRows);
      row += batch.numRows;
    }
    assertEquals(row, numRows);
    const batch = await onlyBatch(joined().pipeThrough(regroup({ rows: numRows })));
    assert(DataType.isLargeUtf8(batch.data.children[1]!.type));
    assertRepeatedText(batch.data.children[1]!, backwards, numRows);
  },
);

largeTest(
  "2.3 GB of text: a regroup cuts it into narrow batches, and another makes one of them",
  async () => {
    const rows = texts.length * 20_000;
    const cut = () => largeStream().pipeThrough(select("text")).pipeThrough(regroup({ rows }));
    let total = 0;
    for await (const batch of cut()) {
      assert(DataType.isUtf8(batch.schema.fields[0]!.type));
      assertRepeatedText(batch.data.children[0]!, texts, batch.numRows);
      total += batch.numRows;
    }
    assertEquals(total, numRows);
    const batch = await onlyBatch(
      cut().pipeThrough(withColumns({ text: expr('text + "b"') }))
        .pipeThrough(regroup({ rows: numRows })),
    );
    assertRepeatedText(batch.data.children[0]!, texts.map((text) => `${text}b`), numRows);
  },
);

largeTest(
  "2.3 GB of text: where 64 bits are switched off, an error that a regroup mends",
  async () => {
    const narrow = createEngine({ device: "cpu", threshold: 2 ** 31 - 1, largeStrings: false });
    const stream = () =>
      fromBatches([largeBatch()], { engine: narrow }).pipeThrough(select("text"));
    const doubled = () => withColumns({ made: expr('text + "b"') });
    const error = await assertRejects(
      () => Array.fromAsync(stream().pipeThrough(doubled())),
      StepError,
      "withColumns: Size of output exceeds 2147483646 bytes: text of column made",
    );
    const { cause } = error;
    assertInstanceOf(cause, OverflowError);
    assertEquals([error.operator, cause.column], ["withColumns", "made"]);
    // One byte more a row than the rows of the input have.
    const sizes = texts.map((text) => new TextEncoder().encode(text).length + 1);
    let row = 0;
    let bytes = sizes[0]!;
    while (bytes < 2 ** 31 - 1) bytes += sizes[++row % sizes.length]!;
    assertEquals([cause.row, cause.dataBytes], [row, bytes]);

    const rows = texts.length * 100_000;
    const mended = stream().pipeThrough(regroup({ rows })).pipeThrough(doubled());
    let total = 0;
    for await (const batch of mended.pipeThrough(select("made"))) {
      assertRepeatedText(batch.data.children[0]!, texts.map((text) => `${text}b`), batch.numRows);
      total += batch.numRows;
    }
    assertEquals(total, numRows);
  },
);

largeTest("2.3 GB of text: text that is LargeUtf8 without need becomes Utf8", async () => {
  const few = batchOf({ text: repeatedText(texts, 1000) });
  assertInstanceOf(few.data.children[0]!.type, LargeUtf8);
  const batch = await onlyBatch(
    fromBatches([few], { engine }).pipeThrough(withColumns({ made: expr('text + "b"') })),
  );
  for (const [index, add] of ["", "b"].entries()) {
    assertRepeatedText(batch.data.children[index]!, texts.map((text) => text + add), 7000);
  }
});
