/**
 * Writes `a.arrow`, 12,000 rows of which each matches 6,000 when the file is joined with itself:
 *
 *     deno run -A examples/many_matches.ts
 *     sluice read a.arrow then join a.arrow --on key then count
 *
 * prints 72000000. Either column of text of that result has 2,376,000,000 bytes, more than offsets
 * of 32 bits address.
 *
 * @module
 */

import { Table, vectorFromArray } from "apache-arrow";
import { fromBatches, write } from "../mod.ts";

/** `val`: a text of 28 and one of 38 characters in turn; `key`: 0 and 1 in turn. */
export function manyMatches(): Table {
  const texts = ["abcdefghijklmnopqrstuvwxyz01", "the quick brown fox jumps over the dog"];
  const rows = Array.from({ length: 12_000 }, (_, row) => row % 2);
  return new Table({
    val: vectorFromArray(rows.map((key) => texts[key]!)),
    key: vectorFromArray(Int32Array.from(rows)),
  });
}

if (import.meta.main) await fromBatches(manyMatches()).pipeTo(write("a.arrow"));
