/** Mistakes that TypeScript finds, in programs that have no types. */

import { assertThrows } from "@std/assert";
import * as typed from "../../../mod.ts";

// deno-lint-ignore no-explicit-any -- as a program in JavaScript sees it
const sluice = typed as any;

const needs = 'must be an expression, such as expr("...") or lit(...), not';
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
    'read() option format is one of arrow, parquet, csv, tsv, ndjson, not "xls"',
  ],
  "a format to write that there is not": [
    () => sluice.write("a.csv", { format: "xls" }),
    'write() option format is one of arrow, parquet, csv, tsv, ndjson, not "xls"',
  ],
  "a compression that there is not": [
    () => sluice.write("a.arrow", { compression: "zst" }),
    'option compression is one of none, zstd, lz4, not "zst"',
  ],
  "a device that there is not": [
    () => sluice.createEngine({ device: "cuda" }),
    'device is auto, gpu or cpu, not "cuda"',
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
