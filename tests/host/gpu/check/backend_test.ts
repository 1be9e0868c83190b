/**
 * The backend that checks, over two hosts of which one has a planted fault: the error names exactly
 * the step, the column, the row, the kernel and both values.
 */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { RecordBatch, tableFromArrays, Utf8, vectorFromArray } from "apache-arrow";
import { CheckBackend } from "../../../../gpu/check/backend.ts";
import { firstDifference } from "../../../../gpu/check/first_difference.ts";
import { showValues } from "../../../../gpu/check/show_values.ts";
import type { HostColumn } from "../../../../gpu/column/column.ts";
import { DeviceError } from "../../../../base/errors/device_error.ts";
import { OverflowError } from "../../../../base/errors/value_error.ts";
import { createHostBackend } from "../../../../gpu/host/backend.ts";
import {
  type BatchStream,
  createEngine,
  type Engine,
  expr,
  filter,
  fromBatches,
  join,
  select,
  StepError,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { columnOf, stringColumn } from "../../../support/values/host_columns.ts";
import {
  type Faults,
  flipped,
  nulled,
  PlantedBackend,
  swapped,
  without,
} from "../../../support/pipelines/planted_backend.ts";

const NAMES = ["Ada", "Alan", null, "Grace", "Łukasz"];

/** An engine that checks a host against one with faults. */
function checkingEngine(faults: Faults): Engine {
  const engine = createEngine({ device: "cpu" });
  const host = () => createHostBackend({ threads: 1 });
  const backend = new CheckBackend(host(), new PlantedBackend(host(), faults));
  return Object.assign(engine, { backend: () => Promise.resolve(backend) });
}

/** Two batches of names with ids that count on. */
function people(engine: Engine): BatchStream {
  const id = vectorFromArray(Int32Array.from({ length: 10 }, (_, row) => row));
  const name = vectorFromArray([...NAMES, ...NAMES], new Utf8());
  const batch = new RecordBatch({ id: id.data[0]!, name: name.data[0]! });
  return fromBatches([batch.slice(0, 5), batch.slice(5, 10)], { engine });
}

/** What a pipeline fails with: step, operator, row, message. */
async function failureOf(
  faults: Faults,
  pipe: (stream: BatchStream, engine: Engine) => BatchStream,
): Promise<[step: number, operator: string, row: number | undefined, message: string]> {
  const engine = checkingEngine(faults);
  const error = await assertRejects(() => toTable(pipe(people(engine), engine)), StepError);
  assertEquals((error.cause as Error).name, "DifferenceError");
  return [error.step, error.operator, error.row, (error.cause as Error).message];
}

const upper = (stream: BatchStream) =>
  stream.pipeThrough(filter(expr("id >= 1"))).pipeThrough(
    withColumns({ loud: expr("name.upper()"), size: expr("name.length() + id") }),
  );

Deno.test("a flipped byte of text is named: step, column, row, kernel and both values", async () => {
  assertEquals(await failureOf({ kernels: { "name.upper()": flipped(2) } }, upper), [
    3,
    "withColumns",
    2,
    'column loud = name.upper(): kernel name.upper() gives "GRACE" on the host, "GRACD" on the device',
  ]);
});

Deno.test("a flipped byte of a number is named", async () => {
  assertEquals(await failureOf({ kernels: { "name.length() + id": flipped(0) } }, upper), [
    3,
    "withColumns",
    0,
    "column size = name.length() + id: kernel name.length() + id gives 5 on the host, " +
    "72057594037927941 on the device",
  ]);
});

Deno.test("a wrong null is named, in the row of the stream", async () => {
  assertEquals(await failureOf({ kernels: { "name.upper()": nulled(4) } }, upper), [
    3,
    "withColumns",
    8,
    'column loud = name.upper(): kernel name.upper() gives "ŁUKASZ" on the host, null on the device',
  ]);
});

Deno.test("of several kernels the first one that is wrong is named", async () => {
  const cut = (stream: BatchStream) =>
    stream.pipeThrough(withColumns({
      same: expr('(name + "!" + name).find("A")'),
      found: expr('(name + "!" + name).rfind("n")'),
    }));
  assertEquals(await failureOf({ kernels: { 'name + "!" + name': flipped(1) } }, cut), [
    2,
    "withColumns",
    1,
    'column found = (name + "!" + name).rfind("n"): ' +
    'kernel name + "!" + name gives "Alan!Alan" on the host, "Alan!Alao" on the device',
  ]);
});

Deno.test("a wrong condition and a missing row of a filter are named", async () => {
  const few = (stream: BatchStream) => stream.pipeThrough(filter(expr("id != 1")));
  assertEquals(await failureOf({ kernels: { "id != 1": flipped(0) } }, few), [
    2,
    "filter",
    0,
    "condition id != 1: kernel id != 1 gives true on the host, false on the device",
  ]);
  assertEquals(await failureOf({ filter: without(2) }, few), [
    2,
    "filter",
    3,
    "column id: the filter gives 3 (of 4 rows) on the host, 4 (of 3 rows) on the device",
  ]);
  assertEquals(await failureOf({ filter: without(3) }, few), [
    2,
    "filter",
    4,
    "column id: the filter gives 4 (of 4 rows) on the host, no row (of 3 rows) on the device",
  ]);
});

Deno.test("a swapped pair and a missing one of a join are named by the row that was probed", async () => {
  const joined = (stream: BatchStream, engine: Engine) => {
    const key = Int32Array.of(3, 1, 1, 8);
    const city = ["Rome", "Oslo", "Bonn", "Bern"];
    const build = fromBatches(tableFromArrays({ id: key, city }), { engine });
    return stream.pipeThrough(join(build, { on: "id" }));
  };
  assertEquals(await failureOf({ join: swapped(0) }, joined), [
    2,
    "join",
    1,
    'column city: the join gives "Oslo" on the host, "Bonn" on the device',
  ]);
  assertEquals(await failureOf({ join: without(2) }, joined), [
    2,
    "join",
    3,
    "column id: the join gives 3 (of 3 rows) on the host, no row (of 2 rows) on the device",
  ]);
});

Deno.test("the rows of a join of a single column are compared", async () => {
  const build = (engine: Engine) =>
    fromBatches(tableFromArrays({ id: Int32Array.of(3, 1, 8) }), { engine });
  const semi = (stream: BatchStream, engine: Engine) =>
    stream.pipeThrough(select("id")).pipeThrough(join(build(engine), { on: "id", how: "semi" }));
  assertEquals(await failureOf({ join: swapped(0) }, semi), [
    3,
    "join",
    1,
    "column id: the join gives 1 on the host, 3 on the device",
  ]);
});

Deno.test("what only one of both refuses is named", async () => {
  const faults = {
    kernels: {
      "name.upper()": () => {
        throw new OverflowError("too long", 3, 0);
      },
    },
  };
  assertEquals(await failureOf(faults, upper), [
    3,
    "withColumns",
    3,
    'column loud = name.upper(): kernel name.upper() gives "ŁUKASZ" on the host, ' +
    "an error (too long) on the device",
  ]);
});

Deno.test("without a fault the rows are those of the host, and errors of both are the host's", async () => {
  const engine = checkingEngine({});
  const table = await toTable(upper(people(engine)));
  assertEquals([...table.getChild("loud")!].slice(0, 3), ["ALAN", null, "GRACE"]);
  const strict = people(engine).pipeThrough(
    withColumns({ n: expr("name.toInteger({ strict: true })") }),
  );
  const error = await assertRejects(() => toTable(strict), StepError);
  assertEquals([(error.cause as Error).name, error.row], ["ConversionError", 0]);
});

Deno.test("check without an adapter is a DeviceError", async () => {
  const gpu = Object.getOwnPropertyDescriptor(Navigator.prototype, "gpu")!;
  Object.defineProperty(Navigator.prototype, "gpu", { ...gpu, get: () => undefined });
  try {
    const engine = createEngine({ device: "check" });
    const message = "device is check, but there is no WebGPU adapter";
    await assertRejects(() => engine.describe(), DeviceError, message);
  } finally {
    Object.defineProperty(Navigator.prototype, "gpu", gpu);
  }
});

Deno.test("long values are cut to where they differ, and what looks the same shows its bytes", () => {
  const shown = (left: HostColumn, right: HostColumn) => showValues([left, 0], [right, 0]);
  const texts = (left: string, right: string) => shown(stringColumn([left]), stringColumn([right]));
  const long = "x".repeat(5000);
  assertEquals(texts(`${long}a${long}`, `${long}b${long}`), [
    `…"${"x".repeat(20)}a${"x".repeat(39)}"…`,
    `…"${"x".repeat(20)}b${"x".repeat(39)}"…`,
  ]);
  assertEquals(texts("\u001b[2J", "\u001b[2"), ['"\\u001b[2J"', '"\\u001b[2"']);
  const offsets = Int32Array.of(0, 1);
  const bytes = (byte: number) => ({ ...stringColumn(["x"]), data: Uint8Array.of(byte), offsets });
  assertEquals(shown(bytes(0xfe), bytes(0xff)), ['"\ufffd" (0xfe)', '"\ufffd" (0xff)']);
  const nan = (low: number) => ({
    ...columnOf({ kind: "float", bits: 64 }, [0]),
    data: new Uint8Array(Uint32Array.of(low, 0x7ff80000).buffer),
  });
  assertEquals(firstDifference(nan(0), nan(0)), -1);
  assertEquals(shown(nan(0), nan(1)), ["NaN (0x000000000000f87f)", "NaN (0x010000000000f87f)"]);
});

Deno.test("offsets of another width and base, and bytes below nulls, are no difference", () => {
  const column = stringColumn(["", "ab", null, "c"]);
  const other = stringColumn(["", "ab", null, "c"]);
  const wide = { ...other, offsets: Float64Array.from(other.offsets!) };
  assertEquals([column, other, wide].map((right) => firstDifference(column, right)), [-1, -1, -1]);
  assertEquals(firstDifference(column, stringColumn(["", "ab", null, "d"])), 3);
  assertEquals(firstDifference(column, stringColumn(["", "ab", "", "c"])), 2);
  assertEquals(firstDifference(column, stringColumn(["", "ab", null])), 3);
});

Deno.test("a long text is cut between characters, wherever it differs", () => {
  for (const char of ["é", "漢", "😀"]) {
    for (let shift = 0; shift < 4; shift++) {
      const head = "x".repeat(shift) + char.repeat(200);
      const columns = ["a", "b"].map((end) => stringColumn([head + end + char.repeat(200)]));
      const shown = showValues([columns[0]!, 0], [columns[1]!, 0]);
      for (const [index, end] of ["a", "b"].entries()) {
        const middle = `(?:${char})+`;
        assertMatch(shown[index]!, new RegExp(`^…"(?:x*${middle})${end}${middle}"…$`, "u"));
      }
    }
  }
});

Deno.test("of lists the first item that differs is shown", () => {
  const type = { kind: "list", item: { kind: "string" } } as const;
  const lists = [["a", "b"], ["a", "c"], ["a"], ["a", null]].map((list) => columnOf(type, [list]));
  const [ab, ac, a, aNull] = lists.map((column) => [column, 0] as const);
  assertEquals(showValues(ab!, ac!), ['item 1 "b"', 'item 1 "c"']);
  assertEquals(showValues(ab!, a!), ["a list of 2", "a list of 1"]);
  assertEquals(showValues(ab!, aNull!), ['item 1 "b"', "item 1 null"]);
});
