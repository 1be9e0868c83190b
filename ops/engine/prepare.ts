/**
 * Turns the plan of a stream into stages that are ready to run.
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
import { type BindContext, isOperatorNode, type Names, type Stage, type Step } from "./node.ts";
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

/** A step bound to its stage. */
export interface BoundStep extends Step {
  readonly stage: Stage;
}

/** Which rows are read from a source that can seek. */
export interface WantedRows {
  readonly request: RowRequest;
  /** The step that each pick of the request was. */
  readonly steps: readonly Step[];
}

/** A checked, rewritten and bound plan. */
export interface Prepared {
  /** Plain schema of the source's batches. */
  readonly input: Schema;
  /** The columns to read from the source; absent: all. */
  readonly columns?: readonly string[];
  /** The rows to read from the source; absent: all. */
  readonly rows?: WantedRows;
  /** The steps as the user wrote them. */
  readonly written: readonly Step[];
  /** The steps that run. */
  readonly steps: readonly BoundStep[];
  /** Whether the source may join small batches, since no result depends on their boundaries. */
  readonly joinsSmall: boolean;
  /** Schema of the result. */
  readonly schema: Schema;
}

/** The steps of a plan as written by the user; what is a part of reading belongs to step 1. */
export function stepsOf(plan: Plan): Step[] {
  let step = 1;
  return plan.nodes.map((node) => {
    if (node.isOfSource !== true) step++;
    if (isOperatorNode(node)) return { node, step };
    throw new TypeError(`${node.name} is not an operator of this engine`);
  });
}

/**
 * Checks a plan before it is rewritten, so that errors name the steps as the user wrote them, and
 * then rewrites it unless `fuse` is off. Undefined if the source ended before its first batch. Rows
 * are counted, with the options, only where a step would else be refused.
 */
export async function prepare(
  plan: Plan,
  context: BindContext,
  options: OpenOptions = {},
): Promise<Prepared | undefined> {
  const full = await plan.source.schema();
  if (full === undefined) return undefined;
  checkSource(full, plan.source);
  const input = plainSchema(full);
  const written = stepsOf(plan);
  const bound = await bindSteps(input, written, context);
  if (!context.fuse) {
    const schema = schemaAfter(input, bound);
    return { input, joinsSmall: false, written, steps: bound, schema };
  }

  const settled = settleNodes(written, bound.map(({ stage }) => stage.schema));
  const steps = rewritePairs(pruneColumns(settled));
  const { rows, rest: inMemory } = await intoSource(plan, steps);
  await checkInputs(inMemory, plan.source, options);
  const rest = lookAhead(inMemory);
  const columns = neededColumns(input, rest);
  const read = columns === undefined ? input : pickFields(input, columns);
  const stages = await bindSteps(read, rest, context);
  return {
    input: read,
    ...(columns === undefined ? {} : { columns }),
    ...(rows === undefined ? {} : { rows }),
    joinsSmall: mayJoinBatches(rest),
    written,
    steps: stages,
    schema: schemaAfter(read, stages),
  };
}

/** Files say which columns have one name; of what lies in memory, or comes from elsewhere, this does. */
function checkSource(schema: Schema, { name }: Source): void {
  try {
    checkDistinct(schema.fields);
  } catch (error) {
    throw new TypeError(`The source ${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** The rows to read of a source that can seek, and the steps that remain. */
async function intoSource(
  { source }: Plan,
  steps: readonly Step[],
): Promise<{ readonly rows?: WantedRows; readonly rest: readonly Step[] }> {
  const { picks: [first, ...later], picking, rest } = leadingPicks(steps);
  if (first === undefined || !await source.canSeek()) return { rest: steps };
  return { rows: { request: [first, ...later], steps: picking }, rest };
}

/** The row count of the result, if known from metadata. */
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
      // The error comes when the plan runs, with its step.
      if (isSluiceError(error, "MissingRowError")) return undefined;
      throw error;
    }
  }
  return numRows;
}

async function bindSteps(
  input: Schema,
  steps: readonly Step[],
  context: BindContext,
): Promise<BoundStep[]> {
  const bound: BoundStep[] = [];
  let schema = input;
  for (const step of steps) {
    const { node } = step;
    const from = schema;
    const stage = await inStep(async () => {
      const stage = await node.kind.bind(node.spec, from, context);
      checkNewNames(stage.schema.fields.map(({ name }) => name));
      return stage;
    }, (error) => stepErrorOf(step.step, node.name, error));
    bound.push({ ...step, stage });
    schema = stage.schema;
  }
  return bound;
}

function schemaAfter(input: Schema, steps: readonly BoundStep[]): Schema {
  return steps.at(-1)?.stage.schema ?? input;
}

/** The source columns that the result needs; undefined if it needs all. */
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
