/** Random pipelines with slices, and a model of each step over an array of rows. */

import type { RecordBatch } from "apache-arrow";
import {
  at,
  defineOperator,
  drop,
  type Engine,
  expr,
  filter,
  fromBatches,
  head,
  join,
  type Operator,
  regroup,
  rename,
  select,
  slice,
  tail,
  take,
  withColumns,
} from "../../../mod.ts";
import type { SeededRandom } from "../random/seeded_random.ts";
import { wordsBatch } from "../values/streams_samples.ts";

type Row = Readonly<Record<string, unknown>>;
type Rows = readonly Row[];

/** One step of a pipeline: the operator, and what it does to an array of rows. */
export interface ModelStep {
  readonly what: string;
  readonly operator: Operator;
  readonly of: (rows: Rows) => Rows;
  /** Its guarantee about rows; a pick moves past steps that keep them. */
  readonly rows: "same" | "pick" | "other";
}

const NAMES = ["Åsa", "Nguyễn", "Łódź", "", null, "O'Brien", "東京", "de la Cruz", "Ng", "ß"];

/** The positions of a slice by the algorithm of CPython's `PySlice_AdjustIndices`. */
function pythonSlice(rows: Rows, start: number | null, stop: number | null, step: number): Rows {
  const { length } = rows;
  const [lowest, highest] = step < 0 ? [-1, length - 1] : [0, length];
  const adjust = (bound: number | null, open: number) => {
    if (bound === null) return open;
    const position = bound < 0 ? bound + length : bound;
    return Math.min(Math.max(position, lowest), highest);
  };
  const first = adjust(start, step < 0 ? highest : 0);
  const end = adjust(stop, step < 0 ? -1 : length);
  const picked: Row[] = [];
  for (let at = first; step < 0 ? at > end : at < end; at += step) picked.push(rows[at]!);
  return picked;
}

const hold = { hold: true, maxWaste: 1 };

/** A slice, `head`, `tail`, `at` or `take`, whose single rows exist. */
export function randomPick(random: SeededRandom, numRows: number): ModelStep {
  const bound = () => random.chance(0.3) ? null : random.below(3 * numRows + 4) - numRows - 2;
  const [start, stop, step] = [bound(), bound(), random.pick([1, 1, 2, 3, -1, -1, -2, -5])];
  const count = random.below(numRows + 3);
  const kinds = [
    "slice",
    "slice",
    "head",
    "tail",
    ...(numRows === 0 ? [] : ["at", "take", "take"]),
  ];
  const pick = { rows: "pick" } as const;
  switch (random.pick(kinds)) {
    case "slice":
      return {
        ...pick,
        what: `slice ${start}:${stop}:${step}`,
        operator: slice(start, stop, step, hold),
        of: (rows) => pythonSlice(rows, start, stop, step),
      };
    case "head":
      return {
        ...pick,
        what: `head ${count}`,
        operator: head(count),
        of: (rows) => rows.slice(0, count),
      };
    case "tail":
      return {
        ...pick,
        what: `tail ${count}`,
        operator: tail(count),
        of: (rows) => rows.slice(rows.length - Math.min(count, rows.length)),
      };
    case "at": {
      const index = random.below(2 * numRows) - numRows;
      return {
        ...pick,
        what: `at ${index}`,
        operator: at(index, hold),
        of: (rows) => [rows.at(index)!],
      };
    }
    default: {
      const side = random.pick([0, numRows, undefined]);
      const positions = Array.from(
        { length: random.below(6) },
        () => random.below(numRows) - (side ?? random.pick([0, numRows])),
      );
      const range = { start, stop, step };
      const parts = random.chance(0.5) ? positions : [...positions, range, ...positions];
      return {
        ...pick,
        what: `take ${positions} and ${start}:${stop}:${step}, ${parts.length} parts`,
        operator: take(parts, hold),
        of: (rows) =>
          parts.flatMap((part) =>
            typeof part === "number" ? [rows.at(part)!] : pythonSlice(rows, start, stop, step)
          ),
      };
    }
  }
}

const plain = defineOperator<null>({
  name: "plain",
  rows: "same",
  schema: (input) => input,
  open: () => ({}),
});

/** A step, for the present columns, that picks no rows by position. */
function randomStep(random: SeededRandom, { columns, engine }: Draft): ModelStep | undefined {
  const same = { rows: "same" } as const;
  const hasWord = columns.includes("word");
  const name = random.pick(columns);
  switch (
    random.pick(["with", "rename", "regroup", "plugin", "select", "drop", "filter", "join"])
  ) {
    case "with": {
      if (!hasWord) return undefined;
      const loud = (word: unknown) => word === null ? null : `${word}!`;
      return {
        ...same,
        what: "with word + !",
        operator: withColumns({ word: expr('word + "!"') }),
        of: (rows) => rows.map((row) => ({ ...row, word: loud(row.word) })),
      };
    }
    case "rename": {
      if (name === "id" || columns.includes("city")) return undefined;
      const renamed = ({ [name]: value, ...row }: Row) => ({ ...row, city: value });
      return {
        ...same,
        what: `rename ${name}`,
        operator: rename({ [name]: "city" }),
        of: (rows) => rows.map(renamed),
      };
    }
    case "regroup": {
      const size = 1 + random.below(7);
      return {
        ...same,
        what: `regroup ${size} in some way`,
        operator: regroup(
          random.pick([{ rows: size }, { by: "id", rows: size }, { bytes: 20 * size }, {
            one: true,
          }]),
        ),
        of: (rows) => rows,
      };
    }
    case "plugin":
      return { ...same, what: "plugin", operator: plain(null), of: (rows) => rows };
    case "select":
      return {
        ...same,
        what: "select id",
        operator: select("id"),
        of: (rows) => rows.map(({ id }) => ({ id })),
      };
    case "drop": {
      if (name === "id") return undefined;
      const without = ({ [name]: _, ...row }: Row) => row;
      return {
        ...same,
        what: `drop ${name}`,
        operator: drop(name),
        of: (rows) => rows.map(without),
      };
    }
    case "filter": {
      const limit = random.below(30);
      return {
        rows: "other",
        what: `filter id != ${limit}, id < ${limit + 9}`,
        operator: filter(expr(`id != ${limit} && id < ${limit + 9}`)),
        of: (rows) => rows.filter(({ id }) => id !== limit && Number(id) < limit + 9),
      };
    }
    default: {
      const ids = Array.from({ length: 8 }, () => random.below(30));
      const build = fromBatches(ids.map((id) => wordsBatch([null], id)), { engine });
      return {
        rows: "other",
        what: `join ${ids}`,
        operator: join(build.pipeThrough(select("id")), { on: "id" }),
        of: (rows) => rows.flatMap((row) => ids.filter((id) => id === row.id).map(() => row)),
      };
    }
  }
}

interface Draft {
  readonly columns: readonly string[];
  readonly engine: Engine;
}

/** Steps, and the rows before and after each. */
export function randomSteps(
  random: SeededRandom,
  engine: Engine,
  source: Rows,
): { readonly steps: readonly ModelStep[]; readonly rows: Rows } {
  const steps: ModelStep[] = [];
  let rows = source;
  let columns = ["id", "word"];
  for (let count = 2 + random.below(5); count > 0; count--) {
    const step = random.chance(0.5)
      ? randomPick(random, rows.length)
      : randomStep(random, { columns, engine });
    if (step === undefined) continue;
    steps.push(step);
    rows = step.of(rows);
    columns = Object.keys(step.of([{ ...emptyRow(columns) }])[0] ?? emptyRow(columns));
  }
  return { steps, rows };
}

function emptyRow(columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, null]));
}

export function randomBatches(random: SeededRandom): RecordBatch[] {
  let first = 0;
  return Array.from({ length: 1 + random.below(5) }, () => {
    const words = Array.from({ length: random.pick([0, 1, 3, 9]) }, () => random.pick(NAMES));
    first += words.length;
    return wordsBatch(words, first - words.length);
  });
}
