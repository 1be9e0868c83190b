/**
 * From the plan that a stream carries to stages that are ready to run.
 *
 * @module
 */

import { DataType, type Schema } from "apache-arrow";
import type { Plan } from "../../streams/plan.ts";
import { isDrop } from "../rows/drop.ts";
import { type BindContext, type Names, operatorNode, type Stage } from "./node.ts";
import { plainSchema } from "../../streams/plain_schema.ts";
import { pruneColumns } from "./prune_columns.ts";
import { regroupAhead } from "../regroup/regroup_ahead.ts";
import { rewriteSteps, type Step } from "./rules.ts";
import { selectNode } from "../rows/select_node.ts";
import { countsFromEnd, resolveSlice, sliceLength } from "../slice/row_slice.ts";
import { isSlice, sliceNode } from "../slice/slice_node.ts";
import { mayJoin } from "./small_batches.ts";
import { inStep } from "./step_error.ts";

/** A stage and the node that it came from. */
export interface BoundStep extends Step {
  readonly stage: Stage;
}

/** What the source is asked for. */
export interface SourceRange {
  readonly columns?: readonly string[];
  readonly start?: number;
  readonly stop?: number;
}

/** A plan that was checked, rewritten and bound. */
export interface Prepared {
  /** Plain schema of what the source gives. */
  readonly input: Schema;
  readonly range: SourceRange;
  readonly steps: readonly BoundStep[];
  /** Whether the source may join small batches: nothing depends on where they begin and end. */
  readonly joinsSmall: boolean;
  /** Schema of the result. */
  readonly schema: Schema;
}

/** The steps of a plan as the user wrote them. */
export function stepsOf(plan: Plan): Step[] {
  return plan.nodes.map((node, index) => ({ node: operatorNode(node), step: index + 2 }));
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

  const kept = pruneColumns(
    written.map((step, index) => dropAsSelect(step, bound[index]!.stage)),
  );
  const numRows = written.some(({ node }) => isSlice(node) && countsFromEnd(node.slice))
    ? await plan.source.numRows()
    : undefined;
  const steps = rewriteSteps(resolveSlices(rewriteSteps(kept), numRows));
  const { range, rest: inMemory } = intoSource(plan, steps);
  const rest = regroupAhead(inMemory);
  const columns = neededColumns(input, rest);
  const read = columns === undefined ? input : pickFields(input, columns);
  const stages = await bindSteps(read, rest, context);
  return {
    input: read,
    range: columns === undefined ? range : { ...range, columns },
    joinsSmall: mayJoin(rest),
    steps: stages,
    schema: schemaAfter(read, stages),
  };
}

/** The number of rows of the result where metadata tells it. */
export async function rowsOfMetadata(plan: Plan): Promise<number | undefined> {
  let numRows = await plan.source.numRows();
  for (const { node } of stepsOf(plan)) {
    if (numRows === undefined) return undefined;
    if (isSlice(node)) {
      numRows = sliceLength(node.slice, numRows);
    } else if (node.rows !== "same") return undefined;
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
    const stage = await inStep(step, node.name, () => node.bind(from, context));
    bound.push({ node, step, stage });
    schema = stage.schema;
  }
  return bound;
}

function schemaAfter(input: Schema, steps: readonly BoundStep[]): Schema {
  return steps.at(-1)?.stage.schema ?? input;
}

/** A column that was dropped need not be read; a select does not have to see it. */
function dropAsSelect({ node, step }: Step, stage: Stage): Step {
  if (!isDrop(node)) return { node, step };
  return { node: selectNode(stage.schema.fields.map(({ name }) => name)), step };
}

/** With the number of rows known, slices in front of whatever changes it lose their negatives. */
function resolveSlices(steps: readonly Step[], numRows: number | undefined): readonly Step[] {
  let known = numRows;
  return steps.map((step) => {
    const { node } = step;
    if (known === undefined) return step;
    if (isSlice(node)) {
      const slice = resolveSlice(node.slice, known);
      known = sliceLength(slice, known);
      return { ...step, node: sliceNode(slice, node.name) };
    }
    if (node.rows !== "same") known = undefined;
    return step;
  });
}

/** A leading slice becomes the range that a source which can seek is asked for. */
function intoSource(
  plan: Plan,
  steps: readonly Step[],
): { range: SourceRange; rest: readonly Step[] } {
  const [first, ...rest] = steps;
  if (first === undefined || !isSlice(first.node) || !plan.source.canSeek) {
    return { range: {}, rest: steps };
  }
  const { start, stop, step } = first.node.slice;
  if (start < 0 || (stop !== undefined && stop < 0)) return { range: {}, rest: steps };
  const range = stop === undefined ? { start } : { start, stop: Math.max(start, stop) };
  if (step === 1) return { range, rest };
  const every = { start: 0, stop: undefined, step };
  return { range, rest: [{ node: sliceNode(every, first.node.name), step: first.step }, ...rest] };
}

/** The columns of the source that the result needs, or undefined where it needs all of them. */
function neededColumns(input: Schema, steps: readonly Step[]): readonly string[] | undefined {
  let wanted: Names;
  for (const { node } of steps.toReversed()) wanted = node.needs(wanted);
  if (wanted === undefined) return undefined;
  const names = input.fields.map(({ name }) => name);
  const needed = names.filter((name) => wanted.has(name));
  if (needed.length === names.length) return undefined;
  if (needed.length > 0) return needed;
  // Rows need a column to be counted by, and text is the dearest.
  const cheap = input.fields.find(({ type }) => DataType.isFloat(type) || DataType.isInt(type));
  return cheap === undefined ? names.slice(0, 1) : [cheap.name];
}

function pickFields(schema: Schema, names: readonly string[]): Schema {
  const wanted = new Set(names);
  return plainSchema(schema.select([...wanted]));
}
