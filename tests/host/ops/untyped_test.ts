/** Mistakes that TypeScript finds, in programs that have no types. */

import { assertRejects, assertThrows } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import * as typed from "../../../mod.ts";

// deno-lint-ignore no-explicit-any -- as a program in JavaScript sees it
const sluice = typed as any;

const needs = 'must be an expression, such as expr("...") or lit(...), not';
const table = tableFromArrays({ a: [1, 2] });
const mistakes: Readonly<Record<string, readonly [call: () => unknown, message: string]>> = {
  "text as a condition": [() => sluice.filter("a > 1"), `filter() ${needs} a string`],
  "a function as a condition": [
    () => sluice.filter(sluice.col("a").isNull),
    `filter() ${needs} a method that was not called`,
  ],
  "text as a column": [() => sluice.withColumns({ x: "a" }), `x ${needs} a string`],
  "nothing as a column": [() => sluice.withColumns({ x: undefined }), `x ${needs} undefined`],
  "a list of names to select": [
    () => sluice.select(["a"]),
    "select() takes names of columns, not a list",
  ],
  "a number to drop": [() => sluice.drop(0), "drop() takes names of columns, not a number"],
  "nothing as columns": [() => sluice.withColumns(), "takes expressions by name, not undefined"],
  "a list of expressions": [
    () => sluice.withColumns([sluice.col("a")]),
    "withColumns() takes expressions by name, not a list",
  ],
  "a Map of expressions": [
    () => sluice.withColumns(new Map([["a", sluice.col("a")]])),
    "withColumns() takes expressions by name, not an object",
  ],
  "a list of new names": [
    () => sluice.rename(["a"]),
    "rename() takes new names by name, not a list",
  ],
  "a number as a new name": [
    () => sluice.rename({ a: 5 }),
    "rename() takes names of columns, not a number",
  ],
  "a number as a column to join the texts of": [
    () => sluice.joinStrings(5),
    "joinStrings() takes names of columns, not a number",
  ],
  "no size of batches": [() => sluice.regroup(), "regroup() needs rows, bytes, by, sizes or one"],
  "a join without a key": [
    () => sluice.join(sluice.fromBatches([]), {}),
    'Say which keys to join on, or how: "cross"',
  ],
  "a list of keys": [
    () => sluice.join(sluice.fromBatches([]), { on: [["a"]] }),
    "A key of a join is a name or [left, right], not a list",
  ],
  "nothing as batches": [() => sluice.fromBatches(), "takes record batches, not undefined"],
  "text as batches": [() => sluice.fromBatches("abc"), "takes record batches, not a string"],
  "rows in place of batches": [
    () => sluice.fromBatches([{ a: 1 }]),
    "not a plain object; tableFromArrays() makes a table of columns, tableFromJSON() of rows",
  ],
  "a vector as batches": [
    () => sluice.fromBatches(table.getChild("a")),
    "not a vector; new Table({ name: vector }) makes a table of it",
  ],
  "columns as batches": [
    () => sluice.fromBatches({ a: [1, 2] }),
    "not a plain object; tableFromArrays() makes a table of columns",
  ],
  "an object of another library": [
    () => sluice.fromBatches(new URL("https://example.com")),
    "not an object of the class URL",
  ],
  "text as columns to read": [
    () => sluice.read("a.csv", { columns: "a" }),
    "read() option columns takes names of columns, not a string",
  ],
  "a number as a file to read": [
    () => sluice.read(5),
    "read() takes the path of a file, not number",
  ],
  "no file to write": [() => sluice.write(), "write() takes the path of a file, not undefined"],
  "a format to read that there is not": [
    () => sluice.read("a.csv", { format: "xls" }),
    'read() option format must be one of arrow, parquet, csv, tsv, ndjson, zarr, not "xls"',
  ],
  "a format to write that there is not": [
    () => sluice.write("a.csv", { format: "xls" }),
    'write() option format must be one of arrow, parquet, csv, tsv, ndjson, zarr, not "xls"',
  ],
  "a compression that there is not": [
    () => sluice.write("a.arrow", { compression: "zst" }),
    'option compression must be one of none, zstd, lz4, not "zst"',
  ],
  "a device that there is not": [
    () => sluice.createEngine({ device: "cuda" }),
    'device must be auto, gpu, cpu or check, not "cuda"',
  ],
  "a number as text of an expression": [
    () => sluice.expr(5),
    "An expression is text, not a number",
  ],
};

for (const [what, [call, message]] of Object.entries(mistakes)) {
  Deno.test(`${what} is a TypeError that says so`, () => {
    assertThrows(call, TypeError, message);
  });
}

const failures: Readonly<Record<string, readonly [call: () => Promise<unknown>, message: string]>> =
  {
    "a number as a stream": [
      () => sluice.toTable(5),
      "toTable() takes record batches, not a number",
    ],
    "nothing as a stream": [() => sluice.toTable(null), "toTable() takes record batches, not null"],
    "a table as a stream": [
      () => sluice.toTable(table),
      "toTable() takes record batches, not a table; fromBatches() takes one",
    ],
    "a stream of numbers": [
      () => sluice.toTable(ReadableStream.from([5])),
      "toTable() takes record batches, not a number",
    ],
    "a stream of numbers behind a batch": [
      () => sluice.toTable(sluice.fromBatches(ReadableStream.from([table.batches[0], 5]))),
      "The source memory takes record batches, not a number",
    ],
    "rows from a stream of somebody else": [
      () =>
        sluice.toTable(
          sluice.fromBatches(ReadableStream.from([{ a: 1 }])).pipeThrough(sluice.head(1)),
        ),
      "The source memory takes record batches, not a plain object",
    ],
    "nothing to count": [() => sluice.countRows(), "countRows() takes a stream that comes from"],
    "a stream of somebody else to count": [
      () => sluice.countRows(ReadableStream.from(table.batches)),
      "countRows() takes a stream that comes from read() or fromBatches()",
    ],
  };

for (const [what, [call, message]] of Object.entries(failures)) {
  Deno.test(`${what} is an error that says so, and no empty table`, () =>
    assertRejects(call, Error, message));
}
