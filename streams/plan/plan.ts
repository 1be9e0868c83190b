/**
 * The plan of a stream: a source and the operators piped onto it, not yet running. Plain frozen data,
 * interpreted by the engine in `ops/`.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import type { Source } from "./source.ts";

/** One operator of a plan. The engine knows its other properties. */
export interface PlanNode {
  /** The function that the user called: `withColumns`, `slice`. */
  readonly name: string;
  /**
   * Returns the node that takes its place as the first node of a plan, where it can read the source
   * directly; undefined if it stays.
   */
  readonly atSource?: (source: Source) => PlanNode | undefined;
  /** Whether it is part of reading, so that the user wrote no step for it. */
  readonly isOfSource?: boolean;
}

/** A source and the operators after it, first to last. */
export interface Plan {
  /** The source of the batches. */
  readonly source: Source;
  /** The operators, first to last. */
  readonly nodes: readonly PlanNode[];
  readonly engine: PlanEngine;
}

/** The parts that `explain` shows besides the plan. */
export interface ExplainOptions {
  /** The code of every kernel. */
  readonly code?: boolean;
  /** With `code`: the variant for batches whose text is all ASCII. */
  readonly ascii?: boolean;
}

/** Runs plans. Nodes share a plan only if they share the same engine object. */
export interface PlanEngine {
  /**
   * Rewrites and runs a plan. Yields at least one batch, maybe without rows, so that a sink gets the
   * schema. Aborting the signal ends the run and closes what it opened. If the signal is aborted from the
   * start, the source is opened only so that its stream is cancelled.
   */
  open(plan: Plan, signal: AbortSignal): AsyncGenerator<RecordBatch, void, void>;
  /** Returns the schema of the result. Reports every mistake that does not depend on rows. */
  schema(plan: Plan): Promise<Schema>;
  /**
   * Returns the number of rows of the result, if metadata has it. With `isResult` the caller wants nothing
   * else of the plan, and the engine reports a run.
   */
  numRows(plan: Plan, options?: { readonly isResult?: boolean }): Promise<number | undefined>;
  /** Describes the plan that would run. */
  explain(plan: Plan, options?: ExplainOptions): Promise<string>;
}

/** Returns a plan with one more node at its end. */
export function appendNode(plan: Plan, node: PlanNode): Plan {
  const first = plan.nodes.length === 0 ? node.atSource?.(plan.source) : undefined;
  return Object.freeze({ ...plan, nodes: Object.freeze([...plan.nodes, first ?? node]) });
}
