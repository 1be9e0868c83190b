/**
 * Random pipelines, each with a model that does the same to plain arrays.
 *
 * @module
 */

import {
  drop,
  type Engine,
  expr,
  filter,
  fromBatches,
  head,
  join,
  joinStrings,
  type Operator,
  regroup,
  rename,
  select,
  slice,
  tail,
  withColumns,
} from "../../mod.ts";
import type { SeededRandom } from "./seeded_random.ts";
import { withText } from "./operators.ts";
import { type Formula, namesOf, randomFormula } from "./pipeline_formulas.ts";
import { type Columns, randomTable, type Row } from "./pipeline_tables.ts";

/** One operator, and what it does to plain rows. */
export interface Step {
  /** For the message of a failure. */
  readonly label: string;
  /** Whether a stream that knows no plans lies before it. */
  readonly isAfterForeign?: boolean;
  /** A new operator; one can be used only once. */
  operator(engine: Engine): Operator;
  readonly columns: Columns;
  model(rows: readonly Row[]): readonly Row[];
}

type MakeStep = (random: SeededRandom, columns: Columns) => Step | Step[] | undefined;

const makers: readonly MakeStep[] = [
  addColumns,
  addColumns,
  addColumns,
  keepRows,
  keepRows,
  sliceRows,
  sliceRows,
  selectColumns,
  dropColumns,
  renameColumns,
  regroupRows,
  joinRows,
  joinTexts,
  keepText,
];

/** Up to six operators that fit a table and each other. */
export function randomSteps(random: SeededRandom, columns: Columns): Step[] {
  const steps: Step[] = [];
  for (let left = 1 + random.below(6); left > 0; left--) {
    const step = random.pick(makers)(random, steps.at(-1)?.columns ?? columns);
    for (const made of [step ?? []].flat()) {
      steps.push({ ...made, isAfterForeign: random.chance(0.15) });
    }
  }
  return steps;
}

function addColumns(random: SeededRandom, columns: Columns): Step | undefined {
  const added = new Map<string, Formula>();
  for (let left = 1 + random.below(2); left > 0; left--) {
    const made = randomFormula(random, columns);
    const name = random.chance(0.4) ? random.pick([...columns.keys()]) : `new${random.below(5)}`;
    added.set(name, made);
  }
  const texts = [...added].map(([name, { text }]) => `${name} = ${text}`);
  return {
    label: `with ${texts.join(", ")}`,
    operator: (engine) =>
      withColumns(
        Object.fromEntries([...added].map(([name, { text }]) => [name, expr(text)])),
        { engine },
      ),
    columns: new Map([...columns, ...[...added].map(([name, { kind }]) => [name, kind] as const)]),
    model: (rows) =>
      rows.map((row) => ({
        ...row,
        ...Object.fromEntries([...added].map(([name, { value }]) => [name, value(row)])),
      })),
  };
}

function keepRows(random: SeededRandom, columns: Columns): Step | undefined {
  const made = randomFormula(random, columns);
  if (made.kind !== "bool") return undefined;
  return {
    label: `filter ${made.text}`,
    operator: (engine) => filter(expr(made.text), { engine }),
    columns,
    model: (rows) => rows.filter((row) => made.value(row) === true),
  };
}

function sliceRows(random: SeededRandom, columns: Columns): Step {
  const bound = () => random.chance(0.25) ? undefined : random.below(60) - 25;
  const [start, stop] = [bound(), bound()];
  const step = random.pick([1, 1, 1, 2, 3, 7]);
  const count = random.below(30);
  const python = (rows: readonly Row[], from?: number, to?: number, every = 1) =>
    rows.slice(from, to).filter((_, index) => index % every === 0);
  switch (random.below(4)) {
    case 0:
      return {
        label: `head ${count}`,
        operator: (engine) => head(count, { engine }),
        columns,
        model: (rows) => rows.slice(0, count),
      };
    case 1:
      return {
        label: `tail ${count}`,
        operator: (engine) => tail(count, { engine }),
        columns,
        model: (rows) => rows.slice(Math.max(0, rows.length - count)),
      };
    default:
      return {
        label: `slice ${start ?? ""}:${stop ?? ""}:${step}`,
        operator: (engine) => slice(start, stop, step, { engine }),
        columns,
        model: (rows) => python(rows, start, stop, step),
      };
  }
}

function pickSome(random: SeededRandom, columns: Columns): string[] {
  const names = [...columns.keys()].filter(() => random.chance(0.6));
  return names.length === 0 ? [random.pick([...columns.keys()])] : names;
}

function keepOnly(columns: Columns, names: readonly string[]): Omit<Step, "label" | "operator"> {
  return {
    columns: new Map(names.map((name) => [name, columns.get(name)!])),
    model: (rows) => rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))),
  };
}

function selectColumns(random: SeededRandom, columns: Columns): Step {
  const names = pickSome(random, columns);
  if (random.chance(0.5)) names.reverse();
  return {
    label: `select ${names.join(", ")}`,
    operator: () => select(...names),
    ...keepOnly(columns, names),
  };
}

function dropColumns(random: SeededRandom, columns: Columns): Step | undefined {
  if (columns.size < 2) return undefined;
  const dropped = pickSome(random, columns).slice(0, 1);
  const names = [...columns.keys()].filter((name) => !dropped.includes(name));
  return {
    label: `drop ${dropped.join(", ")}`,
    operator: () => drop(...dropped),
    ...keepOnly(columns, names),
  };
}

function renameColumns(random: SeededRandom, columns: Columns): Step {
  const [a, b] = [random.pick([...columns.keys()]), random.pick([...columns.keys()])];
  // Two names trade places, or one becomes new.
  const names: Record<string, string> = a === b || random.chance(0.5)
    ? { [a]: columns.has("other") ? a : "other" }
    : { [a]: b, [b]: a };
  const renamed = (name: string) => names[name] ?? name;
  return {
    label: `rename ${JSON.stringify(names)}`,
    operator: () => rename(names),
    columns: new Map([...columns].map(([name, kind]) => [renamed(name), kind])),
    model: (rows) =>
      rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [renamed(name), value]))
      ),
  };
}

function regroupRows(random: SeededRandom, columns: Columns): Step {
  const size = random.pick([{ rows: 1 }, { rows: 7 }, { rows: 8, bytes: 300 }, { bytes: 900 }]);
  return {
    label: `regroup ${JSON.stringify(size)}`,
    operator: (engine) => regroup({ ...size, engine }),
    columns,
    model: (rows) => rows,
  };
}

function joinRows(random: SeededRandom, columns: Columns): Step | undefined {
  const prefix = random.pick(["", "r_"]);
  const build = randomTable(random, prefix);
  const kind = random.pick(["int", "text"] as const);
  const left = random.pick(namesOf(columns, kind));
  const right = random.pick(namesOf(build.columns, kind));
  const how = random.pick(["inner", "left"] as const);
  const suffix = "_2";
  if (left === undefined) return undefined;
  const payload = [...build.columns].filter(([name]) => name !== right).map(([name, kind]) => ({
    name,
    kind,
    as: columns.has(name) ? name + suffix : name,
  }));
  if (payload.some(({ name, as }) => as !== name && columns.has(as))) return undefined;
  const merge = (row: Row, match?: Row): Row => ({
    ...row,
    ...Object.fromEntries(
      payload.map(({ name, as }) => [as, match === undefined ? null : match[name]]),
    ),
  });
  return {
    label: `${how} join on ${left} = ${right}`,
    operator: (engine) =>
      join(fromBatches(build.batches, { schema: build.schema, engine }), {
        on: { [left]: right },
        how,
        suffix,
        engine,
      }),
    columns: new Map([...columns, ...payload.map(({ as, kind }) => [as, kind] as const)]),
    model: (rows) =>
      rows.flatMap((row) => {
        const matches = build.rows.filter((other) =>
          row[left] !== null && row[left] === other[right]
        );
        if (matches.length === 0) return how === "left" ? [merge(row)] : [];
        return matches.map((match) => merge(row, match));
      }),
  };
}

/** One text for each group of rows; `regroup` in front says which they are. */
function joinTexts(random: SeededRandom, columns: Columns): Step[] | undefined {
  const name = random.pick(namesOf(columns, "text"));
  if (name === undefined || random.chance(0.5)) return undefined;
  const rows = 1 + random.below(9);
  const separator = random.pick(["", ", ", "ß"]);
  const regrouped: Step = {
    label: `regroup ${rows}`,
    operator: (engine) => regroup({ rows, engine }),
    columns,
    model: (rows) => rows,
  };
  const joined: Step = {
    label: `joinStrings ${name} ${JSON.stringify(separator)}`,
    operator: (engine) => joinStrings(name, { separator, engine }),
    columns: new Map([[name, "text"]]),
    model: (all) =>
      Array.from({ length: Math.ceil(all.length / rows) }, (_, group) => {
        const texts = all.slice(group * rows, (group + 1) * rows).map((row) => row[name])
          .filter((text) => text !== null);
        return { [name]: texts.length === 0 ? null : texts.join(separator) };
      }),
  };
  return [regrouped, joined];
}

/** An operator of somebody else, which reads offsets and gathers rows. */
function keepText(random: SeededRandom, columns: Columns): Step | undefined {
  const name = random.pick(namesOf(columns, "text"));
  if (name === undefined) return undefined;
  return {
    label: `withText ${name}`,
    operator: (engine) => withText({ name }, { engine }),
    columns,
    model: (rows) => rows.filter((row) => row[name] !== null && row[name] !== ""),
  };
}
