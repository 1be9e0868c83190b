/**
 * From the plan that a stream carries to stages that are ready to run.
 *
 * @module
 */

import { DataType, type Schema } from "apache-arrow";
import type { Plan } from "../../streams/plan.ts";
import { plainSchema } from "../../streams/plain_schema.ts";
import type { OpenOptions } from "../../streams/source.ts";
import { type BindContext, isOperatorNode, type Names, type Stage, type Step } from "./node.ts";
import {
  intoSource,
  lookAhead,
  mayJoinBatches,
  numRowsAfter,
  pruneColumns,
  resolveNumRows,
  rewritePairs,
  settleNodes,
} from "./rules.ts";
import { inStep } from "./step_error.ts";

/** A stage and the node that it came from. */
export interface BoundStep extends Step {
  readonly stage: Stage;
}

/** A plan that was checked, rewritten and bound. */
export interface Prepared {
  /** Plain schema of what the source gives. */
  readonly input: Schema;
  /** What the source is asked for. */
  readonly range: Pick<OpenOptions, "columns" | "start" | "stop">;
  readonly steps: readonly BoundStep[];
  /** Whether the source may join small batches: nothing depends on where they begin and end. */
  readonly joinsSmall: boolean;
  /** Schema of the result. */
  readonly schema: Schema;
}

/** The steps of a plan as the user wrote them. */
export function stepsOf(plan: Plan): Step[] {
  return plan.nodes.map((node, index) => {
    if (isOperatorNode(node)) return { node, step: index + 2 };
    throw new TypeError(`${node.name} is not an operator of this engine`);
  });
}

/**
 * Checks a plan as it was written, so that mistakes name the steps that the user sees, and then,
 * unless `fuse` is off, rewrites it. Undefined where the source ended before its first batch.
 */
export async function prepare(plan: Plan, context: BindContext): Promise<Prepared | undefined> {
  const full = await plan.source.schema();
  if (full === undefined) return undefined;
  const input = plainSchema(full);
  const written = stepsOf(plan);
  const bound = await bindSteps(input, written, context);
  if (!context.fuse) {
    return { input, range: {}, joinsSmall: false, steps: bound, schema: schemaAfter(input, bound) };
  }

  const settled = settleNodes(written, bound.map(({ stage }) => stage.schema));
  const wantsNumRows = written.some(({ node }) => node.kind.rewrites?.wantsNumRows?.(node));
  const numRows = wantsNumRows ? await plan.source.numRows() : undefined;
  const steps = rewritePairs(resolveNumRows(rewritePairs(pruneColumns(settled)), numRows));
  const { range, rest: inMemory } = plan.source.canSeek
    ? intoSource(steps)
    : { range: {}, rest: steps };
  const rest = lookAhead(inMemory);
  const columns = neededColumns(input, rest);
  const read = columns === undefined ? input : pickFields(input, columns);
  const stages = await bindSteps(read, rest, context);
  return {
    input: read,
    range: columns === undefined ? range : { ...range, columns },
    joinsSmall: mayJoinBatches(rest),
    steps: stages,
    schema: schemaAfter(read, stages),
  };
}

/** The number of rows of the result where metadata tells it. */
export async function rowsOfMetadata(plan: Plan): Promise<number | undefined> {
  let numRows = await plan.source.numRows();
  for (const { node } of stepsOf(plan)) {
    if (numRows === undefined) return undefined;
    numRows = numRowsAfter(node, numRows);
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
  for (const { node, step } of steps) {
    const from = schema;
    const stage = await inStep(step, node.name, () => node.kind.bind(node.spec, from, context));
    bound.push({ node, step, stage });
    schema = stage.schema;
  }
  return bound;
}

function schemaAfter(input: Schema, steps: readonly BoundStep[]): Schema {
  return steps.at(-1)?.stage.schema ?? input;
}

/** The columns of the source that the result needs, or undefined where it needs all of them. */
function neededColumns(input: Schema, steps: readonly Step[]): readonly string[] | undefined {
  let wanted: Names;
  for (const { node: { kind, spec } } of steps.toReversed()) wanted = kind.needs(spec, wanted);
  if (wanted === undefined) return undefined;
  const names = input.fields.map(({ name }) => name);
  const needed = names.filter((name) => wanted.has(name));
  if (needed.length === names.length) return undefined;
  if (needed.length > 0) return needed;
  // Some column has to be read for the rows to be counted, and text costs most.
  const cheap = input.fields.find(({ type }) => DataType.isFloat(type) || DataType.isInt(type));
  return cheap === undefined ? names.slice(0, 1) : [cheap.name];
}

function pickFields(schema: Schema, names: readonly string[]): Schema {
  const wanted = new Set(names);
  return plainSchema(schema.select([...wanted]));
}
