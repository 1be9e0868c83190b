/** Runs a case everywhere it asks for, and says what is wrong. */

import { WebGpuBackend } from "../../gpu/webgpu/backend.ts";
import { TooLarge } from "../support/models/expr_model_types.ts";
import type { CaseStep, FuzzCase } from "./fuzz_case.ts";
import { difference, duckDifference, type Failure } from "./difference.ts";
import { duckRows } from "./duck_connection.ts";
import { duckValue } from "./duck_files.ts";
import type { Outcome, RowsOutcome } from "./outcome.ts";
import { CaseRun } from "./run_case.ts";
import type { ModelTable } from "./model_table.ts";
import { isPick } from "./pick_model.ts";
import { modelCase, type ModelError } from "./step_model.ts";
import { type Engines, VARIANTS } from "./variants.ts";
import { NoSql, quoted } from "./duck_exprs.ts";
import { sqlOf } from "./duck_sql.ts";
import { LARGE_MEMORY } from "./zarr_model.ts";
import { endOf } from "../support/running/until.ts";

/** A case that cannot be judged: it takes too much, or more than one answer is right. */
export const UNSUITED = Symbol("unsuited");

/** The engines that run a case, and the folder of its files. */
export interface Court {
  readonly engines: Engines;
  /** A folder for its files. */
  readonly folder: string;
  /** Called with the kind of each outcome. */
  readonly note?: (outcome: string) => void;
}

/** Runs a case in all its variants; returns its first failure, or undefined. */
export async function judgeCase(
  given: FuzzCase,
  { engines, folder, note }: Court,
): Promise<Failure | undefined | typeof UNSUITED> {
  let model: ModelTable | ModelError;
  try {
    model = modelCase(given);
  } catch (error) {
    if (error instanceof TooLarge) return UNSUITED;
    throw error;
  }
  if ("error" in model) note?.(model.error);
  const run = new CaseRun(given, folder);
  let message: string | undefined;
  for (const name of given.variants) {
    if (name === "DuckDB") {
      if ("error" in model) continue;
      const theirs = await askDuckDb(given);
      if (theirs === undefined) continue;
      note?.("judged by DuckDB");
      for (const step of given.steps) {
        if (step.do === "joinAsOf") note?.("as-of judged by DuckDB");
        if (step.do === "joinWhere") note?.("condition judged by DuckDB");
      }
      const problem = duckDifference(theirs, model);
      if (problem !== undefined) return problem;
      continue;
    }
    const engine = await engines.get(name);
    const unhandled = watchRejections();
    const outcome = await endOf(run.on(engine), hangs);
    const rejected = unhandled.end();
    const variant = VARIANTS[name];
    const isTooLittle = "error" in outcome && refusesMemory(given, outcome);
    const isRefused = isTooLittle || ("error" in outcome && mayRefuse(variant, outcome));
    if (given.steps.some(hasLittleMemory)) {
      note?.(isTooLittle ? "too little memory to rechunk" : "rechunked in little memory");
    }
    const problem = isRefused ? undefined : difference(outcome, model);
    if (problem !== undefined) {
      return { kind: `${problem.kind} (${name})`, message: `${name}: ${problem.message}` };
    }
    if (rejected !== undefined) {
      return {
        kind: `unhandled rejection (${name})`,
        message: `${name}: nobody handled ${rejected}`,
      };
    }
    const backend = await engine.backend();
    const inUse = backend instanceof WebGpuBackend ? await buffersLeft(backend) : 0;
    if (inUse > 0) {
      return { kind: `leak (${name})`, message: `${name}: ${inUse} buffers are still in use` };
    }
    if ("error" in outcome && !isRefused) {
      const own = plainMessage(outcome.error, given);
      message ??= own;
      if (message !== own) {
        return {
          kind: `message (${name})`,
          message: `${name}: the error is ${outcome.error}, on ${given.variants[0]} ${message}`,
        };
      }
    }
  }
}

/**
 * A message without what depends on the plan. Steps that are merged have the number of the first of
 * them; a row is one of the source where the source gives the rows of a slice, else of the slice. Which
 * pair of a join is the first to fail depends on how the build side is divided.
 */
function plainMessage(message: string, { steps }: FuzzCase): string {
  const plain = message.replace(/^step \d+/, "step");
  const [step] = /^step, join: /.exec(plain) ?? [];
  if (step !== undefined && steps.some(({ do: does }) => does === "joinWhere")) return step;
  return steps.some(isPick) ? plain.replace(/ \(row \d+\)$/, "") : plain;
}

/** Whether a variant has less room than the case needs, and says so. */
function mayRefuse(variant: object, { error, name }: Extract<Outcome, { error: string }>): boolean {
  if ("largeStrings" in variant && name === "OverflowError") return true;
  // Slices backwards hold rows, and what they hold is bounded.
  return "memory" in variant && name === "RangeError" &&
    error.includes("of memory that the engine may use");
}

/** Whether a step that makes other chunks may say that its memory does not suffice. */
function hasLittleMemory(step: CaseStep): boolean {
  return step.do === "rechunk" && step.maxMem < LARGE_MEMORY;
}

/** Whether an error says that memory does not suffice, or that no plan with few enough stages exists. */
function refusesMemory(
  { steps }: FuzzCase,
  { error }: Extract<Outcome, { error: string }>,
): boolean {
  const isPlanned = steps.some((step) => step.do === "rechunk" && step.stages !== undefined);
  return (steps.some(hasLittleMemory) && /maxMem of .* is too little|No plan /.test(error)) ||
    (isPlanned && error.includes("No plan "));
}

/** The outcome of a run that does not end. */
function hangs(): Outcome {
  return { error: "it does not end", name: "Hang" };
}

/** Notes promises that nobody handles. */
function watchRejections(): { end(): string | undefined } {
  let found: string | undefined;
  const note = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    found ??= String(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", note);
  return {
    end() {
      globalThis.removeEventListener("unhandledrejection", note);
      return found;
    },
  };
}

/** The columns of the result as DuckDB has them, as text as in `Outcome`; undefined where it has no SQL. */
export async function askDuckDb(
  given: FuzzCase,
): Promise<Pick<RowsOutcome, "numRows" | "columns"> | undefined> {
  let query: ReturnType<typeof sqlOf>;
  try {
    query = sqlOf(given);
  } catch (error) {
    if (error instanceof NoSql) return undefined;
    throw error;
  }
  const names = [...query.columns.keys()];
  // Its client drops a byte order mark of a text.
  const isText = names.map((name) => query.columns.get(name) === "VARCHAR");
  const values = names.map((name, index) =>
    isText[index] ? `hex(encode(${quoted(name)}))` : quoted(name)
  );
  const list = ["1 AS _one", ...values].join(", ");
  const rows = await duckRows(`SELECT ${list} FROM (${query.sql}) ORDER BY _row`);
  return {
    numRows: rows.length,
    columns: names.map((_, index) =>
      JSON.stringify(rows.map((row) => duckValue(row[index + 1], isText[index]!)))
    ),
  };
}

/** How long buffers may be in use: a stream in front of a foreign one ends a little later. */
const mostWaits = 100;
const waitMs = 10;

/** The buffers that stay in use once what was cancelled has had time to end. */
async function buffersLeft({ context: { pool } }: WebGpuBackend): Promise<number> {
  for (let left = mostWaits; left > 0 && pool.inUseBuffers > 0; left--) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return pool.inUseBuffers;
}
