/**
 * Options of a wrong kind, as programs without types may give them: each is refused at once, in one line
 * that names the option. The options of joins are in join/shared/options_test.ts.
 */

import { assert, assertMatch, assertThrows } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import * as sluice from "../../../mod.ts";
import { readCsv, writeCsv } from "../../../streams/formats/csv/csv.ts";
import { readNdjson } from "../../../streams/formats/ndjson/ndjson.ts";
import { readParquet, writeParquet } from "../../../streams/formats/parquet/parquet.ts";

/** Values of every kind. */
const VALUES: readonly unknown[] = [
  ...[null, 5, 0, -1, 1.5, NaN, 2n, "x", "", true, Symbol("x"), () => 1],
  ...[{}, { a: 5 }, [], ["x"], [5], [null]],
];

type Fits = (value: unknown) => boolean;
const isText: Fits = (value) => typeof value === "string";
const isNumber: Fits = (value) => typeof value === "number";
const isFlag: Fits = (value) => typeof value === "boolean";
const isFunction: Fits = (value) => typeof value === "function";
const isIn = (...values: readonly unknown[]): Fits => (value) => values.includes(value);
const isObject: Fits = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNone: Fits = () => false;
const isLike = (...shown: readonly string[]): Fits => (value) =>
  shown.includes(Deno.inspect(value));
const isLength = isLike("[ 5 ]");

/** Which of the values each option takes. */
type Options = Readonly<Record<string, Fits>>;

const table = tableFromArrays({ id: Int32Array.of(1), s: ["a"] });
const plan = { shape: [4], itemsize: 4, source: [2], target: [4], maxMem: 1000 };
const ofSlice: Options = { maxWaste: isIn(0), hold: isFlag, engine: isNone };
const text = { types: isLike("{}"), invalid: isNone, http: isObject };
const parquet: Options = {
  compression: isNone,
  offsets: isNone,
  rowGroupRows: isIn(5),
  rowGroupBytes: isIn(5),
};
const shapes: Options = {
  shape: isLength,
  itemsize: isIn(5),
  source: isLength,
  target: isLength,
};

/** Calls with options, which the types of TypeScript do not allow. */
const CALLS: Readonly<Record<string, readonly [call: (options: never) => unknown, Options]>> = {
  "read() of CSV": [
    (options) => sluice.read("a.csv", options),
    {
      ...{
        ...text,
        format: isNone,
        columns: isLike("[]", '[ "x" ]'),
        delimiter: isIn("x"),
        duplicates: isNone,
      },
      engine: isNone,
    },
  ],
  "read() of Parquet": [
    (options) => sluice.read("a.parquet", options),
    { ...text, duplicates: isNone, engine: isNone },
  ],
  "settings of http": [
    (http) => sluice.read("http://localhost/a.csv", { http }),
    {
      tries: isIn(5),
      stallMs: isIn(5, 1.5),
      headers: (value) => isObject(value) || isFunction(value) || isLike("[]")(value),
    },
  ],
  "readCsv()": [
    (options) => readCsv("a.csv", options),
    { ...text, delimiter: isIn("x"), duplicates: isNone },
  ],
  "readNdjson()": [(options) => readNdjson("a.ndjson", options), text],
  "readParquet()": [
    (options) => readParquet("a.parquet", options),
    { duplicates: isNone, http: isObject },
  ],
  "write() of CSV": [
    (options) => sluice.write("a.csv", options),
    { format: isNone, delimiter: isIn("x"), compression: isNone, offsets: isNone },
  ],
  "write() of Parquet": [(options) => sluice.write("a.parquet", options), parquet],
  "write() of Arrow": [
    (options) => sluice.write("a.arrow", options),
    { compression: isNone, offsets: isNone },
  ],
  "writeCsv()": [(options) => writeCsv("a.csv", options), { delimiter: isIn("x") }],
  "writeParquet()": [(options) => writeParquet("a.parquet", options), parquet],
  "fromBatches()": [
    (options) => sluice.fromBatches(table, options),
    { name: isText, schema: isNone, engine: isNone },
  ],
  "filter()": [(options) => sluice.filter(sluice.expr("true"), options), { engine: isNone }],
  "withColumns()": [
    (options) => sluice.withColumns({ a: sluice.expr("s") }, options),
    { engine: isNone },
  ],
  "joinStrings()": [
    (options) => sluice.joinStrings("s", options),
    { separator: isText, engine: isNone },
  ],
  "regroup()": [
    sluice.regroup,
    {
      rows: isIn(5),
      bytes: isIn(5, 1.5),
      by: isLike('"x"', '""', '[ "x" ]'),
      sizes: isLength,
    },
  ],
  "regroup() with rows": [
    (options: object) => sluice.regroup({ rows: 2, ...options }),
    { one: isIn(), engine: isNone },
  ],
  "rechunk()": [
    (options: object) => sluice.rechunk({ to: [1], maxMem: 1000, ...options }),
    {
      to: (value) => isLike("[ 5 ]", "[]")(value) || isObject(value),
      maxMem: isIn(5, 1.5),
      // Plans refuse wrong numbers.
      minMem: isNumber,
      stages: isNumber,
      temp: isText,
      engine: isNone,
    },
  ],
  "planRechunk()": [
    (options: object) => sluice.planRechunk({ ...plan, ...options }),
    { ...shapes, minMem: isIn(5, 0, 1.5), maxMem: isNone, stages: isIn(5, 0) },
  ],
  "explainPlan()": [
    (options: object) => sluice.explainPlan(sluice.planRechunk(plan), { ...plan, ...options }),
    shapes,
  ],
  "slice()": [(options) => sluice.slice(0, 2, 1, options), ofSlice],
  "head()": [(options) => sluice.head(1, options), ofSlice],
  "tail()": [(options) => sluice.tail(1, options), ofSlice],
  "at()": [(options) => sluice.at(1, options), ofSlice],
  "take()": [(options) => sluice.take([1], options), ofSlice],
  "createEngine()": [
    sluice.createEngine,
    {
      device: isNone,
      memory: isIn(5, 1.5),
      temp: isIn("x"),
      threads: isIn(5),
      threshold: isIn(5),
      largeStrings: isFlag,
      fuse: isFlag,
      onRun: isFunction,
      onWarning: isFunction,
    },
  ],
  "defineOperator()": [
    (options: object) =>
      sluice.defineOperator({
        ...{ name: "same", rows: "same", schema: (input) => input, open: () => ({}) },
        ...options,
      }),
    { name: isIn("x"), rows: isNone, schema: isFunction, open: isFunction },
  ],
};

/** What JavaScript says of a value that nobody has checked. */
const UNCHECKED =
  /\[object|Cannot (read|convert|mix|destructure)|is not (a function|iterable)|undefined/;

function assertTold(call: () => unknown, word: RegExp, what: string): void {
  const error = assertThrows(call, Error, undefined, what);
  assert(error instanceof TypeError || error instanceof RangeError, `${what}: ${error}`);
  assertMatch(error.message, /^[^\n]+$/, what);
  assertMatch(error.message, word, what);
  assert(!UNCHECKED.test(error.message), `${what}: ${error.message}`);
}

for (const [name, [call, options]] of Object.entries(CALLS)) {
  Deno.test(`${name} refuses options of a wrong kind by name`, () => {
    for (const [option, fits] of Object.entries(options)) {
      for (const value of VALUES.filter((value) => !fits(value))) {
        // The limits of a plan are told together.
        const words = option === "rowGroupRows" || option === "rowGroupBytes"
          ? "row ?group"
          : option;
        const what = `${option}: ${Deno.inspect(value)}`;
        assertTold(() => call({ [option]: value } as never), new RegExp(words, "i"), what);
      }
    }
  });
}

/** Functions whose options may be absent. */
const BY_NAME: Readonly<Record<string, (options: never) => unknown>> = {
  read: (options) => sluice.read("a.csv", options),
  write: (options) => sluice.write("a.csv", options),
  readCsv: (options) => readCsv("a.csv", options),
  readNdjson: (options) => readNdjson("a.ndjson", options),
  readParquet: (options) => readParquet("a.parquet", options),
  writeCsv: (options) => writeCsv("a.csv", options),
  writeParquet: (options) => writeParquet("a.parquet", options),
  fromBatches: (options) => sluice.fromBatches(table, options),
  filter: (options) => sluice.filter(sluice.expr("true"), options),
  withColumns: (options) => sluice.withColumns({ a: sluice.expr("s") }, options),
  joinStrings: (options) => sluice.joinStrings("s", options),
  regroup: sluice.regroup,
  rechunk: sluice.rechunk,
  planRechunk: sluice.planRechunk,
  slice: (options) => sluice.slice(0, 1, 1, options),
  head: (options) => sluice.head(1, options),
  take: (options) => sluice.take([1], options),
  createEngine: sluice.createEngine,
};

for (const [name, call] of Object.entries(BY_NAME)) {
  Deno.test(`${name}() takes its options by name`, () => {
    for (const value of VALUES.filter((value) => !isObject(value))) {
      assertTold(() => call(value as never), /options by name/, Deno.inspect(value));
    }
  });
}

Deno.test("take() takes rows of a list, and no number or object, of which it would take none", () => {
  for (const value of [null, 5, NaN, 2n, true, {}, { start: 1 }, Symbol("x"), () => 1]) {
    assertTold(() => sluice.take(value as never), /takes a list of positions/, Deno.inspect(value));
  }
});

Deno.test("checks of definitions take nothing else", async () => {
  for (const value of VALUES) {
    assertTold(() => sluice.checkStringOp(value as never), /defineStringOp/, Deno.inspect(value));
    let told = "";
    await sluice.checkOperator(value as never, null, table).catch((error) => told = String(error));
    assertMatch(told, /TypeError: .*defineOperator/, Deno.inspect(value));
  }
});
