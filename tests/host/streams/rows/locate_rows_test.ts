import { assertEquals, assertRejects } from "@std/assert";
import { knownLengths } from "../../../../streams/rows/chunk_lengths.ts";
import { locateRows } from "../../../../streams/rows/locate_rows.ts";
import { MissingRowError, type RowPick } from "../../../../streams/rows/row_request.ts";
import { resolveRows } from "../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../streams/rows/row_slice.ts";
import { forSeeds } from "../../../support/seeded_random.ts";

Deno.test("rows of chunks are those of the whole, in order, and neighbours come together", () =>
  forSeeds(300, async (random) => {
    const lengths = Array.from({ length: random.below(8) }, () => random.pick([0, 1, 3, 10]));
    const numRows = lengths.reduce((sum, length) => sum + length, 0);
    const bound = () => random.chance(0.3) ? null : random.below(40) - 20;
    const slice = () => rowSlice(bound(), bound(), random.pick([1, 2, 7, -1, -4]));
    const pick: RowPick = random.chance(0.6) || numRows === 0 ? slice() : {
      kind: "list",
      parts: Array.from(
        { length: random.below(8) },
        () => random.chance(0.5) ? slice() : random.below(numRows),
      ),
    };
    const expected = resolveRows([pick], numRows).flatMap(({ start, step, count }) =>
      Array.from({ length: count }, (_, index) => start + index * step)
    );
    const starts = lengths.map((_, chunk) =>
      lengths.slice(0, chunk).reduce((sum, length) => sum + length, 0)
    );
    const rows: number[] = [];
    let last = -1;
    for await (const { chunk, runs, firstRow } of locateRows([pick], knownLengths(lengths))) {
      assertEquals(firstRow, starts[chunk]);
      assertEquals(chunk === last, false, "rows of one chunk come together");
      last = chunk;
      for (const { start, step, count } of runs) {
        for (let index = 0; index < count; index++) {
          const row = start + index * step;
          assertEquals(row >= 0 && row < lengths[chunk]!, true);
          rows.push(firstRow + row);
        }
      }
    }
    assertEquals(rows, expected);
  }));

Deno.test("a row that does not exist is an error", async () => {
  const pick: RowPick = { kind: "list", parts: [6] };
  await assertRejects(
    () => Array.fromAsync(locateRows([pick], knownLengths([2, 3]))),
    MissingRowError,
    "There is no row 6, there are 5 rows",
  );
});
