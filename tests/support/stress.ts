/**
 * Every kernel over many rows, again and again: all rounds must give the rows of the host. A missing
 * barrier, or a plain store where neighbours share a word, is right nearly always, and on a software
 * adapter, which runs the invocations of a workgroup in turn, sometimes always. So rows are many, end
 * within words, and the same work is done many times; what is compared are digests of whole columns.
 *
 * Faults that were planted by hand into the kernels, over 30,000 rows once, and what saw them:
 *
 *     fault                                              lavapipe  SwiftShader  self-test
 *     first or second barrier of block_scan.wgsl gone    yes       yes          yes
 *     its last barrier gone                              no        no           no
 *     words that rows share stored, in a write pass      yes       yes
 *     likewise in a gather                               yes       yes
 *     bits of rows joined by a load and a store          yes       yes
 *     the barrier between them and their word gone       yes       yes
 *     the barrier before emit_pairs bisects gone         no        yes
 *     the barrier before long copies gone (either kind)  no        no
 *     slots of a join claimed by plain stores            no        not tried
 *
 * Those that nothing saw are what hardware is for.
 */

import type { Backend, ResultRows } from "../../gpu/backend.ts";
import type { ColumnType, HostColumn } from "../../gpu/column/column.ts";
import { releaseColumn } from "../../gpu/column/column.ts";
import { Bool, type DataType, Int16, Int32, Int64, Int8, Utf8 } from "apache-arrow";
import { columnTypeOf } from "../../ops/batch/arrow_types.ts";
import { loadCityNames } from "./city_names.ts";
import { columnDigest } from "./column_digest.ts";
import { bareColumnOf, type Value } from "./host_columns.ts";
import { compileProgram } from "./programs.ts";
import { SeededRandom } from "./seeded_random.ts";
import { atMost, tableRequest } from "./table_request.ts";

/** Rows of one batch: more blocks than a card has processors. */
const BATCH_ROWS = 1 << 20;

/** Rows of the build side of joins; twice as many rows as keys. */
const BUILD_ROWS = 60_000;

const TYPES: Readonly<Record<string, DataType>> = {
  name: new Utf8(),
  kind: new Utf8(),
  tiny: new Int8(),
  small: new Int16(),
  id: new Int32(),
  wide: new Int64(),
  flag: new Bool(),
};

const NAMES = Object.keys(TYPES);

const EXPRESSIONS = [
  'kind == "public" ? name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0) : "X X"',
  ...["name.upper()", "name.title()", "name.reverse()", "name.slice(2, 8)"],
  ...['name.replace("a", "bb")', "name.pad(12)", 'name + "," + kind', "name.repeat(3)"],
  ...["name.length()", 'name.contains("an")', 'name.containsRe("^[A-M].*[aeiou]$")'],
  ...['name.find("o")', 'flag && name.startsWith("S")', "name < kind", "id + id", "wide + id"],
  ...['tryCast(small, "int8")', 'tryCast(id, "int16")', "id > 30000", 'name.split(" ")'],
  ...['name.split("a").join("-")', "id.toString()"],
];

/** One kind of work over a batch of columns, in the order of `NAMES`. */
interface Work {
  readonly name: string;
  run(backend: Backend, columns: readonly HostColumn[]): AsyncIterable<ResultRows>;
}

/** How much of it. */
export interface StressOptions {
  readonly rows: number;
  readonly rounds: number;
  readonly seed: number;
  /** Part of the names of the works that are done; all by default. */
  readonly only?: string;
}

/** What came of a stress test. */
export interface StressResult {
  /** Works, each with the rounds in which it gave other rows than the host. */
  readonly wrong: readonly { readonly name: string; readonly rounds: number }[];
  readonly numRuns: number;
}

/** Does all work over so many rows, so many rounds; `say` is told what goes on. */
export async function runStress(
  { host, device }: { readonly host: Backend; readonly device: Backend },
  { rows, rounds, seed, only = "" }: StressOptions,
  say: (line: string) => void = () => {},
): Promise<StressResult> {
  const random = new SeededRandom(seed);
  const cities = await loadCityNames();
  const works = [...EXPRESSIONS.map(expression), FILTER, GATHER, ...joins(random, cities)]
    .filter(({ name }) => name.includes(only));
  const wrong = new Map<string, number>();
  let numRuns = 0;
  for (let start = 0; start < rows; start += BATCH_ROWS) {
    const columns = randomBatch(random, cities, Math.min(BATCH_ROWS, rows - start));
    for (const work of works) {
      const expected = await digestOf(host, work, columns);
      for (let round = 0; round < rounds; round++, numRuns++) {
        if (await digestOf(device, work, columns) === expected) continue;
        wrong.set(work.name, (wrong.get(work.name) ?? 0) + 1);
        say(`wrong: ${work.name}, rows from ${start} on, round ${round}`);
      }
    }
    say(`${Math.min(rows, start + BATCH_ROWS)} rows done`);
  }
  return { wrong: [...wrong].map(([name, rounds]) => ({ name, rounds })), numRuns };
}

async function digestOf(
  backend: Backend,
  work: Work,
  columns: readonly HostColumn[],
): Promise<string> {
  const digests: number[][] = [];
  for await (const { columns: made, numRows } of work.run(backend, columns)) {
    const onHost = await backend.download(made);
    made.forEach(releaseColumn);
    digests.push([numRows, ...onHost.map(columnDigest)]);
  }
  return JSON.stringify(digests);
}

function expression(text: string): Work {
  const { program, inputNames } = compileProgram([text], TYPES);
  const inputs = inputNames.map((name) => NAMES.indexOf(name));
  return {
    name: text,
    async *run(backend, columns) {
      const numRows = columns[0]!.length;
      yield await backend.evaluate(program, inputs.map((index) => columns[index]!), numRows);
    },
  };
}

const FILTER: Work = {
  name: "filter",
  async *run(backend, columns) {
    yield await backend.filter(columns, columns[NAMES.indexOf("flag")]!, columns[0]!.length);
  },
};

/** Rows of columns on the device, which a filter leaves there, by another order. */
const GATHER: Work = {
  name: "gather",
  async *run(backend, columns) {
    const mask = columns[NAMES.indexOf("flag")]!;
    const { columns: kept, numRows } = await backend.filter(columns, mask, mask.length);
    const selection = Int32Array.from(
      { length: numRows },
      (_, row) => row % 11 === 5 ? -1 : (row * 7919) % numRows,
    );
    try {
      yield { columns: await backend.gather(kept, selection), numRows };
    } finally {
      kept.forEach(releaseColumn);
    }
  },
};

function joins(random: SeededRandom, cities: readonly string[]): Work[] {
  const build = randomBatch(random, cities, BUILD_ROWS);
  return (["name", "id"] as const).flatMap((key) =>
    (["inner", "full", "semi"] as const).map((how): Work => ({
      name: `${how} join by ${key}`,
      async *run(backend, columns) {
        const at = NAMES.indexOf(key);
        const type = columnTypeOf(TYPES[key]!);
        const keyType = type.kind === "string" ? type : { kind: "int", bits: 32, signed: true };
        const request = tableRequest(build[at]!, keyType as never, build.slice(0, 2), how);
        const table = await backend.buildTable(request);
        try {
          // Results are cut where each backend wants to; limits make them alike.
          yield* backend.probe(table, columns[at]!, columns, columns[0]!.length, atMost(1 << 30));
        } finally {
          table.release();
        }
      },
    }))
  );
}

function randomBatch(
  random: SeededRandom,
  cities: readonly string[],
  numRows: number,
): HostColumn[] {
  const values = (make: () => Value) =>
    Array.from({ length: numRows }, () => random.chance(0.06) ? null : make());
  const makers: Readonly<Record<string, () => Value>> = {
    // Few are long enough for a copy by the workgroup, or for a workgroup of their own.
    name: () =>
      random.chance(0.0001)
        ? random.pick(cities).repeat(100 + random.below(1000))
        : random.pick(cities).slice(0, random.below(24)).toWellFormed(),
    kind: () => random.pick(["public", "private", "", "x"]),
    tiny: () => random.below(256) - 128,
    small: () => random.below(600) - 300,
    id: () => random.below(60_000),
    wide: () => BigInt(random.below(2 ** 32)) * 4_000_000_007n,
    flag: () => random.chance(0.5),
  };
  return NAMES.map((name) =>
    bareColumnOf(columnTypeOf(TYPES[name]!) as ColumnType, values(makers[name]!))
  );
}
