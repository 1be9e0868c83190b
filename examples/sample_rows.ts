/**
 * Writes a random sample of the rows of a file, in their order:
 * `deno run -A examples/sample_rows.ts flights.parquet 1000 sample.csv`. Reads only the parts of an Arrow or
 * Parquet file that have these rows.
 *
 * @module
 */

import { read, take, write } from "../mod.ts";

/** Copies `size` rows of a file to another, or all if it has fewer. */
export async function sampleRows(
  input: string,
  size: number,
  output: string,
  random: () => number = Math.random,
): Promise<void> {
  const numRows = await read(input).numRows();
  if (numRows === undefined) throw new TypeError(`${input} does not say how many rows it has`);
  const rows = distinctRows(Math.min(size, numRows), numRows, random);
  await read(input).pipeThrough(take(rows)).pipeTo(write(output));
}

/** Returns `size` of the positions below `numRows`, ascending: Floyd's algorithm F2 (Bentley and Floyd, 1987). */
function distinctRows(size: number, numRows: number, random: () => number): number[] {
  const rows = new Set<number>();
  for (let last = numRows - size; last < numRows; last++) {
    const row = Math.floor(random() * (last + 1));
    rows.add(rows.has(row) ? last : row);
  }
  return [...rows].sort((left, right) => left - right);
}

if (import.meta.main) {
  const [input, size, output] = Deno.args;
  if (input === undefined || size === undefined || output === undefined) {
    console.error("Usage: sample_rows.ts INPUT SIZE OUTPUT");
    Deno.exit(2);
  }
  await sampleRows(input, Number(size), output);
}
