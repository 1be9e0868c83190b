import { assertEquals } from "@std/assert";
import {
  Dictionary,
  Field,
  Int32,
  makeBuilder,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import {
  type BatchStream,
  createEngine,
  type Engine,
  expr,
  filter,
  fromBatches,
  join,
  select,
  slice,
  tail,
  toTable,
  withColumns,
} from "../../../../../mod.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";

const NUM_ROWS = 100_000;
const [START, STOP] = [50_000, 50_010];

const names = ["Łódź", "São Paulo", "東京", "Reykjavík", "a name of more than sixteen bytes"];
const nameOf = (row: number) => `${names[row % names.length]} ${row}`;

/** A large batch: a number, text, and text with nulls. */
function largeBatch(): RecordBatch {
  const rows = Array.from({ length: NUM_ROWS }, (_, row) => row);
  const columns = {
    id: vectorFromArray(rows, new Int32()).data[0]!,
    name: vectorFromArray(rows.map(nameOf), new Utf8()).data[0]!,
    note: vectorFromArray(rows.map((row) => row % 3 === 0 ? null : nameOf(row)), new Utf8())
      .data[0]!,
  };
  const fields = Object.entries(columns).map(([name, { type }]) => new Field(name, type, true));
  const children = Object.values(columns);
  const data = makeData({ type: new Struct(fields), length: NUM_ROWS, nullCount: 0, children });
  return new RecordBatch(new Schema(fields), data);
}

const batch = largeBatch();
const textBytes = (of: (row: number) => string | null) => {
  const encoder = new TextEncoder();
  let sum = 0;
  for (let row = START; row < STOP; row++) sum += encoder.encode(of(row) ?? "").length;
  return sum;
};
const numSliced = STOP - START;
const nameBytes = 4 * (numSliced + 1) + textBytes(nameOf);
const noteBytes = 4 * (numSliced + 1) + Math.ceil(numSliced / 8) +
  textBytes((row) => row % 3 === 0 ? null : nameOf(row));

/** The bytes that go to the device, and those that come back, while a stream is read. */
async function travelled(
  make: (engine: Engine) => BatchStream,
): Promise<{ readonly up: number; readonly down: number; readonly rows: number }> {
  const engine = createEngine({ device: "gpu" });
  try {
    const before = { ...(await engine.backend()).counters };
    const { numRows } = await toTable(make(engine));
    const after = { ...(await engine.backend()).counters };
    return {
      up: after.uploadedBytes - before.uploadedBytes,
      down: after.downloadedBytes - before.downloadedBytes,
      rows: numRows,
    };
  } finally {
    await engine.close();
  }
}

deviceTest("a sliced text column travels as its own bytes, never as its parent's", async () => {
  const { up, rows } = await travelled((engine) =>
    fromBatches(batch, { engine })
      .pipeThrough(slice(START, STOP))
      .pipeThrough(withColumns({ loud: expr("name.upper()") }))
      .pipeThrough(select("loud"))
  );
  assertEquals([rows, up], [numSliced, nameBytes]);
});

deviceTest("a sliced text column with nulls travels with its own bits", async () => {
  const { up } = await travelled((engine) =>
    fromBatches(batch.slice(START, STOP), { engine })
      .pipeThrough(withColumns({ loud: expr("note.upper()") }))
      .pipeThrough(select("loud"))
  );
  assertEquals(up, noteBytes);
});

deviceTest("slices of dictionaries travel as the text of their rows", async () => {
  const builder = makeBuilder({ type: new Dictionary(new Utf8(), new Int32()) });
  for (let row = 0; row < 1000; row++) builder.append(nameOf(row % 200));
  const data = builder.finish().flush();
  const field = new Field("name", data.type, true);
  const whole = new RecordBatch(
    new Schema([field]),
    makeData({ type: new Struct([field]), length: 1000, nullCount: 0, children: [data] }),
  );
  const { up } = await travelled((engine) =>
    fromBatches(whole.slice(100, 110), { engine })
      .pipeThrough(withColumns({ loud: expr("name.upper()") }))
      .pipeThrough(select("loud"))
  );
  const encoder = new TextEncoder();
  let sum = 4 * 11;
  for (let row = 100; row < 110; row++) sum += encoder.encode(nameOf(row)).length;
  assertEquals(up, sum);
});

deviceTest("a filter and a join over a slice send the slice only", async () => {
  const build = batch.slice(START, STOP);
  const { up } = await travelled((engine) =>
    fromBatches(batch, { engine })
      .pipeThrough(slice(START, STOP))
      .pipeThrough(filter(expr('name.contains("5")')))
      .pipeThrough(join(fromBatches(build, { engine }), { on: "name" }))
      .pipeThrough(select("name"))
  );
  // The names, the table's keys, and the few words of the join itself.
  assertEquals(up < 4 * nameBytes + 1024, true, `${up} bytes`);
});

deviceTest("few rows of what is on the device come back alone", async () => {
  const { down, rows } = await travelled((engine) =>
    fromBatches(batch, { engine })
      .pipeThrough(withColumns({ loud: expr("name.upper()") }))
      .pipeThrough(filter(expr('loud.contains("5")')))
      .pipeThrough(select("loud"))
      .pipeThrough(tail(10))
  );
  assertEquals(rows, 10);
  // Numbers of rows and sizes come back too.
  assertEquals(down < 100_000, true, `${down} bytes`);
});
