import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  Field,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Table,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import {
  col,
  createEngine,
  fromBatches,
  regroup,
  StepError,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { Batch } from "../../../../ops/batch/batch.ts";
import { GrowingBatch } from "../../../../ops/regroup/growing_batch.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { checkoutPath } from "../../../support/processes/sluice.ts";

const engine = createEngine({ device: "cpu" });
const schema = new Schema([
  new Field("id", new Int32(), true),
  new Field("name", new Utf8(), true),
]);

function partOf(ids: readonly (number | null)[]): Batch {
  const names = ids.map((id) => id === null ? null : `name ${id}`);
  const table = new Table({
    id: vectorFromArray(ids, new Int32()),
    name: vectorFromArray(names, new Utf8()),
  });
  return Batch.fromRecordBatch(schema, table.batches[0]!);
}

async function rowsOf(batch: Batch) {
  const { data } = await batch.toRecordBatch(await engine.backend());
  const rows = new Table([new RecordBatch(schema, data)]).toArray();
  return rows.map(({ id, name }) => ({ id, name }));
}

Deno.test("a batch grows by its parts, whatever it may share", () =>
  forSeeds(60, async (random) => {
    const growing = new GrowingBatch(schema, random.pick([0, 1, 100, 1000, Infinity]));
    for (const numParts of [1 + random.below(9), 1]) {
      const rows = [];
      for (let part = 0; part < numParts; part++) {
        const ids = Array.from(
          { length: 1 + random.below(20) },
          () => random.chance(0.2) ? null : random.below(1000),
        );
        rows.push(...ids.map((id) => ({ id, name: id === null ? null : `name ${id}` })));
        await growing.append(partOf(ids));
        assert(!growing.isEmpty);
      }
      const batch = growing.finish();
      assert(growing.isEmpty);
      assertEquals(growing.numBytes, 0);
      assertEquals(await rowsOf(batch), rows);
    }
  }));

Deno.test("a part alone comes back as it is, however large", async () => {
  const growing = new GrowingBatch(schema, 1);
  const part = partOf([1, 2, 3]);
  await growing.append(part);
  assertStrictEquals(growing.finish(), part);
});

Deno.test("parts are copied as soon as they have too many bytes, or are too many", async () => {
  const part = () => partOf([1, 2]);
  const { numBytes } = part();
  const growing = new GrowingBatch(schema, 3 * numBytes);
  for (let numParts = 1; numParts <= 9; numParts++) {
    await growing.append(part());
    assertEquals([growing.isCopied, growing.numBytes], [numParts > 3, numParts * numBytes]);
  }
  assertEquals(growing.finish().numRows, 18);
  assert(!growing.isCopied);
  const many = new GrowingBatch(schema, Infinity);
  for (let numParts = 1; numParts <= 4096; numParts++) {
    assert(!many.isCopied);
    await many.append(part());
  }
  assert(many.isCopied);
});

Deno.test("an error in text that was put together names its row in the source", async () => {
  const text = (bytes: Uint8Array) =>
    makeData({
      type: new Utf8(),
      length: 2,
      nullCount: 0,
      data: bytes,
      valueOffsets: Int32Array.of(0, 1, 2),
    });
  const batches = [0x61, 0x62, 0x63, 0xff].map((last) =>
    new RecordBatch({ name: text(Uint8Array.of(0x61, last)) })
  );
  for (const memory of [1, 2 ** 30]) {
    const tight = createEngine({ device: "cpu", memory });
    const stream = fromBatches(batches, { engine: tight }).pipeThrough(regroup({ one: true }))
      .pipeThrough(upperNames());
    const error = await assertRejects(() => toTable(stream), Error);
    assert(!(error instanceof StepError) && error.message.includes("row 7"), error.message);
  }
});

/** Reads and writes text. */
function upperNames() {
  return withColumns({ name: col("name").upper() });
}

/** Prints the most bytes of a process that reads so many new batches of 1 MiB, or makes one of them. */
const program = `
import { tableFromArrays } from "apache-arrow";
import { fromBatches, regroup } from "${checkoutPath("mod.ts")}";
const [numBatches, isOne] = [Number(Deno.args[0]), Deno.args[1] === "one"];
function* batches() {
  for (let at = 0; at < numBatches; at++) {
    yield tableFromArrays({ id: new Float64Array(131_072).fill(at) }).batches[0];
  }
}
const stream = fromBatches(batches());
let numRows = 0;
for await (const batch of isOne ? stream.pipeThrough(regroup({ one: true })) : stream) {
  numRows += batch.numRows;
  if (isOne && numRows !== 131_072 * numBatches) throw new Error("not one batch");
}
const [, kib] = /VmHWM:\\s*(\\d+)/.exec(Deno.readTextFileSync("/proc/self/status"));
console.log(numRows, 1024 * Number(kib));
`;

async function peakBytes(numBatches: number, what: "one" | "read"): Promise<number> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["eval", `--config=${checkoutPath("deno.json")}`, "--no-lock", program],
      ...[String(numBatches), what],
    ],
  }).output();
  const [numRows, numBytes] = new TextDecoder().decode(stdout).split(" ").map(Number);
  assertEquals(numRows, numBatches * 131_072, new TextDecoder().decode(stderr));
  return numBytes!;
}

Deno.test({
  name: "a batch of 403 MB takes no twice its bytes more than reading its rows",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const share = (await peakBytes(384, "one") - await peakBytes(384, "read")) / (384 << 20);
    assert(share > 0.5 && share < 1.45, `${share} times its bytes`);
  },
});
