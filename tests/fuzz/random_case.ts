/** Random cases: a table, a pipeline of every operator over it, and where it runs. */

import { col, printExpr } from "../../ops/expr/expr.ts";
import { ModelRowError, ModelTypeError, TooLarge } from "../support/models/expr_model_types.ts";
import { randomText } from "../support/random/random_text.ts";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import { asOfRows, sortedTable } from "./as_of_draws.ts";
import { ModelOrderError } from "./as_of_join_model.ts";
import { failingStep } from "./failing_step.ts";
import { hasSql } from "./duck_sql.ts";
import type { CaseStep, FuzzCase } from "./fuzz_case.ts";
import { ExprMaker, type Kind, kindOf } from "./random_expr.ts";
import { ModelKeyError, ModelNameError } from "./join_model.ts";
import { throughFile, writeRows } from "./random_file.ts";
import { joinRows } from "./random_join.ts";
import {
  arrayRows,
  rechunkArray,
  takeBox,
  throughZarr,
  writeArray,
  type ZarrPeers,
} from "./random_array.ts";
import { ModelMissingRow } from "./pick_model.ts";
import { ModelSizesError } from "./regroup_model.ts";
import { regroupRows } from "./regroup_draws.ts";
import { sliceRows, sliceSlices, withLessHold } from "./random_slice.ts";
import { randomTable } from "./random_table.ts";
import { type ModelTable, modelTable } from "./model_table.ts";
import { modelStep } from "./step_model.ts";
import { needsAdapter, VARIANT_NAMES, type VariantName } from "./variants.ts";
import { whereRows } from "./where_draws.ts";
import type { ZarrPeer } from "./zarr_layout.ts";
import { ModelArrayError } from "./zarr_model.ts";

/** Options for drawing cases. */
interface CaseOptions {
  /** The share of cases that run on the device too; 0 where there is no adapter. */
  readonly deviceShare: number;
  /** The number of an operation that the case is to call: so each of them has its turn. */
  readonly operation?: number;
  /** Whether a join comes first or second, and then what rewrites have to do with joins. */
  readonly aroundJoin?: boolean;
  /** Whether a file comes first, and then what takes rows of it and what that moves past. */
  readonly ofFile?: boolean;
  /** Whether an array of Zarr comes first, and then what takes chunks of it, moves and writes them. */
  readonly ofArray?: boolean;
  /** Who writes and reads arrays beside us; default: zarrita, which every machine has. */
  readonly peers?: readonly ZarrPeer[];
}

type MakeStep = (
  random: SeededRandom,
  table: ModelTable,
  size: CaseSize,
) => readonly CaseStep[] | undefined;

/** How large a case may be. */
interface CaseSize extends ZarrPeers {
  readonly steps: number;
  /** Depths of expressions, each as likely as it comes often. */
  readonly depths: readonly number[];
  /** Numbers of batches, likewise. */
  readonly batches: readonly number[];
}

/** On the host to compile costs more than to compute: many small batches, each in other bytes. */
const HOST_SIZE: Omit<CaseSize, "peers"> = {
  steps: 5,
  depths: [0, 1, 1, 1, 2, 2, 3],
  batches: [1, 1, 1, 2, 3, 5, 9, 25],
};
/** A device takes a second for some kernels, and waits for each batch. */
const DEVICE_SIZE: Omit<CaseSize, "peers"> = {
  steps: 3,
  depths: [0, 1, 1, 1, 2],
  batches: [1, 2, 3],
};

const MAKERS: readonly (readonly [weight: number, make: MakeStep])[] = [
  [10, addColumns],
  [5, keepRows],
  [5, sliceRows],
  [2, sliceSlices],
  [2, selectColumns],
  [1, dropColumns],
  [1, renameColumns],
  [2, regroupRows],
  [4, joinRows],
  [4, asOfRows],
  [3, whereRows],
  [1, joinTexts],
  [1, keepText],
  [5, throughFile],
  [3, writeRows],
  [2, arrayRows],
  [1, (random) => [{ do: random.pick(["transform", "tee"] as const) }]],
];

/** Steps that move past joins, or tell them which columns or rows are wanted. */
const AROUND_JOINS: readonly (readonly [weight: number, make: MakeStep])[] = [
  [2, selectColumns],
  [4, selectLast],
  [2, dropColumns],
  [3, sliceRows],
  [1, sliceSlices],
  [2, keepRows],
  [1, addColumns],
  [1, renameColumns],
  [1, regroupRows],
  [2, joinRows],
  [1, asOfRows],
  [1, whereRows],
];

/** Steps that pick rows of a file, or let such steps move past them. */
const OF_FILES: readonly (readonly [weight: number, make: MakeStep])[] = [
  [6, sliceRows],
  [2, sliceSlices],
  [2, selectColumns],
  [1, dropColumns],
  [1, renameColumns],
  [2, addColumns],
  [2, regroupRows],
  [1, keepRows],
  [1, throughFile],
  [2, writeRows],
];

/** Steps that pick, rechunk or write the chunks of an array. */
const OF_ARRAYS: readonly (readonly [weight: number, make: MakeStep])[] = [
  [3, arrayRows],
  [4, takeBox],
  [1, sliceRows],
  [1, renameColumns],
  [1, regroupRows],
  [1, addColumns],
  [3, rechunkArray],
  [3, writeArray],
  [2, throughZarr],
  [1, throughFile],
];

/** A random case. */
export function randomCase(
  random: SeededRandom,
  {
    deviceShare,
    operation,
    aroundJoin = false,
    ofFile = false,
    ofArray = false,
    peers = ["zarrita"],
  }: CaseOptions,
): FuzzCase {
  const isOnDevice = random.chance(deviceShare);
  const size = { ...(isOnDevice ? DEVICE_SIZE : HOST_SIZE), peers };
  const plain = randomTable(random, random.pick(size.batches));
  const table = random.chance(0.5) ? sortedTable(random, plain) : plain;
  const steps: CaseStep[] = [];
  let model = modelTable(table);
  const add = (step: CaseStep) => {
    const next = tried(model, step);
    if (next !== undefined) steps.push(step);
    model = next ?? model;
  };
  if (operation !== undefined) {
    // Rows that are cut out of others have these around them.
    if (random.chance(0.6)) {
      for (
        const step of random.chance(0.3) ? regroupRows(random, model) : sliceRows(random, model)
      ) {
        add(step);
      }
    }
    const maker = new ExprMaker(random, model.columns);
    const called = random.chance(0.3) ? maker.mappedText() : maker.callText(operation);
    if (called !== undefined) add({ do: "with", columns: [["called", called]] });
  }
  const addSome = (made: readonly CaseStep[] | undefined) => {
    for (const step of made ?? []) {
      const next = tried(model, step);
      if (next === undefined) return;
      steps.push(step);
      model = next;
    }
  };
  const makers = aroundJoin ? AROUND_JOINS : ofFile ? OF_FILES : ofArray ? OF_ARRAYS : MAKERS;
  if (ofArray) addSome(throughZarr(random, model, size));
  if (ofFile) addSome(throughFile(random, model, size));
  if (aroundJoin) {
    if (random.chance(0.3)) addSome(randomStep(random, model, size, makers));
    const join = random.pick([joinRows, joinRows, joinRows, asOfRows, whereRows]);
    addSome(join(random, model));
  }
  for (let left = 1 + random.below(size.steps); left > 0; left--) {
    addSome(randomStep(random, model, size, makers));
  }
  if (random.chance(0.08)) steps.push(...failingStep(random, model));
  const given = {
    table,
    steps: withLessHold(random, steps),
    variants: randomVariants(random, isOnDevice),
  };
  return hasSql(given) ? { ...given, variants: [...given.variants, "DuckDB"] } : given;
}

function randomStep(
  random: SeededRandom,
  model: ModelTable,
  size: CaseSize,
  makers: typeof MAKERS,
): readonly CaseStep[] | undefined {
  const total = makers.reduce((sum, [weight]) => sum + weight, 0);
  let at = random.below(total);
  for (const [weight, make] of makers) {
    if (at < weight) return make(random, model, size);
    at -= weight;
  }
}

/** Returns the model's table after a step; undefined if the step does not fit or takes too much. */
function tried(model: ModelTable, step: CaseStep): ModelTable | undefined {
  try {
    return modelStep(model, step);
  } catch (error) {
    const isUnfit = error instanceof TooLarge || error instanceof ModelTypeError ||
      error instanceof ModelRowError || error instanceof ModelKeyError ||
      error instanceof ModelOrderError || error instanceof ModelMissingRow ||
      error instanceof ModelSizesError || error instanceof ModelNameError ||
      error instanceof ModelArrayError;
    if (isUnfit) return undefined;
    throw error;
  }
}

function randomVariants(random: SeededRandom, isOnDevice: boolean): VariantName[] {
  const others: readonly VariantName[] = ["host", "DuckDB"];
  const onHost = VARIANT_NAMES.filter((name) => !needsAdapter(name) && !others.includes(name));
  const onDevice = VARIANT_NAMES.filter(needsAdapter);
  const variants: VariantName[] = ["host", random.pick(onHost)];
  if (isOnDevice) variants.push(random.pick(onDevice));
  return variants;
}

const kinds: readonly Kind[] = [
  ...["text", "text", "text", "bool", "int", "float", "date", "time", "list", "hashes"] as const,
];

function addColumns(
  random: SeededRandom,
  { columns }: ModelTable,
  { depths }: CaseSize,
): CaseStep[] | undefined {
  const maker = new ExprMaker(random, columns);
  const added: (readonly [string, string])[] = [];
  for (let left = 1 + random.below(2); left > 0; left--) {
    const isOld = random.chance(0.3) && columns.length > 0;
    const name = isOld ? random.pick(columns).name : `new${random.below(5)}`;
    const text = random.chance(0.04)
      ? partsText(random, columns)
      : maker.text(random.pick(kinds), random.pick(depths));
    if (text !== undefined && !added.some(([other]) => other === name)) added.push([name, text]);
  }
  return added.length === 0 ? undefined : [{ do: "with", columns: added }];
}

/** A call that gives several columns. */
function partsText(random: SeededRandom, columns: ModelTable["columns"]): string | undefined {
  const subject = new ExprMaker(random, columns).text("text", 1);
  const name = random.pick(["partition", "rpartition"]);
  return subject && `(${subject}).${name}(${JSON.stringify(randomText(random, 1) || " ")})`;
}

function keepRows(
  random: SeededRandom,
  { columns }: ModelTable,
  { depths }: CaseSize,
): CaseStep[] | undefined {
  // A column as it is has bits of its own below its nulls; those of a kernel's result are the kernel's.
  const flags = columns.filter(({ type }) => kindOf(type) === "bool").map(({ name }) => name);
  const expr = flags.length > 0 && random.chance(0.4)
    ? printExpr(col(random.pick(flags)))
    : new ExprMaker(random, columns).text("bool", random.pick(depths));
  return expr === undefined ? undefined : [{ do: "filter", expr }];
}

function pickNames(random: SeededRandom, { columns }: ModelTable): string[] {
  const names = columns.map(({ name }) => name).filter(() => random.chance(0.6));
  if (names.length === 0 && columns.length > 0) names.push(random.pick(columns).name);
  return random.chance(0.3) ? names.reverse() : names;
}

function selectColumns(random: SeededRandom, table: ModelTable): CaseStep[] | undefined {
  const names = pickNames(random, table);
  return names.length === 0 ? undefined : [{ do: "select", names }];
}

/** The last columns: of a join, those of its build side, whose names may need others to be told apart. */
function selectLast(random: SeededRandom, { columns }: ModelTable): CaseStep[] | undefined {
  const names = columns.slice(-1 - random.below(2)).map(({ name }) => name);
  return names.length === 0 ? undefined : [{ do: "select", names }];
}

function dropColumns(random: SeededRandom, table: ModelTable): CaseStep[] | undefined {
  const names = pickNames(random, table).slice(0, 2);
  return names.length === 0 || names.length >= table.columns.length
    ? undefined
    : [{ do: "drop", names }];
}

function renameColumns(random: SeededRandom, { columns }: ModelTable): CaseStep[] | undefined {
  const all = columns.map(({ name }) => name);
  const [a, b] = [random.pick(all), random.pick(all)];
  if (a === undefined || b === undefined) return undefined;
  // Two names trade places, or one becomes new.
  if (a !== b && random.chance(0.5)) return [{ do: "rename", names: { [a]: b, [b]: a } }];
  return all.includes("other") ? undefined : [{ do: "rename", names: { [a]: "other" } }];
}

function joinTexts(random: SeededRandom, { columns }: ModelTable): CaseStep[] | undefined {
  const texts = columns.filter(({ type }) => kindOf(type) === "text");
  if (texts.length === 0) return undefined;
  const rows = random.pick([1, 3, 9, 40]);
  const separator = random.pick(["", ", ", "ß"]);
  const column = random.pick(texts).name;
  return [{ do: "joinStrings", column, separator, rows }];
}

function keepText(random: SeededRandom, { columns }: ModelTable): CaseStep[] | undefined {
  const texts = columns.filter(({ type }) => kindOf(type) === "text").map(({ name }) => name);
  return texts.length === 0 ? undefined : [{ do: "withText", column: random.pick(texts) }];
}
