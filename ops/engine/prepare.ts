/**
 * Prepares the plan of a stream, in four steps:
 *
 *     plan as written --check--> every mistake of a user is thrown, with its step
 *       --rewrite--> fewer steps, columns and rows (rules.ts)
 *       --check--> the steps that changed, and those after them, against their new input
 *       --compile--> stages with kernels, only where the plan runs or is explained
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import { DataType, type Schema } from "apache-arrow";
import { checkDistinct, checkNewNames } from "../../streams/types/distinct_names.ts";
import type { Plan } from "../../streams/plan/plan.ts";
import { plainSchema } from "../../streams/data/plain_schema.ts";
import { inStep, stepErrorOf } from "../../base/errors/wrap_error.ts";
import type { RowRequest } from "../../streams/rows/row_request.ts";
import type { OpenOptions, Source } from "../../streams/plan/source.ts";
import {
  type CheckContext,
  type Checked,
  isOperatorNode,
  type Names,
  type Stage,
  type Step,
} from "./node.ts";
import {
  checkInputs,
  leadingPicks,
  lookAhead,
  mayJoinBatches,
  numRowsAfter,
  pruneColumns,
  rewritePairs,
  settleNodes,
} from "./rules.ts";

/** A step that fits its input. */
interface CheckedStep extends Step {
  readonly input: Schema;
  readonly checked: Checked;
}

/** A step that is ready to run. */
interface CompiledStep extends CheckedStep {
  readonly stage: Stage;
}

/** The rows to read from a source that can seek. */
interface WantedRows {
  readonly request: RowRequest;
  /** The step of each pick of the request. */
  readonly steps: readonly Step[];
}

/** A checked and rewritten plan. */
export interface Prepared {
  /** The plain schema of the source's batches. */
  readonly input: Schema;
  /** The columns to read from the source. Default: all. */
  readonly columns?: readonly string[];
  /** The rows to read from the source. Default: all. */
  readonly rows?: WantedRows;
  /** The steps as the user wrote them. */
  readonly written: readonly Step[];
  /** The steps that run. */
  readonly steps: readonly CheckedStep[];
  /** Whether the source may join small batches, since no result depends on their boundaries. */
  readonly joinsSmall: boolean;
  /** The schema of the result. */
  readonly schema: Schema;
}

/** A plan that is ready to run. */
export interface CompiledPlan extends Prepared {
  readonly steps: readonly CompiledStep[];
}

/**
 * Returns the steps of a plan as the user wrote them. Nodes that are part of reading belong to step
 * 1.
 */
function stepsOf(plan: Plan): Step[] {
  let step = 1;
  return plan.nodes.map((node) => {
    if (node.isOfSource !== true) step++;
    if (isOperatorNode(node)) return { node, step };
    throw new TypeError(`${node.name} is not an operator of this engine`);
  });
}

/**
 * Checks a plan before it is rewritten, so that errors name the steps as the user wrote them, and
 * then rewrites it unless `fuse` is off. Undefined if the source ended before its first batch.
 * Counts rows, with the options, only where a step would otherwise be rejected.
 */
export async function prepare(
  plan: Plan,
  context: CheckContext,
  options: OpenOptions = {},
): Promise<Prepared | undefined> {
  const full = await plan.source.schema();
  if (full === undefined) return undefined;
  checkSource(full, plan.source);
  const input = plainSchema(full);
  const written = stepsOf(plan);
  const checked = await checkSteps(input, written, context);
  if (!context.fuse) {
    const schema = schemaAfter(input, checked);
    return { input, joinsSmall: false, written, steps: checked, schema };
  }

  const settled = settleNodes(written, checked.map(({ checked }) => checked.schema));
  const steps = rewritePairs(pruneColumns(settled));
  const { rows, rest: inMemory } = await intoSource(plan, steps);
  await checkInputs(inMemory, plan.source, options);
  const rest = lookAhead(inMemory);
  const columns = neededColumns(input, rest);
  const read = columns === undefined ? input : pickFields(input, columns);
  const final = await checkSteps(read, rest, context, checked);
  return {
    input: read,
    ...(columns === undefined ? {} : { columns }),
    ...(rows === undefined ? {} : { rows }),
    joinsSmall: mayJoinBatches(rest),
    written,
    steps: final,
    schema: schemaAfter(read, final),
  };
}

/**
 * Throws if columns share a name. Readers of files report that themselves; this covers batches in
 * memory and foreign streams.
 */
function checkSource(schema: Schema, { name }: Source): void {
  try {
    checkDistinct(schema.fields);
  } catch (error) {
    throw new TypeError(`The source ${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the rows to read from a source that can seek, and the steps that remain. */
async function intoSource(
  { source }: Plan,
  steps: readonly Step[],
): Promise<{ readonly rows?: WantedRows; readonly rest: readonly Step[] }> {
  const { picks: [first, ...later], picking, rest } = leadingPicks(steps);
  if (first === undefined || !await source.canSeek()) return { rest: steps };
  return { rows: { request: [first, ...later], steps: picking }, rest };
}

/** Returns the row count of the result, if known from metadata. */
export async function rowsOfMetadata(
  plan: Plan,
  options: OpenOptions,
): Promise<number | undefined> {
  let numRows = await plan.source.numRows(options);
  for (const { node } of stepsOf(plan)) {
    if (numRows === undefined) return undefined;
    try {
      numRows = numRowsAfter(node, numRows);
    } catch (error) {
      // The run reports the error, with its step.
      if (isSluiceError(error, "MissingRowError")) return undefined;
      throw error;
    }
  }
  return numRows;
}

/** Compiles the steps of a prepared plan, for one run. */
export async function compilePlan(prepared: Prepared): Promise<CompiledPlan> {
  const steps: CompiledStep[] = [];
  for (const step of prepared.steps) {
    const stage = await inStep(
      () => step.checked.compile(),
      (error) => stepErrorOf(step.step, step.node.name, error),
    );
    steps.push({ ...step, stage });
  }
  return { ...prepared, steps };
}

/** Checks each step against its input, except those that are `known` with the same input. */
async function checkSteps(
  first: Schema,
  steps: readonly Step[],
  context: CheckContext,
  known: readonly CheckedStep[] = [],
): Promise<CheckedStep[]> {
  const all: CheckedStep[] = [];
  let input = first;
  for (const step of steps) {
    const { node } = step;
    const from = input;
    const same = known.find((other) => other.node === node && other.input === from);
    const checkNode = async () => {
      const checked = await node.kind.check(node.spec, from, context);
      checkNewNames(checked.schema.fields.map(({ name }) => name));
      return checked;
    };
    const checked = same?.checked ??
      await inStep(checkNode, (error) => stepErrorOf(step.step, node.name, error));
    all.push({ ...step, input, checked });
    input = checked.schema;
  }
  return all;
}

function schemaAfter(input: Schema, steps: readonly CheckedStep[]): Schema {
  return steps.at(-1)?.checked.schema ?? input;
}

/** Returns the source columns that the result needs; undefined if it needs all. */
function neededColumns(input: Schema, steps: readonly Step[]): readonly string[] | undefined {
  let wanted: Names;
  for (const { node: { kind, spec } } of steps.toReversed()) wanted = kind.needs(spec, wanted);
  if (wanted === undefined) return undefined;
  const names = input.fields.map(({ name }) => name);
  const needed = names.filter((name) => wanted.has(name));
  if (needed.length === names.length) return undefined;
  if (needed.length > 0) return needed;
  // One column must be read to count rows; prefer a number, since text is expensive.
  const cheap = input.fields.find(({ type }) => DataType.isFloat(type) || DataType.isInt(type));
  return cheap === undefined ? names.slice(0, 1) : [cheap.name];
}

function pickFields(schema: Schema, names: readonly string[]): Schema {
  const wanted = new Set(names);
  return plainSchema(schema.select([...wanted]));
}
