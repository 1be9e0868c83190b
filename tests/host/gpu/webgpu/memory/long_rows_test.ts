/** Which rows of a column are long, and how many, without a look at each. */

import { assert, assertEquals } from "@std/assert";
import { countLongRows, nextLongRow } from "../../../../../gpu/webgpu/memory/long_rows.ts";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";

// Hundreds of short rows are not longer together.
const LIMIT = 100;

/** A column of text of rows of such sizes, without its bytes; the first row begins behind byte 0. */
function textOf(sizes: readonly number[]): HostColumn {
  const offsets = new Int32Array(sizes.length + 1).fill(5);
  sizes.forEach((size, row) => offsets[row + 1] = offsets[row]! + size);
  const bare = { place: "host", nullCount: 0, validity: null, children: [] } as const;
  const data = new Uint8Array(0);
  return { ...bare, type: { kind: "string" }, length: sizes.length, data, offsets };
}

Deno.test("rows that are longer than a limit are counted as one by one", async () => {
  let numFound = 0;
  await forSeeds(60, (random) => {
    const length = random.pick([0, 1, 2, 63, 64, 65, 127, 128, 129, 400, 3000]);
    const share = random.pick([0, 1 / 800, 1 / 200, 1 / 20, 1]);
    const sizes = Array.from(
      { length },
      () => random.chance(share) ? random.pick([LIMIT, LIMIT + 1, 1000]) : random.pick([0, 0, 1]),
    );
    const long = sizes.flatMap((size, row) => size > LIMIT ? [row] : []);
    assertEquals(countLongRows(textOf(sizes), LIMIT), long.length);
    numFound += long.length;
  });
  assert(numFound > 0, "no draw has a long row");
});

Deno.test("rows that are short together are looked at together, at least 64 of them", () => {
  const { offsets, length } = textOf(new Array(6400).fill(3));
  let looks = 0;
  const isLong = (first: number, last: number) => {
    looks++;
    return offsets![last]! - offsets![first]! > 1000;
  };
  assertEquals(nextLongRow(0, length, isLong), length);
  assert(looks <= 100, `${looks} looks at 6,400 rows`);
  // Of 3 bytes each no more than 333 are short together.
  assert(looks >= 6400 / 333);
});
