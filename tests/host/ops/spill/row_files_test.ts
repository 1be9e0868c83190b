import { assert, assertEquals } from "@std/assert";
import { type ColumnType, type HostColumn, nullColumn } from "../../../../gpu/column/column.ts";
import { concatColumns } from "../../../../gpu/column/concat.ts";
import { partitionsOf, rowsByPlace } from "../../../../ops/spill/divide.ts";
import { concatRows, cutRows, rowsBytes } from "../../../../ops/spill/host_rows.ts";
import { mergeRuns, type NumberedRows, type Run } from "../../../../ops/spill/merge_runs.ts";
import { RowFile } from "../../../../ops/spill/row_file.ts";
import { TempFolder } from "../../../../streams/formats/arrow/temp_folder.ts";
import { inFolder } from "../../../support/files/folder.ts";
import {
  columnOf,
  stringColumn,
  type Value,
  valuesOf,
} from "../../../support/values/host_columns.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { surround } from "../../../support/values/surround.ts";

const INT: ColumnType = { kind: "int", bits: 32, signed: true };

function piece(numbers: readonly number[], tag: string): NumberedRows {
  const columns = [stringColumn(numbers.map((number) => `${tag}${number}`))];
  return { numbers: Float64Array.from(numbers), columns, numRows: numbers.length };
}

/** A run of pieces, which notes that it was ended. */
async function* runOf(pieces: readonly NumberedRows[], onEnd = () => {}): Run {
  try {
    for (const piece of pieces) yield await Promise.resolve(piece);
  } finally {
    onEnd();
  }
}

async function merged(
  runs: readonly (readonly (readonly number[])[])[],
  rows = 1000,
): Promise<{ tags: Value[]; sizes: number[] }> {
  const tags: Value[] = [];
  const sizes: number[] = [];
  const all = runs.map((pieces, index) =>
    runOf(pieces.map((numbers) => piece(numbers, "abcdefgh"[index]!)))
  );
  for await (const part of mergeRuns(all, { rows, bytes: Infinity })) {
    const values = valuesOf(part.columns[0]!);
    assertEquals(values.map((value) => Number(String(value).slice(1))), [...part.numbers]);
    tags.push(...values);
    sizes.push(part.numRows);
  }
  return { tags, sizes };
}

Deno.test("mergeRuns() sorts by number, and rows of one number by run, wherever pieces end", async () => {
  const cases: [number[][][], string][] = [
    [[], ""],
    [[[]], ""],
    [[[[]], [[1]], [[], []]], "b1"],
    [[[[1, 2], [3]]], "a1 a2 a3"],
    [[[[2, 4]], [[1, 3, 5]]], "b1 a2 b3 a4 b5"],
    // The same number in several pieces of a run comes out before that of the next run.
    [[[[1], [1], [1], [1, 2]], [[1, 1], [1]]], "a1 a1 a1 a1 b1 b1 b1 a2"],
    [[[[5], [5]], [[5]], [[4], [5], [5]]], "c4 a5 a5 b5 c5 c5"],
    [
      [[[2 ** 52]], [[2 ** 52 - 1], [2 ** 52 + 1]]],
      "b4503599627370495 a4503599627370496 b4503599627370497",
    ],
  ];
  for (const [runs, wanted] of cases) {
    assertEquals((await merged(runs)).tags.join(" "), wanted);
  }
});

Deno.test("mergeRuns() gives what a stable sort gives, in pieces of bounded size", () =>
  forSeeds(60, async (random) => {
    const runs = Array.from({ length: random.below(8) }, () => {
      let number = 0;
      const step = random.pick([1, 5, 40]);
      return Array.from(
        { length: random.below(6) },
        () => Array.from({ length: random.below(9) }, () => number += random.below(step + 1)),
      );
    });
    const rows = random.pick([1, 3, 1000]);
    const { tags, sizes } = await merged(runs, rows);
    const wanted = runs.flatMap((pieces, run) =>
      pieces.flat().map((number) => ({ number, tag: `${"abcdefgh"[run]}${number}` }))
    ).sort((left, right) => left.number - right.number);
    assertEquals(tags, wanted.map(({ tag }) => tag));
    assert(sizes.every((size) => size <= rows));
  }));

Deno.test("mergeRuns() holds two pieces of a run, and ends the runs that it is left with", async () => {
  let ended = 0;
  let taken = 0;
  const endless = async function* (): Run {
    try {
      for (let number = 0;; number++) {
        taken++;
        yield await Promise.resolve(piece([number], "e"));
      }
    } finally {
      ended++;
    }
  };
  const runs = [endless(), endless(), runOf([piece([0], "f")], () => ended++)];
  for await (const { numRows } of mergeRuns(runs, { rows: 10, bytes: Infinity })) {
    // Of the second run all but its last row, behind which the first run may have more of its number.
    assertEquals(numRows, 4);
    assertEquals(taken, 4);
    break;
  }
  assertEquals(ended, 3);
});

Deno.test("equal keys have one partition under each seed, and null keys the place that they are given", () => {
  const values = [7, null, -1, 7, null, 300, -1];
  const narrow = columnOf({ kind: "int", bits: 16, signed: true }, values);
  const wide = columnOf({ kind: "int", bits: 64, signed: true }, values);
  for (const seed of [0, 1, 2]) {
    const places = partitionsOf(narrow, seed, 8, "with their hash");
    assertEquals([...places], [...partitionsOf(wide, seed, 8, "with their hash")]);
    assertEquals([places[0], places[1], places[2]], [places[3], places[4], places[6]]);
    assert(places.every((place) => place >= 0 && place < 8));
    const nowhere = partitionsOf(narrow, seed, 8, "nowhere");
    assertEquals([nowhere[1], nowhere[4], nowhere[0]], [-1, -1, places[0]]);
    assertEquals([...partitionsOf(narrow, seed, 1, "anywhere")], values.map(() => 0));
  }
  const nulls = nullColumn(INT, 16);
  const spread = partitionsOf(nulls, 0, 4, "anywhere");
  assertEquals(rowsByPlace(spread, 4).map(({ length }) => length), [4, 4, 4, 4]);
});

Deno.test("rowsByPlace() keeps the order of rows and leaves out those that go nowhere", () => {
  const places = Int32Array.of(2, -1, 0, 2, 0, -1);
  assertEquals(rowsByPlace(places, 4).map((rows) => [...rows]), [[2, 4], [], [0, 3], []]);
  assertEquals(rowsByPlace(new Int32Array(0), 2).map((rows) => [...rows]), [[], []]);
});

Deno.test("a file of rows gives back the rows of every type, with nulls, in pieces", () =>
  inFolder((parent) =>
    forSeeds(4, async (random) => {
      using folder = new TempFolder(parent, "cannot hold rows");
      const numRows = 1 + random.below(300);
      const some = (of: () => Value) =>
        Array.from({ length: numRows }, () => random.chance(0.2) ? null : of());
      const texts = ["", "Zoë", "Ngũgĩ wa Thiong’o", "李小龍 ".repeat(9)];
      const columns: HostColumn[] = [
        columnOf({ kind: "bool" }, some(() => random.chance(0.5))),
        columnOf({ kind: "int", bits: 8, signed: false }, some(() => random.below(256))),
        columnOf({ kind: "int", bits: 16, signed: true }, some(() => random.below(256) - 99)),
        columnOf(
          { kind: "int", bits: 64, signed: true },
          some(() => -(2n ** 60n) + BigInt(random.below(9))),
        ),
        columnOf({ kind: "float", bits: 16 }, some(() => random.below(100) / 4)),
        columnOf({ kind: "float", bits: 32 }, some(() => random.below(100) / 8)),
        columnOf({ kind: "float", bits: 64 }, some(() => random.next())),
        columnOf({ kind: "string" }, some(() => random.pick(texts))),
        columnOf(
          { kind: "list", item: { kind: "string" } },
          some(() => Array.from({ length: random.below(4) }, () => random.pick(texts))),
        ),
        surround(nullColumn({ kind: "fixed", byteWidth: 5 }, numRows)),
        surround(nullColumn({ kind: "struct", fields: [] }, numRows)),
        surround(nullColumn({ kind: "struct", fields: [INT, { kind: "string" }] }, numRows)),
      ];
      const file = new RowFile(folder, random.pick([1, 500, 2 ** 20]));
      for (const rows of cutRows({ columns, numRows }, random.pick([100, 5000]))) file.add(rows);
      file.finish();
      assertEquals(file.numRows, numRows);
      for (let round = 0; round < 2; round++) {
        const rows = concatRows(await Array.fromAsync(file.rows()));
        assertEquals(rows.numRows, numRows);
        rows.columns.forEach((column, index) => {
          assertEquals(column.type, columns[index]!.type);
          const [given, read] = [columns[index]!, column];
          if (given.type.kind === "fixed" || given.type.kind === "struct") {
            assertEquals([read.length, read.nullCount], [numRows, numRows]);
          } else assertEquals(valuesOf(read), valuesOf(given));
        });
      }
      file.remove();
    })
  ));

Deno.test("a file takes text with offsets of 64 bits among text with those of 32", () =>
  inFolder(async (parent) => {
    using folder = new TempFolder(parent, "cannot hold rows");
    const texts = ["a", "Łukasz and others", "b", "c", "Ngũgĩ wa Thiong’o"];
    const file = new RowFile(folder, 1, { threshold: 12, enabled: true });
    for (const text of texts) file.add({ columns: [stringColumn([text])], numRows: 1 });
    file.finish();
    const [name] = [...Deno.readDirSync(parent)];
    assertEquals([...Deno.readDirSync(`${parent}/${name!.name}`)].length, 4);
    const pieces = await Array.fromAsync(file.rows());
    const read = concatColumns(pieces.map(({ columns }) => columns[0]!));
    assertEquals(valuesOf(read), texts);
  }));

Deno.test("cutRows() cuts by bytes, and never below one row", () => {
  const rows = {
    columns: [columnOf(INT, Array.from({ length: 100 }, (_, row) => row))],
    numRows: 100,
  };
  const sizes = (numBytes: number) => [...cutRows(rows, numBytes)].map(({ numRows }) => numRows);
  assertEquals(rowsBytes(rows), 400);
  assertEquals(sizes(400), [100]);
  assertEquals(sizes(160), [40, 40, 20]);
  assertEquals(sizes(1).length, 100);
});
