/**
 * The plan that a stream carries: a source and the operators that were piped onto it, not yet
 * running. Plain frozen data; the engine in `ops/` gives it a meaning.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import type { Source } from "./source.ts";

/** One operator of a plan. The engine that runs the plan knows what else it is. */
export interface PlanNode {
  /** What the user called: `withColumns`, `slice`. */
  readonly name: string;
}

/** A source and the operators after it, first to last. */
export interface Plan {
  /** Where the batches come from. */
  readonly source: Source;
  /** The operators; empty for the source as it is. */
  readonly nodes: readonly PlanNode[];
  /** What runs it. */
  readonly engine: PlanEngine;
}

/** What `explain` tells besides the plan. */
export interface ExplainOptions {
  /** The code of every kernel. */
  readonly code?: boolean;
  /** Of the code: that for batches whose text is ASCII, in place of that for any text. */
  readonly ascii?: boolean;
}

/** What runs plans. Nodes share a plan only if they share the engine, as an object. */
export interface PlanEngine {
  /**
   * Rewrites and runs a plan. Gives at least one batch, of zero rows if need be, so that a sink
   * learns the schema. An aborted signal ends it, and what it has opened is closed; one that is
   * aborted from the start only opens the source with it, so that a stream behind it is cancelled.
   */
  open(plan: Plan, signal: AbortSignal): AsyncGenerator<RecordBatch, void, void>;
  /** The schema of the result; every mistake of a user that does not depend on rows surfaces here. */
  schema(plan: Plan): Promise<Schema>;
  /** The rows of the result, where metadata tells them. */
  numRows(plan: Plan): Promise<number | undefined>;
  /** What would run, for a person. */
  explain(plan: Plan, options?: ExplainOptions): Promise<string>;
}

/** A plan with one more node at its end. */
export function appendNode(plan: Plan, node: PlanNode): Plan {
  return Object.freeze({ ...plan, nodes: Object.freeze([...plan.nodes, node]) });
}
