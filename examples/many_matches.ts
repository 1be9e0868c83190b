/**
 * Writes `a.arrow`: 12,000 rows, each with 6,000 matches when the file is joined with itself.
 *
 *     deno run -A examples/many_matches.ts
 *     sluice read a.arrow then join a.arrow --on key then count
 *
 * prints 72000000. Each text column of that result has 2,376,000,000 bytes, more than 32-bit
 * offsets can address.
 *
 * @module
 */

import { Table, vectorFromArray } from "apache-arrow";
import { fromBatches, write } from "../mod.ts";

/** `val` alternates between texts of 28 and 38 characters, `key` between 0 and 1. */
export function manyMatches(): Table {
  const texts = ["abcdefghijklmnopqrstuvwxyz01", "the quick brown fox jumps over the dog"];
  const rows = Array.from({ length: 12_000 }, (_, row) => row % 2);
  return new Table({
    val: vectorFromArray(rows.map((key) => texts[key]!)),
    key: vectorFromArray(Int32Array.from(rows)),
  });
}

if (import.meta.main) await fromBatches(manyMatches()).pipeTo(write("a.arrow"));
