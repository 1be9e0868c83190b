import { assertEquals, assertThrows } from "@std/assert";
import { Utf8 } from "apache-arrow";
import { isUtf8 } from "node:buffer";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import { bitAt } from "../../../../../gpu/column/bitmap.ts";
import { sliceColumn } from "../../../../../gpu/column/slice.ts";
import { isAsciiText, knownText } from "../../../../../gpu/column/utf8.ts";
import { Utf8Error } from "../../../../../base/errors/value_error.ts";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { closing } from "../../../../support/running/closing.ts";
import { columnOf, valuesOf } from "../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { evaluateWith, openThreads } from "../../../../support/processes/threads.ts";
import { until } from "../../../../support/running/until.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

const TYPES = { name: new Utf8(), other: new Utf8() };

/** Kernels that read one column of text, and that read two. */
const PROGRAMS = [
  ["name.length()"],
  ["name.slice(1, 4)"],
  ['name.contains("an")'],
  ["name.upper()"],
  ['name + "," + other'],
  ["name.strip()", "other.length()"],
].map((texts) => compileProgram(texts, TYPES));

/** More rows than are computed as JavaScript. */
const MIN_ROWS = 1100;

Deno.test("text is checked where it is read, with and without threads", async () => {
  using threads = closing(await openThreads(2));
  const draws = new Draws(["wrong", "right", "nulls", "sliced", "torn", "ascii"]);
  const check = (random: SeededRandom): void => {
    const { program, inputNames } = random.pick(PROGRAMS);
    const columns: Record<string, HostColumn> = { name: randomText(random, draws) };
    columns.other = random.chance(0.5)
      ? columns.name!
      : sliceColumn(otherText(random), 0, columns.name!.length);
    const numRows = columns.name!.length;
    const unseen = () => inputNames.map((name) => notSeen(columns[name]!));
    const row = firstWrongRow(inputNames.map((name) => columns[name]!));
    const caches = [
      () => new HostKernels({ threads }),
      () => new HostKernels({ minWasmRows: 1 }),
    ].map((make) => make());
    if (row >= 0) {
      draws.add("wrong");
      for (const cache of caches) {
        const run = () => evaluateOnHost(program, unseen(), numRows, cache);
        // Once as a guess that the text is ASCII, and once when that is known to be wrong.
        for (let round = 0; round < 2; round++) {
          const { message } = assertThrows(run, Utf8Error);
          assertEquals(message, `The text of row ${row} is not UTF-8`);
        }
      }
      return;
    }
    draws.add("right");
    const wanted = evaluateWith(undefined, program, unseen(), numRows).map(valuesOf);
    for (const cache of caches) {
      for (let round = 0; round < 2; round++) {
        const inputs = unseen();
        const { columns } = evaluateOnHost(program, inputs, numRows, cache);
        assertEquals(columns.map(valuesOf), wanted);
        for (const input of inputs) assertKnown(input, draws);
      }
    }
  };
  await forSeeds(fewOr(20, 60), check, draws);
  await until(() => threads.numTheirs > 0, "a worker does a part", () => forSeeds(20, check));
  assertEquals(threads.numFailed, 0);
});

Deno.test("the first row that is wrong is told, whichever thread meets which", async () => {
  using threads = closing(await openThreads(2));
  const numRows = 1200;
  const texts = Array.from({ length: numRows }, (_, row) => `é${row % 7}`);
  const caches = PROGRAMS.map(() => new HostKernels({ threads }));
  const work = () => {
    for (const [index, { program, inputNames }] of PROGRAMS.entries()) {
      for (const wrong of [[0], [numRows - 1], [1, numRows - 2], [numRows / 2]]) {
        const column = columnOf({ kind: "string" }, texts);
        for (const row of wrong) column.data[column.offsets![row]!] = 0xff;
        const inputs = inputNames.map(() => notSeen(column));
        const run = () => evaluateOnHost(program, inputs, numRows, caches[index]!);
        assertEquals(assertThrows(run, Utf8Error).row, wrong[0]);
      }
    }
  };
  for (let round = 0; round < 50; round++) work();
  await until(() => threads.numTheirs > 0, "a worker does a part", work);
  assertEquals(threads.numFailed, 0);
});

Deno.test("wrong text behind a row that is too long is the error, as it is without threads", async () => {
  using threads = closing(await openThreads(2));
  const { program } = compileProgram(["name.repeat(1000000000)"], { name: new Utf8() });
  // More rows than a part has, wherever it is computed.
  const texts = Array.from({ length: 20_000 }, (_, row) => row < 100 ? "" : "é");
  const column = columnOf({ kind: "string" }, texts);
  column.data[column.offsets![19_999]!] = 0xff;
  for (const given of [undefined, threads]) {
    const run = () => evaluateWith(given, program, [notSeen(column)], texts.length);
    assertEquals(assertThrows(run, Utf8Error).row, 19_999);
  }
});

/** The same rows in an array of which nothing is known. */
function notSeen(column: HostColumn): HostColumn {
  return { ...column, data: column.data.subarray() };
}

/** Names, some of which are null, and of which one may be torn. */
function randomText(random: SeededRandom, draws: Draws): HostColumn {
  const isAscii = random.chance(0.2);
  const hasNulls = random.chance(0.4);
  const letters = isAscii ? ["a", "n", " "] : ["a", "an", " ", "é", "漢", "😀"];
  const count = MIN_ROWS + 8 + random.below(2000);
  const values = Array.from(
    { length: count },
    () =>
      hasNulls && random.chance(0.1)
        ? null
        : Array.from({ length: random.below(9) }, () => random.pick(letters)).join(""),
  );
  if (hasNulls) draws.add("nulls");
  const whole = columnOf({ kind: "string" }, values, { random });
  const isSliced = random.chance(0.5);
  if (isSliced) draws.add("sliced");
  const start = isSliced ? random.below(8) : 0;
  const column = sliceColumn(whole, start, count);
  const kind = random.below(3);
  if (kind === 0) return column;
  draws.add("torn");
  const { data, offsets, length } = column;
  const [first, last] = [offsets![0]!, offsets![length]!];
  if (kind === 1) data[first + random.below(last - first)] = random.pick([0x80, 0xc3, 0xed, 0xff]);
  // A border between two rows moves into a character, or to the next one.
  else {
    const row = 1 + random.below(length - 1);
    if (offsets![row]! < offsets![row + 1]!) offsets![row]!++;
  }
  return column;
}

function otherText(random: SeededRandom): HostColumn {
  const values = Array.from({ length: 4000 }, () => random.pick(["é", "an", "", "漢字"]));
  return columnOf({ kind: "string" }, values, { random });
}

/** The first row that is not UTF-8 of the first column that has one; -1 where none has. */
function firstWrongRow(columns: readonly HostColumn[]): number {
  for (const { data, offsets, validity, length } of columns) {
    for (let row = 0; row < length; row++) {
      if (validity !== null && bitAt(validity, row) === 0) continue;
      if (!isUtf8(data.subarray(offsets![row]!, offsets![row + 1]!))) return row;
    }
  }
  return -1;
}

/** What a kernel found out about narrow text is known of it, and true. */
function assertKnown(column: HostColumn, draws: Draws): void {
  const ascii = isAsciiText(notSeen(column));
  if (ascii) draws.add("ascii");
  if (column.offsets instanceof Int32Array) assertEquals(knownText(column)?.ascii, ascii);
}
