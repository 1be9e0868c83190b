/** Checks of text with 64-bit offsets that hold on every device. */

import { assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { Dictionary, Int32, LargeUtf8, type RecordBatch, Utf8, Utf8View } from "apache-arrow";
import {
  createEngine,
  type Device,
  expr,
  filter,
  fromBatches,
  join,
  joinStrings,
  type Operator,
  OverflowError,
  regroup,
  rename,
  type RunStats,
  StepError,
  toTable,
  withColumns,
} from "../../../mod.ts";
import { bareBatchOf, batchOf } from "./streams_samples.ts";
import { closing } from "../running/closing.ts";

/** Batches of rows with an id and a text, with no other bytes; `texts` has a list for each batch. */
export function textBatches(texts: readonly (readonly (string | null)[])[]): RecordBatch[] {
  return texts.map((words) =>
    bareBatchOf({ id: [new Int32(), words.map((_, index) => index)], text: [new Utf8(), words] })
  );
}

/** The stats of a run tell where text had 64-bit offsets. */
export async function checkWideStats(device: Device): Promise<void> {
  const runs: RunStats[] = [];
  await using engine = closing(
    createEngine({ device, threshold: 10, onRun: (run) => runs.push(run) }),
  );
  const texts = [["a", "b"], ["nine byte", "."], ["short", null], ["twenty bytes of text"]];
  const stream = fromBatches(textBatches(texts), { engine })
    .pipeThrough(withColumns({ twice: expr("text + text") }))
    .pipeThrough(filter(expr("!twice.contains('.')")))
    .pipeThrough(rename({ text: "once" }));
  await toTable(stream);
  const [{ operators, wideText, threshold, batchesOut }] = runs as [RunStats];
  const text = { column: "text", batches: 2, bytes: 20 };
  const twice = { column: "twice", batches: 3, bytes: 40 };
  assertEquals(operators.map((operator) => [operator.name, ...operator.wideText]), [
    ["read memory", text],
    ["withColumns", text, twice],
    ["filter", { ...text, batches: 1 }, twice],
    ["rename", { ...text, column: "once", batches: 1 }, twice],
  ]);
  assertEquals(wideText, operators.at(-1)!.wideText);
  assertEquals([threshold, batchesOut], [10, 4]);
}

const words = ["alpha", "beta", null, "gamma", "delta", "épsilon"];
const largeWords = words.map((word) => word === null ? null : word.toUpperCase().repeat(3));

/** Without 64-bit offsets a caller catches the error of an operator, regroups, and has it all. */
export async function checkOverflow(device: Device): Promise<void> {
  await using engine = closing(createEngine({ device, threshold: 40, largeStrings: false }));
  const louder = () => withColumns({ loud: expr("text.upper().repeat(3)") });
  const run = (...operators: Operator[]) =>
    toTable(operators.reduce(
      (stream, operator) => stream.pipeThrough(operator),
      fromBatches(textBatches([words]), { engine }),
    ));
  const failure = await assertRejects(() => run(louder()), StepError);
  const { step, operator, cause } = failure;
  assertInstanceOf(cause, OverflowError);
  // ALPHAALPHAALPHA and BETABETABETA are 27 bytes, with GAMMAGAMMAGAMMA 42.
  assertEquals([step, operator, cause.column, cause.row, cause.dataBytes], [
    2,
    "withColumns",
    "loud",
    3,
    42,
  ]);
  assertEquals(
    failure.message,
    "step 2, withColumns: Size of output exceeds 39 bytes: text of column loud ends at byte 42 " +
      "in row 3 of its batch; regroup to fewer rows, or allow 64-bit offsets",
  );
  const table = await run(regroup({ rows: 2 }), louder());
  assertEquals(table.toArray().map((row) => row.loud), largeWords);
}

/** Operators that change no text refuse what they put together, and pass on what came in. */
export async function checkOverflowOfOperators(device: Device): Promise<void> {
  const engine = createEngine({ device, threshold: 40, largeStrings: false });
  const many = textBatches([words, words.toReversed()]);
  const matches = textBatches([["x".repeat(30)], ["y".repeat(30)]]);
  const makers: [string, string, () => Operator][] = [
    ["regroup", "text", () => regroup({ rows: 12, engine })],
    ["joinStrings", "text", () => joinStrings("text", { separator: "..........", engine })],
    ["join", "text_right", () => join(fromBatches(matches, { engine }), { on: "id", engine })],
  ];
  try {
    for (const [name, column, make] of makers) {
      const stream = fromBatches(many, { engine }).pipeThrough(make());
      const { operator, cause } = await assertRejects(() => toTable(stream), StepError);
      assertInstanceOf(cause, OverflowError);
      assertEquals([operator, cause.column], [name, column]);
    }
    for (const type of [new LargeUtf8(), new Utf8View(), new Dictionary(new Utf8(), new Int32())]) {
      const long = ["thirty bytes, and then some more", null, "and twenty bytes"];
      const wide = batchOf({ id: [new Int32(), [1, 2, 3]], text: [type, long] });
      const stream = fromBatches(wide, { engine })
        .pipeThrough(withColumns({ length: expr("text.length()") }));
      const rows = (await toTable(stream)).toArray();
      assertEquals(rows.map(({ text }) => text), long);
      assertEquals(rows.map(({ length }) => length), [32, null, 16]);
    }
  } finally {
    await engine.close();
  }
}

/** A batch of texts in views and in a dictionary. */
export function viewBatches(texts: readonly (string | null)[]): RecordBatch[] {
  return [batchOf({
    view: [new Utf8View(), texts],
    category: [new Dictionary(new Utf8(), new Int32()), texts],
  })];
}
