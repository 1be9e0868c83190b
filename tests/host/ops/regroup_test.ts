import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  Bool,
  Field,
  Int32,
  List,
  Struct,
  tableFromArrays,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { columnBytes } from "../../../gpu/column/column.ts";
import { concatColumns } from "../../../gpu/column/concat.ts";
import { sliceColumn } from "../../../gpu/column/slice.ts";
import { fromArrow } from "../../../ops/batch/from_arrow.ts";
import { fixedBytes, rowBytes } from "../../../ops/regroup/row_bytes.ts";
import { type Part, type Piece, Regrouper } from "../../../streams/regrouper.ts";
import { createEngine, expr, filter, fromBatches, join, regroup } from "../../../mod.ts";
import { forSeeds } from "../../support/seeded_random.ts";

/** Rows that are numbers: each is its own size in bytes. */
class Sizes implements Piece {
  readonly sizes: readonly number[];
  constructor(sizes: readonly number[]) {
    this.sizes = sizes;
  }
  get numRows(): number {
    return this.sizes.length;
  }
  rowBytes(start: number, stop: number): number {
    return this.sizes.slice(start, stop).reduce((sum, size) => sum + size, 0);
  }
}

const rowsOf = (parts: readonly Part<Sizes>[]) =>
  parts.flatMap(({ piece, start, stop }) => piece.sizes.slice(start, stop));

function groupsOf(pieces: readonly (readonly number[])[], rows: number, bytes: number): number[][] {
  const regrouper = new Regrouper<Sizes>({ rows, bytes });
  const groups = pieces.flatMap((sizes) => regrouper.push(new Sizes(sizes)).map(rowsOf));
  const last = rowsOf(regrouper.end());
  return last.length === 0 ? groups : [...groups, last];
}

/** One row after the other: a group ends where the next row would not fit. */
function byHand(rows: readonly number[], most: number, bytes: number): number[][] {
  const groups: number[][] = [];
  let open: number[] = [];
  for (const row of rows) {
    const sum = open.reduce((total, size) => total + size, 0);
    if (open.length > 0 && (open.length === most || sum + row > bytes)) {
      groups.push(open);
      open = [];
    }
    open.push(row);
  }
  return open.length === 0 ? groups : [...groups, open];
}

Deno.test("Regrouper ends groups by rows, by bytes, or by whichever comes first", () => {
  assertEquals(groupsOf([[1, 1, 1], [], [1, 1]], 2, Infinity), [[1, 1], [1, 1], [1]]);
  assertEquals(groupsOf([[3, 3], [3]], Infinity, 6), [[3, 3], [3]]);
  assertEquals(groupsOf([[1, 9, 1], [1]], 2, 5), [[1], [9], [1, 1]]);
  assertEquals(groupsOf([[], []], 2, 5), []);
});

Deno.test("a row that passes the bytes has a group of its own", () => {
  assertEquals(groupsOf([[100], [100, 1, 1]], Infinity, 5), [[100], [100], [1, 1]]);
});

Deno.test("groups depend on the rows, not on the pieces that they came in", () =>
  forSeeds(300, (random) => {
    const pieces = Array.from(
      { length: random.below(6) },
      () => Array.from({ length: random.below(9) }, () => random.below(12)),
    );
    const rows = random.pick([1, 2, 3, 7, Infinity]);
    const bytes = random.pick([1, 5, 11, 30, Infinity]);
    assertEquals(groupsOf(pieces, rows, bytes), byHand(pieces.flat(), rows, bytes));
  }));

Deno.test("a piece of the right size is one part from its first row to its last", () => {
  const regrouper = new Regrouper<Sizes>({ rows: 2, bytes: Infinity });
  const piece = new Sizes([1, 2]);
  assertEquals(regrouper.push(piece), [[{ piece, start: 0, stop: 2 }]]);
  assertEquals(regrouper.end(), []);
});

Deno.test("rowBytes() and fixedBytes() bound the bytes of rows put together", () => {
  const item = new Field("item", new Utf8(), true);
  const values = ["a", null, "", "longer", "é"];
  const columns = [
    vectorFromArray([1, null, 3, 4, 5], new Int32()),
    vectorFromArray([true, false, null, true, true], new Bool()),
    vectorFromArray(values, new Utf8()),
    vectorFromArray([["a", "b"], null, [], ["c"], [null]], new List(item)),
    vectorFromArray(values.map((item) => ({ item })), new Struct([item])),
  ].map((vector) => fromArrow(vector.data[0]!));
  for (const column of columns) {
    for (let middle = 0; middle <= 5; middle++) {
      const parts = [sliceColumn(column, 0, middle), sliceColumn(column, middle, 5)];
      const bytes = parts.reduce((sum, part) => sum + rowBytes(part, 0, part.length), 0);
      assertEquals(bytes, rowBytes(column, 0, 5));
      const bound = bytes + fixedBytes(column.type);
      const taken = columnBytes(concatColumns(parts));
      assert(taken <= bound && bound <= taken + 8, `${taken} bytes, at most ${bound}`);
    }
  }
});

const engine = createEngine({ device: "cpu" });
const keys = tableFromArrays({ key: Int32Array.from({ length: 10 }, (_, row) => row % 3) });
const sevens = [keys.batches[0]!.slice(0, 7), keys.batches[0]!.slice(7)];
const names = () =>
  fromBatches(tableFromArrays({ key: Int32Array.of(0, 1, 2), name: ["a", "b", "c"] }), { engine });

Deno.test("a regroup behind a join is repeated in front of it, and keeps its boundaries", async () => {
  const joined = fromBatches(sevens, { engine })
    .pipeThrough(join(names(), { on: "key" }))
    .pipeThrough(regroup({ rows: 4 }));
  const ran = (await joined.explain()).split("runs as:")[1]!;
  assertEquals(ran.match(/^ {2}\w+/gm)?.map((step) => step.trim()), [
    "read",
    "regroup",
    "join",
    "regroup",
  ]);
  const batches = await Array.fromAsync(joined);
  assertEquals(batches.map(({ numRows }) => numRows), [4, 4, 2]);
  const text = batches.flatMap((batch) => [...batch].map((row) => row.name));
  assertEquals(text, Array.from({ length: 10 }, (_, row) => "abc"[row % 3]));
});

Deno.test("a regroup behind a filter, or of very many rows, is not repeated", async () => {
  const filtered = fromBatches(sevens, { engine })
    .pipeThrough(filter(expr("key > 0")))
    .pipeThrough(regroup({ rows: 4 }));
  const large = fromBatches(sevens, { engine })
    .pipeThrough(join(names(), { on: "key" }))
    .pipeThrough(regroup({ rows: 1_000_000 }));
  for (const stream of [filtered, large]) {
    const ran = (await stream.explain()).split("runs as:")[1]!;
    assertStrictEquals(ran.match(/^ {2}regroup/gm)?.length, 1);
    await stream.cancel();
  }
});
