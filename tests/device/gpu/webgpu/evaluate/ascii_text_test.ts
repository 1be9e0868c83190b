/** Large text of which the device finds out whether it is ASCII, so that the host need not look at it. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { type DataType, Field, List, Utf8 } from "apache-arrow";
import {
  type Column,
  type ColumnType,
  type HostColumn,
  releaseColumn,
} from "../../../../../gpu/column/column.ts";
import { gatherColumn } from "../../../../../gpu/column/gather.ts";
import { concatColumns } from "../../../../../gpu/column/concat.ts";
import { inspectColumn, knownText } from "../../../../../gpu/column/utf8.ts";
import { noteAscii } from "../../../../../base/ascii_bytes.ts";
import { Utf8Error } from "../../../../../base/errors/value_error.ts";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import { evaluateOnDevice } from "../../../../../gpu/webgpu/evaluate/evaluate.ts";
import { filterOnDevice } from "../../../../../gpu/webgpu/gather/filter.ts";
import { gatherSelected } from "../../../../../gpu/webgpu/join/gather_selected.ts";
import { areAsciiOnDevice } from "../../../../../gpu/webgpu/evaluate/ascii_text.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { columnOfPlain, type Plain, plainOf } from "../../../../support/models/column_model.ts";
import {
  contextTest,
  evaluateToHost,
  uploaded,
} from "../../../../support/device/device_kernels.ts";
import { columnOf, stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";
import { deviceCalls } from "../../../../support/device/device_calls.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";

const TEXT: ColumnType = { kind: "string" };
const LISTS: ColumnType = { kind: "list", item: TEXT };

/** Registers a test of a device that looks at all text itself. */
function lookingTest(name: string, use: (context: WebGpuContext) => Promise<void>): void {
  contextTest(name, (context) => use({ ...context, inspectedBytes: 0 }));
}

/** Letters, with one byte put into them or right behind them. */
function lettersWith(numBytes: number, byte: number, place: number): HostColumn {
  const column = stringColumn(["x".repeat(numBytes), ""]);
  const data = new Uint8Array(column.data.length + 4);
  data.set(column.data);
  data[column.offsets![0]! + place] = byte;
  return { ...column, data };
}

contextTest("a byte that is not ASCII is found wherever it lies", async (context) => {
  // Of a word, and of the words that a workgroup owns.
  const group = 4 * 4096;
  for (const numBytes of [1, 3, 4, 5, 1024, group - 1, group, group + 1, 3 * group + 2]) {
    const cases = [0, 1, numBytes >> 1, numBytes - 1, numBytes].flatMap((place) =>
      [0x7f, 0x80, 0xff].map((byte) => ({ byte, place }))
    );
    const columns = [];
    for (const { byte, place } of cases) {
      columns.push(await uploaded(context, lettersWith(numBytes, byte, place)));
    }
    const found = await areAsciiOnDevice(context, columns);
    for (const [k, { byte, place }] of cases.entries()) {
      // A byte behind the text is none of it.
      const isAscii = byte < 0x80 || place >= numBytes;
      assertEquals(found[k], isAscii, `byte ${byte} at ${place} of ${numBytes}`);
      columns[k]!.release();
    }
  }
});

contextTest("each window of a column is looked at", async (context) => {
  const rows = stringColumn(new Array(9).fill("y".repeat(900)));
  const columns = [];
  for (const parts of [[rows, rows], [rows, stringColumn(["é"])], [stringColumn(["é"]), rows]]) {
    columns.push(await uploaded(context, concatColumns(parts)));
  }
  for (const { windows } of columns) assert(windows.length > 1);
  assertEquals(await areAsciiOnDevice(context, columns), [true, false, false]);
  columns.forEach((column) => column.release());
}, { windowBytes: 4096 });

lookingTest("text is looked at once, and not at all where somebody knows it", async (context) => {
  const { program } = compileProgram(["name.upper()"], { name: new Utf8() });
  const texts = Array.from({ length: 500 }, (_, row) => `Ada ${row}`);
  /** Dispatches of the kernels that look and compute, and the result. */
  const run = async (name: HostColumn): Promise<{ dispatches: number; result: HostColumn }> => {
    let result: HostColumn | undefined;
    const { dispatches } = await deviceCalls(async () => {
      [result] = await evaluateToHost(context, program, [name], texts.length);
    });
    return { dispatches, result: result! };
  };
  const unknown = stringColumn(texts);
  const first = await run(unknown);
  assertEquals(valuesOf(first.result), texts.map((text) => text.toUpperCase()));
  assertEquals(first.dispatches, 2);
  assertEquals((await run(unknown)).dispatches, 1);
  // What a kernel makes of ASCII is ASCII.
  assertEquals((await run(first.result)).dispatches, 1);
  const read = stringColumn(texts);
  noteAscii(read.data);
  assertEquals((await run(read)).dispatches, 1);
});

/** Expressions that have kernels for ASCII, and some that have none; of texts and of lists. */
const EXPRESSIONS = [
  "name.upper()",
  'name.title() + other.pad(9, "right", "é")',
  "name.slice(1, 3) + name.slice(null, null, -1)",
  'other.replace("a", "<é>")',
  "name.length() + other.find(name)",
  "name == other",
  'parts.join("-").capitalize()',
];
const TYPES: Readonly<Record<string, DataType>> = {
  name: new Utf8(),
  other: new Utf8(),
  parts: new List(new Field("item", new Utf8(), true)),
};

const KINDS = ["ascii", "other", "not UTF-8"] as const;

function randomTexts(
  random: SeededRandom,
  type: ColumnType,
  numRows: number,
  kind: typeof KINDS[number],
): HostColumn {
  const pieces = kind === "ascii" ? ["a", "Bc", " x"] : ["a", "Łódź", "漢", " x"];
  const text = (): Plain =>
    random.chance(0.1)
      ? null
      : Array.from({ length: random.below(6) }, () => random.pick(pieces)).join("");
  const column = columnOfPlain(
    type,
    Array.from(
      { length: numRows },
      () => type === TEXT ? text() : Array.from({ length: random.below(4) }, text),
    ),
  );
  const texts = type === TEXT ? column : column.children[0]!;
  if (kind !== "not UTF-8") return column;
  const data = texts.data.slice();
  const [start, stop] = [texts.offsets![0]!, texts.offsets![texts.length]!];
  if (stop > start) data[start + random.below(stop - start)] = 0xff;
  const broken = { ...texts, data };
  return type === TEXT ? broken : { ...column, children: [broken] };
}

/** The rows of a program, or its error. */
async function outcomeOf(run: () => Promise<readonly HostColumn[]> | readonly HostColumn[]) {
  try {
    return (await run()).map(plainOf);
  } catch (error) {
    if (!(error instanceof Utf8Error)) throw error;
    return { message: error.message, row: error.row };
  }
}

lookingTest("rows and errors are those of the host, fused and unfused", async (context) => {
  const draws = new Draws([...KINDS, "an error"]);
  await forSeeds(4, async (random) => {
    const numRows = 1 + random.below(400);
    const kinds = Object.keys(TYPES).map((): typeof KINDS[number] =>
      random.chance(0.5) ? "ascii" : random.pick(KINDS)
    );
    for (const kind of kinds) draws.add(kind);
    const columns = Object.fromEntries(
      Object.keys(TYPES).map((name, k) => [
        name,
        randomTexts(random, name === "parts" ? LISTS : TEXT, numRows, kinds[k]!),
      ]),
    );
    for (const texts of [EXPRESSIONS, ...EXPRESSIONS.map((text) => [text])]) {
      const fuse = random.chance(0.5);
      const { program, inputNames } = compileProgram(texts, TYPES, { fuse });
      // Nothing is known of the text of another array.
      const inputs = () => inputNames.map((name) => unknown(columns[name]!));
      const expected = await outcomeOf(() =>
        evaluateOnHost(program, inputs(), numRows, testKernels()).columns
      );
      const found = await outcomeOf(() => evaluateToHost(context, program, inputs(), numRows));
      assertEquals(found, expected, `${texts.join("; ")}: ${kinds.join(", ")}`);
      if (!Array.isArray(expected)) draws.add("an error");
    }
  }, draws);
});

async function filteredRows(
  context: WebGpuContext,
  column: HostColumn,
  keeps: readonly boolean[],
): Promise<readonly Column[]> {
  const mask = columnOf({ kind: "bool" }, keeps);
  return (await filterOnDevice(context, [column], mask, keeps.length)).columns;
}

/** As joins gather them. */
async function gatheredRows(
  context: WebGpuContext,
  column: HostColumn,
  _keeps: readonly boolean[],
  kept: Int32Array,
): Promise<readonly Column[]> {
  if (kept.length === 0) return [gatherColumn(column, kept)];
  const onDevice = await uploaded(context, column);
  const columns = await gatherSelected(context, [onDevice], kept);
  onDevice.release();
  return columns;
}

contextTest(
  "text that came to the device unseen is looked at before a kernel reads it",
  async (context) => {
    const draws = new Draws([...KINDS, "an error", "rows without the error"]);
    await forSeeds(4, async (random) => {
      const numRows = 1 + random.below(300);
      const kind = random.pick(KINDS);
      draws.add(kind);
      const keeps = Array.from({ length: numRows }, () => random.chance(0.5));
      const kept = Int32Array.from(keeps.flatMap((isKept, row) => isKept ? [row] : []));
      for (const [name, type] of [["name", TEXT], ["parts", LISTS]] as const) {
        const column = randomTexts(random, type, numRows, kind);
        const expression = name === "name" ? "name.title()" : 'parts.join("-").capitalize()';
        const { program } = compileProgram([expression], TYPES);
        const rows = gatherColumn(column, kept);
        const expected = await outcomeOf(() =>
          evaluateOnHost(program, [rows], kept.length, testKernels()).columns
        );
        for (const rowsOf of [filteredRows, gatheredRows]) {
          const inputs = await rowsOf(context, unknown(column), keeps, kept);
          const found = await outcomeOf(async () => {
            const made = await evaluateOnDevice(context, program, inputs, kept.length);
            const columns = await downloadColumns(context, made.columns);
            made.columns.forEach(releaseColumn);
            return columns;
          });
          inputs.forEach(releaseColumn);
          assertEquals(found, expected, `${expression} of ${kind}, ${rowsOf.name}`);
        }
        if (!Array.isArray(expected)) draws.add("an error");
        else if (kind === "not UTF-8") draws.add("rows without the error");
      }
    }, draws);
  },
);

contextTest("what is known of text on the device is known of its rows", async (context) => {
  const { counters } = context.device;
  const { program } = compileProgram(["name.upper()"], TYPES);
  const waitsFor = async (column: HostColumn) => {
    const mask = columnOf({ kind: "bool" }, [true, false, true]);
    const { columns } = await filterOnDevice(context, [column], mask, 3);
    const waits: number[] = [];
    for (let k = 0; k < 2; k++) {
      const before = counters.readbacks;
      const made = await evaluateOnDevice(context, program, columns, 2);
      const [result] = await downloadColumns(context, made.columns);
      assertEquals(valuesOf(result!), ["ABC", "D"]);
      made.columns.forEach(releaseColumn);
      waits.push(counters.readbacks - before);
    }
    columns.forEach(releaseColumn);
    return waits;
  };
  const column = stringColumn(["abc", "x", "d"]);
  // A map of bytes waits for nothing.
  assertEquals(await waitsFor(column), [1, 0]);
  inspectColumn(column);
  assertEquals(await waitsFor(column), [0, 0]);
});

function unknown(column: HostColumn): HostColumn {
  const { data, children } = column;
  return { ...column, data: data.subarray(0), children: children.map(unknown) };
}

lookingTest("the host does not look at text that the device found to be ASCII", async (context) => {
  // Whole words are written at once, of a buffer of their own.
  const rows = stringColumn(["abc", "defgh", ""]);
  const data = rows.data.slice();
  const column = { ...rows, data };
  const { queue } = context.device.gpu;
  const { writeBuffer } = queue;
  queue.writeBuffer = ((...args: Parameters<typeof writeBuffer>) => {
    writeBuffer.apply(queue, args);
    // Whoever looks at the text now finds something else.
    if (data.buffer === (args[2] as Uint8Array).buffer) data.fill(0xff);
  }) as typeof writeBuffer;
  const { program } = compileProgram(["name.title()"], TYPES);
  const [result] = await evaluateToHost(context, program, [column], 3);
  assertEquals(valuesOf(result!), ["Abc", "Defgh", ""]);
  assertEquals(knownText(column), { ascii: true });
  data.fill(0x61);
  const { counters } = context.device;
  const before = counters.readbacks;
  await evaluateToHost(context, program, [column], 3);
  // A size, and nothing about text that is known.
  assertEquals(counters.readbacks, before + 1);
});

contextTest("the host looks at little text itself, and without a wait", async (context) => {
  const numBytes = 1000;
  const { program } = compileProgram(["name.length()"], TYPES);
  const waits = async (inspectedBytes: number) => {
    const { counters } = context.device;
    const before = counters.readbacks;
    const column = stringColumn(["x".repeat(numBytes)]);
    await evaluateToHost({ ...context, inspectedBytes }, program, [column], 1);
    return counters.readbacks - before;
  };
  assertEquals(await waits(numBytes - 1) - await waits(numBytes), 1);
});

lookingTest("text that a kernel of the host alone reads is not uploaded", async (context) => {
  const { program } = compileProgram(["name.upper()"], TYPES);
  const kernels = program.kernels.map((kernel) => ({ ...kernel, hostOnly: "of a test" }));
  const column = stringColumn(["1", "2"]);
  await evaluateToHost(context, { ...program, kernels }, [column], 2);
  assertEquals(context.device.counters.uploads, 0);
  const broken = { ...column, data: column.data.map(() => 0xff) };
  await assertRejects(
    () => evaluateToHost(context, { ...program, kernels }, [broken], 2),
    Utf8Error,
  );
});
