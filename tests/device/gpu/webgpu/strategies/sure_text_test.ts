/** Little text that a device makes without a wait for its size, since its code bounds that. */

import { assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import {
  type ColumnType,
  type HostColumn,
  releaseColumn,
} from "../../../../../gpu/column/column.ts";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import { evaluateOnDevice } from "../../../../../gpu/webgpu/evaluate/evaluate.ts";
import { filterOnDevice } from "../../../../../gpu/webgpu/gather/filter.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { type Plain, plainOf, slicedColumn } from "../../../../support/models/column_model.ts";
import { withDevice } from "../../../../support/device/device_kernels.ts";
import { takeForHardware } from "../../../../support/device/hardware.ts";
import { columnOf, stringColumn } from "../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";

const TEXT: ColumnType = { kind: "string" };
const TYPES = { name: new Utf8(), other: new Utf8() };

/** What each row makes is part of what it reads, and some literals. */
const SURE = [
  'name + " > " + other',
  'name.left(3) + "***" + name.right(2)',
  'name == "public" ? other : name',
  'fillNull(name, "none, or a literal that is longer than a few words")',
  'name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0)',
  "name.strip()",
];

/** Loops make these. */
const UNSURE = ['name.replace("a", "<é>")', "name.slice(null, null, -1)"];

/** Registers a test of a device that is taken for hardware, whose rows are trusted to end. */
function hardwareTest(name: string, use: (context: WebGpuContext) => Promise<void>): void {
  deviceTest(name, async () => {
    const restore = takeForHardware("Taken for hardware");
    try {
      await withDevice((context) => use({ ...context, tiles: { ...context.tiles, use: "never" } }));
    } finally {
      restore();
    }
  });
}

function randomTexts(random: SeededRandom, numRows: number): HostColumn {
  const pieces = ["a", "bc", "public", " ", "Łódź", "漢", "longer than some words", ""];
  const nulls = random.pick([0, 0.1, 0.9]);
  const values = Array.from({ length: numRows }, (): Plain => {
    if (random.chance(nulls)) return null;
    return Array.from({ length: random.below(6) }, () => random.pick(pieces)).join("");
  });
  return slicedColumn(random, TEXT, values);
}

/** Computes on the device, which must give the rows of the host; returns how often that waited. */
async function waitsFor(
  context: WebGpuContext,
  texts: readonly string[],
  columns: Readonly<Record<string, HostColumn>>,
): Promise<number> {
  const { program, inputNames } = compileProgram(texts, TYPES, { fuse: true });
  const inputs = inputNames.map((name) => columns[name]!);
  const numRows = inputs[0]!.length;
  const { columns: expected } = evaluateOnHost(program, inputs, numRows, testKernels());
  const { counters } = context.device;
  const before = counters.readbacks;
  const made = await evaluateOnDevice(context, program, inputs, numRows);
  const waits = counters.readbacks - before;
  // Rows of them once more, as of any other column.
  const keeps = Array.from({ length: numRows }, (_, row) => row % 3 !== 1);
  const mask = columnOf({ kind: "bool" }, keeps);
  const kept = await filterOnDevice(context, made.columns, mask, numRows);
  const results = await downloadColumns(context, [...made.columns, ...kept.columns]);
  [...made.columns, ...kept.columns].forEach(releaseColumn);
  for (const [k, text] of texts.entries()) {
    const values = plainOf(expected[k]!);
    assertEquals(plainOf(results[k]!), values, text);
    assertEquals(plainOf(results[texts.length + k]!), values.filter((_, row) => keeps[row]), text);
    // What was allocated is more; what comes to the host is not.
    assertEquals(results[k]!.data.length, results[k]!.offsets![numRows]);
  }
  return waits;
}

hardwareTest("text that its code bounds is made without a wait", async (context) => {
  await forSeeds(3, async (random) => {
    const numRows = random.pick([1, 31, 32, 255, 256, 257, 700 + random.below(1500)]);
    const columns = { name: randomTexts(random, numRows), other: randomTexts(random, numRows) };
    assertEquals(await waitsFor(context, SURE, columns), 0);
    assertEquals(await waitsFor(context, [...SURE.slice(0, 2), ...UNSURE], columns), 1);
    for (const text of UNSURE) assertEquals(await waitsFor(context, [text], columns), 1);
  });
});

hardwareTest("much text, and text in long rows, is waited for", async (context) => {
  const row = "0123456789 ".repeat(100);
  const much = stringColumn(Array.from({ length: 1000 }, (_, k) => `${k} ${row}`));
  assertEquals(await waitsFor(context, ["name.strip()"], { name: much }), 1);
  const long = stringColumn(["short", row.repeat(12), null]);
  assertEquals(await waitsFor(context, ["name.strip()"], { name: long }), 1);
});
