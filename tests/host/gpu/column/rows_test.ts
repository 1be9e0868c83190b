import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Utf8 } from "apache-arrow";
import { byteWidth, type HostColumn } from "../../../../gpu/column/column.ts";
import { concatColumns } from "../../../../gpu/column/concat.ts";
import { filterColumns } from "../../../../gpu/column/filter.ts";
import { gatherColumn } from "../../../../gpu/column/gather.ts";
import { sliceColumn } from "../../../../gpu/column/slice.ts";
import { HostKernels } from "../../../../gpu/host/host_kernels.ts";
import { lowerKernel } from "../../../../gpu/kernel/lower/lower.ts";
import {
  ALL_TYPES,
  columnOfPlain,
  FLAT_TYPES,
  plainOf,
  randomValues,
  surrounded,
} from "../../../support/models/column_model.ts";
import { filterCases } from "../../../support/cases/filter.ts";
import { gatherCases } from "../../../support/cases/gather.ts";
import { onHost } from "../../../support/cases/on_host.ts";
import { forSeeds, SeededRandom } from "../../../support/random/seeded_random.ts";
import { evaluateAround } from "../../../support/kernels/evaluate_around.ts";
import { columnOf, stringColumn, valuesOf } from "../../../support/values/host_columns.ts";
import { compileProgram } from "../../../support/kernels/programs.ts";

for (const type of ALL_TYPES) {
  const name = JSON.stringify(type);

  Deno.test(`slices of ${name} hold the rows of their range, slices of slices too`, () =>
    forSeeds(40, (random) => {
      const column = randomColumn(random, type);
      const values = plainOf(column);
      const start = random.below(values.length + 1);
      const stop = start + random.below(values.length - start + 1);
      assertEquals(plainOf(sliceColumn(column, start, stop)), values.slice(start, stop));
    }));

  Deno.test(`concatColumns() keeps the rows of ${name} in order`, () =>
    forSeeds(40, (random) => {
      const columns = Array.from(
        { length: 1 + random.below(4) },
        () => randomColumn(random, type),
      );
      assertEquals(plainOf(concatColumns(columns)), columns.flatMap(plainOf));
    }));
}

filterCases(onHost);
gatherCases(onHost);

Deno.test("slices, filters and concatenations that keep every row give the same objects", () => {
  const column = columnOfPlain({ kind: "string" }, ["a", null, "c"]);
  const mask = columnOfPlain({ kind: "bool" }, [true, true, true]);
  assertStrictEquals(sliceColumn(column, 0, 3), column);
  assertStrictEquals(filterColumns([column], mask).columns[0], column);
  assertStrictEquals(concatColumns([column]), column);
});

Deno.test("a filter that keeps many rows in one piece shares their text", () => {
  const column = columnOfPlain({ kind: "string" }, ["a", "b", "c", "d"]);
  const mask = columnOfPlain({ kind: "bool" }, [false, true, true, null]);
  assertStrictEquals(filterColumns([column], mask).columns[0]!.data, column.data);
});

Deno.test("a filter that keeps few rows does not keep the whole input alive", () => {
  const values = Array.from({ length: 100 }, (_, row) => `row ${row}`);
  const column = columnOfPlain({ kind: "string" }, values);
  const mask = columnOfPlain({ kind: "bool" }, values.map((_, row) => row === 50));
  assert(filterColumns([column], mask).columns[0]!.data.buffer !== column.data.buffer);
});

Deno.test("every bit pattern of 64 bits survives a gather by compiled code", () => {
  // Infinities and quiet and signalling NaNs, as float64; close to -1 and -2^52, as int64.
  const patterns = Array.from({ length: 4096 }, (_, at) => {
    const high = [0x7ff0n, 0x7ff7n, 0x7ff8n, 0xfff0n, 0xfff6n, 0xfff7n, 0xfff8n, 0xffffn][at % 8]!;
    return (high << 48n) | BigInt(at);
  });
  const column = columnOfPlain({ kind: "int", bits: 64, signed: false }, patterns);
  const wordsOf = ({ data }: HostColumn) =>
    new BigUint64Array(data.buffer, data.byteOffset, data.length / 8);
  const words = wordsOf(column);
  const selection = Int32Array.from({ length: 4096 }, (_, at) => (at * 1031) % 4096);
  const expected = BigUint64Array.from(selection, (row) => words[row]!);
  for (let round = 0; round < 300; round++) {
    const gathered = wordsOf(gatherColumn(column, selection));
    assert(gathered.every((value, at) => value === expected[at]), `round ${round}`);
  }
});

Deno.test("zeros lie under the rows that a gather made null", () => {
  const selection = Int32Array.of(-1, 0, -1);
  for (const type of FLAT_TYPES) {
    if (type.kind === "string") continue;
    const column = columnOfPlain(type, randomValues(new SeededRandom(1), type, 1, 0));
    const { data } = gatherColumn(column, selection);
    if (type.kind === "bool") assertEquals(data[0]! & 0b101, 0);
    else {
      const width = byteWidth(type);
      assertEquals(data.subarray(0, width), new Uint8Array(width));
      assertEquals(data.subarray(width, 2 * width), column.data);
      assertEquals(data.subarray(2 * width), new Uint8Array(width));
    }
  }
});

Deno.test("columns of different types, and none at all, cannot be concatenated", () => {
  const left = columnOfPlain({ kind: "string" }, []);
  const right = columnOfPlain({ kind: "bool" }, []);
  assertThrows(() => concatColumns([left, right]), TypeError, "different types");
  assertThrows(() => concatColumns([]), TypeError, "zero columns");
});

/** A column of up to 60 rows, at times a slice of a longer one. */
function randomColumn(random: SeededRandom, type: HostColumn["type"]): HostColumn {
  const nulls = random.pick([0, 0.1, 0.5]);
  const length = random.pick([0, 1, 8, random.below(60)]);
  const column = columnOfPlain(type, randomValues(random, type, length, nulls));
  return random.chance(0.5) ? column : surrounded(random, column, sliceColumn);
}

const NAMES = { a: new Utf8(), b: new Utf8() };

/** Conditions with a place for a needle, and what they mean. */
const conditions: Readonly<Record<string, (a: string, b: string, needle: string) => boolean>> = {
  'a.contains("?")': (a, _, needle) => a.includes(needle),
  'a.find("?") >= 0': (a, _, needle) => a.includes(needle),
  'a.find("?") > 2': (a, _, needle) => a.indexOf(needle) > 2,
  '!a.contains("?")': (a, _, needle) => !a.includes(needle),
  'a.contains("?") && b.contains("?")': (a, b, needle) => a.includes(needle) && b.includes(needle),
  'a.contains("?") && a.length() > 9': (a, _, needle) => a.includes(needle) && a.length > 9,
  'a.contains("?") || b.contains("?")': (a, b, needle) => a.includes(needle) || b.includes(needle),
  'a.slice(3).contains("?")': (a, _, needle) => a.slice(3).includes(needle),
};

/** Rows of few characters, so that a needle stands across the end of many a row. */
function rowsOf(random: SeededRandom, count: number): string[] {
  const letters = random.pick(["ab", "abc", "abcdefghij"]);
  const longest = random.pick([3, 12, 60]);
  const row = () => Array.from({ length: random.below(longest) }, () => random.pick([...letters]));
  return Array.from({ length: count }, () => row().join(""));
}

Deno.test("rows in which nothing is found are passed over, and no other", () =>
  forSeeds(40, (random) => {
    const numRows = random.pick([1, 7, 8, 9, 64, 500]);
    const [a, b] = [rowsOf(random, numRows), rowsOf(random, numRows)];
    const needle = Array.from({ length: 1 + random.below(6) }, () => random.pick(["a", "b"])).join(
      "",
    );
    const from = random.below(numRows);
    const columns = { a: stringColumn(a), b: stringColumn(b) };
    for (const [template, meaning] of Object.entries(conditions)) {
      const text = template.replaceAll("?", needle);
      const { program, inputNames } = compileProgram([text], NAMES);
      const inputs = inputNames.map((name) => sliceColumn(columns[name as "a"], from, numRows));
      const kernels = new HostKernels({ minWasmRows: 1 });
      const [result] = evaluateAround(program, inputs, numRows - from, kernels);
      const wanted = a.map((row, index) => meaning(row, b[index]!, needle)).slice(from);
      assertEquals(valuesOf(result!), wanted, text);
    }
  }));

Deno.test("rows that are null and stand for false are false, whatever their text is", () =>
  forSeeds(20, (random) => {
    const texts = rowsOf(random, 200);
    const isNull = texts.map(() => random.chance(0.3));
    // Their text is still there, with the needle in it.
    const valid = columnOf({ kind: "string" }, texts.map((text, row) => isNull[row] ? null : text));
    const a = { ...stringColumn(texts), validity: valid.validity, nullCount: valid.nullCount };
    const { program } = compileProgram(['a.contains("ab").fillNull(false)'], NAMES);
    const kernels = new HostKernels({ minWasmRows: 1 });
    const [result] = evaluateAround(program, [a], 200, kernels);
    const wanted = texts.map((text, row) => !isNull[row] && text.includes("ab"));
    assertEquals(valuesOf(result!), wanted);
  }));

Deno.test("a search is needed where a row is false without it, and only there", () => {
  const isNeeded = (text: string, isNullable = false) => {
    const { program } = compileProgram([text], NAMES);
    const nullable = program.inputs.map(() => isNullable);
    const ir = lowerKernel(program.kernels[0]!, program.inputs, { ascii: true, nullable });
    return ir.kernel === "row" && ir.neededSeek !== undefined;
  };
  assertEquals(isNeeded('a.contains("x")'), true);
  assertEquals(isNeeded('a.contains("x") && a.length() > 9'), true);
  // Which rows are null is said of all at once.
  assertEquals(isNeeded('a.contains("x")', true), true);
  assertEquals(isNeeded('!a.contains("x")'), false);
  assertEquals(isNeeded('a.contains("x") || b.contains("x")'), false);
  assertEquals(isNeeded('a.slice(3).contains("x")'), false);
  assertEquals(isNeeded('a.find("x")'), false);
  assertEquals(isNeeded("a.contains(b)"), false);
});
