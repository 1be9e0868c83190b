import { assertEquals } from "@std/assert";
import { bytesBefore, cutRows, longestRow, longestText } from "../../../../gpu/column/row_bytes.ts";
import type { ColumnType } from "../../../../gpu/column/column.ts";
import { ALL_TYPES, randomColumn } from "../../../support/models/column_model.ts";
import { stringColumn } from "../../../support/values/host_columns.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";

Deno.test("longestRow() is the most bytes that lie between a row and the next, for all types", () =>
  forSeeds(200, (random) => {
    const numRows = random.pick([0, 1, 2, 9, 100]);
    const types = Array.from({ length: 1 + random.below(4) }, () => random.pick(ALL_TYPES));
    const columns = types.map((type) => randomColumn(random, type, numRows));
    const bytesOf = (row: number) =>
      columns.reduce(
        (sum, column) => sum + bytesBefore(column, row + 1) - bytesBefore(column, row),
        0,
      );
    const wanted = Array.from({ length: numRows }, (_, row) => bytesOf(row));
    assertEquals(longestRow(columns), Math.max(0, ...wanted), JSON.stringify(types));
  }));

Deno.test("longestText() counts bytes, and none without rows", () => {
  assertEquals(longestText(stringColumn(["a", "", "Åsa", "bc"])), 4);
  assertEquals(longestText(stringColumn([])), 0);
  assertEquals(longestRow([stringColumn(["a", "", "Åsa", "bc"])]), 8);
});

Deno.test("cutRows() takes as many rows as the limits allow, and at least one", () =>
  forSeeds(200, (random) => {
    const sides = [1, 2].map(() => randomColumn(random, random.pick(ALL_TYPES), random.below(20)));
    const numRows = random.below(40);
    const parts = sides.map((column) => ({
      columns: [column],
      rows: Int32Array.from({ length: numRows }, () => random.below(column.length + 1) - 1),
    }));
    // A null counts as much as a value of fixed width, and no text.
    const bytesAt = (row: number) =>
      parts.reduce((sum, { columns: [column], rows }) => {
        if (rows[row]! >= 0) {
          return sum + bytesBefore(column!, rows[row]! + 1) - bytesBefore(column!, rows[row]!);
        }
        return sum + (isEven(column!.type) ? bytesBefore(column!, 1) : 0);
      }, 0);
    const longest = parts.reduce((sum, { columns }) => sum + longestRow(columns), 0);
    const limits = { rows: random.pick([1, 7, 100]), bytes: random.pick([0, 40, 200, Infinity]) };
    const known = random.chance(0.5) && sides.every(({ length }) => length > 0);
    const ranges = [...cutRows(parts, numRows, limits, known ? longest : undefined)];
    const expected: { start: number; stop: number }[] = [];
    for (let start = 0; start < numRows;) {
      let [stop, bytes] = [start + 1, bytesAt(start)];
      while (
        stop < numRows && stop - start < limits.rows && bytes + bytesAt(stop) <= limits.bytes
      ) bytes += bytesAt(stop++);
      expected.push({ start, stop });
      start = stop;
    }
    assertEquals(ranges, expected);
  }));

function isEven(type: ColumnType): boolean {
  if (type.kind === "struct") return type.fields.every(isEven);
  return type.kind !== "string" && type.kind !== "list";
}
