import { assertEquals } from "@std/assert";
import { bytesBefore, longestRow, longestText } from "../../../../gpu/column/row_bytes.ts";
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
