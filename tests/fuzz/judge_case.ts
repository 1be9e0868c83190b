// deno-lint-ignore-file no-explicit-any -- the types of DuckDB are not loaded here
/** Runs a case everywhere it asks for, and says what is wrong. */

import { WebGpuBackend } from "../../gpu/webgpu/backend.ts";
import { TooLarge } from "../support/expr_model_types.ts";
import type { FuzzCase } from "./fuzz_case.ts";
import { CaseRun, modelOutcome, type Outcome, type RowsOutcome } from "./run_case.ts";
import type { ModelTable } from "./model_table.ts";
import { isPick } from "./pick_model.ts";
import { modelCase, type ModelError } from "./step_model.ts";
import { type Engines, VARIANTS } from "./variants.ts";
import { loadPeer } from "../support/peers.ts";
import { NoSql, quoted } from "./duck_exprs.ts";
import { sqlOf } from "./duck_sql.ts";
import { endOf } from "../support/until.ts";

/** What is wrong with a case: a line, and of what kind it is. */
export interface Failure {
  /** The same for cases that fail in the same way. */
  readonly kind: string;
  readonly message: string;
}

/** A case cannot be judged: it asks for too much, or for what has no one right answer. */
export const UNSUITED = Symbol("unsuited");

/** What a case needs to be judged. */
export interface Court {
  readonly engines: Engines;
  /** A folder for its files. */
  readonly folder: string;
  /** Told what kinds of outcomes there were. */
  readonly note?: (outcome: string) => void;
}

/** What is wrong with a case; undefined where nothing is. */
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
    const isRefused = "error" in outcome && mayRefuse(variant, outcome);
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

/** What DuckDB has that the model has not. */
function duckDifference(
  outcome: Pick<RowsOutcome, "numRows" | "columns">,
  model: ModelTable,
): Failure | undefined {
  const { schema, numRows, columns: inOrder } = modelOutcome(model);
  const columns = model.isUnordered ? sortedRows(inOrder) : inOrder;
  const theirs = model.isUnordered ? sortedRows(outcome.columns) : outcome.columns;
  if (outcome.numRows !== numRows) {
    return wrong("rows (DuckDB)", `DuckDB: ${outcome.numRows} rows, not ${numRows}`);
  }
  const index = columns.findIndex((text, index) => text !== theirs[index]);
  if (index < 0) return undefined;
  const told = valueDifference(schema[index]!, theirs[index]!, columns[index]!);
  return wrong("values (DuckDB)", `DuckDB: ${told}`);
}

/** What an outcome has that the model has not. */
function difference(outcome: Outcome, model: ModelTable | ModelError): Failure | undefined {
  if ("error" in model) {
    const wanted = model.row === undefined ? model.error : `${model.error} in row ${model.row}`;
    if (!("error" in outcome)) return wrong("no error", `no error, where the model has ${wanted}`);
    const { error } = outcome;
    const isSame = outcome.name === model.error &&
      (model.told ?? []).every((part) => error.includes(part));
    return isSame ? undefined : wrong(
      `error ${outcome.name}`,
      `${outcome.name}: ${outcome.error}, where the model has ${wanted}`,
    );
  }
  if ("error" in outcome) {
    return wrong(
      `error ${outcome.name}`,
      `${outcome.name}: ${outcome.error}, where the model has none`,
    );
  }
  const expected = modelOutcome(model);
  if (model.isUnordered) outcome = { ...outcome, columns: sortedRows(outcome.columns) };
  if (outcome.schema.length === 0 && expected.numRows === 0) return undefined;
  if (outcome.schema.join() !== expected.schema.join()) {
    return wrong(
      "schema",
      `the schema is ${outcome.schema.join(", ")}, not ${expected.schema.join(", ")}`,
    );
  }
  if (outcome.numRows !== expected.numRows) {
    return wrong("rows", `${outcome.numRows} rows, not ${expected.numRows}`);
  }
  const wanted = model.isUnordered ? sortedRows(expected.columns) : expected.columns;
  for (const [index, text] of outcome.columns.entries()) {
    if (text === wanted[index]) continue;
    return wrong("values", valueDifference(expected.schema[index]!, text, wanted[index]!));
  }
  if (model.sizes !== undefined && outcome.sizes.join() !== model.sizes.join()) {
    return wrong("batches", `batches of ${outcome.sizes} rows, not of ${model.sizes}`);
  }
}

/** The columns of the same rows in an order that depends on their values alone. */
function sortedRows(columns: readonly string[]): string[] {
  const values = columns.map((text) => JSON.parse(text) as unknown[]);
  const rows = (values[0] ?? []).map((_, row) => JSON.stringify(values.map((part) => part[row])));
  const sorted = rows.sort().map((text) => JSON.parse(text) as unknown[]);
  return columns.map((_, index) => JSON.stringify(sorted.map((row) => row[index])));
}

function valueDifference(column: string, ours: string, theirs: string): string {
  const [a, b] = [JSON.parse(ours), JSON.parse(theirs)] as [unknown[], unknown[]];
  const row = a.findIndex((value, index) => JSON.stringify(value) !== JSON.stringify(b[index]));
  return `${column}, row ${row}: ${JSON.stringify(a[row])}, not ${JSON.stringify(b[row])}`;
}

function wrong(kind: string, message: string): Failure {
  return { kind, message };
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

let connection: Promise<any> | undefined;

async function connect(): Promise<any> {
  const { DuckDBInstance } = await loadPeer("duckdb");
  const instance = await DuckDBInstance.create(":memory:");
  return await instance.connect();
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
  const reader = await (await (connection ??= connect()))
    .runAndReadAll(`SELECT ${list} FROM (${query.sql}) ORDER BY _row`);
  const rows = reader.getRowsJS() as unknown[][];
  return {
    numRows: rows.length,
    columns: names.map((_, index) =>
      JSON.stringify(rows.map((row) => encoded(row[index + 1], isText[index]!)))
    ),
  };
}

function encoded(value: unknown, isText: boolean): unknown {
  if (isText && value !== null) {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.fromHex(String(value)));
  }
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "number") return value;
  return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value);
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
