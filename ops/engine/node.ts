/**
 * What the engine asks of a node of a plan, and of the stage that it becomes.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { Backend } from "../../gpu/backend.ts";
import type { PlanNode } from "../../streams/plan.ts";
import type { Batch } from "../batch/batch.ts";
import type { OffsetRule } from "../batch/offset_rule.ts";
import type { CompiledExprs } from "../expr/fuse.ts";

/**
 * How an operator treats rows. `same`: every row stays where it is, so that a slice may move past
 * it; `fewer`: some rows in the same order; `any`: anything.
 */
export type RowRule = "same" | "fewer" | "any";

/** Names of columns; undefined stands for all of them. */
export type Names = ReadonlySet<string> | undefined;

/** What binding a node may look at. */
export interface BindContext {
  /** Whether expressions fuse into as few kernels as they can. */
  readonly fuse: boolean;
}

/** What a running stage works with. */
export interface StageContext {
  readonly backend: Backend;
  /** Bytes that the batches in flight of one stage may hold. */
  readonly memory: number;
  /** When text gets offsets of 64 bits. */
  readonly offsets: OffsetRule;
  /** Aborted when nobody wants the result any more. */
  readonly signal: AbortSignal;
}

/** A node bound to the schema of its input: ready to run, once. */
export interface Stage {
  /** The schema of what comes out. */
  readonly schema: Schema;
  /** Takes the batches of `input` over, gives its own. Ending it early ends the input. */
  run(input: AsyncIterable<Batch>, context: StageContext): AsyncGenerator<Batch, void, void>;
  /** Lines for a person: kernels, cuts, tables. */
  explain(): readonly string[];
  /** The kernels that it runs; absent where it runs none. */
  readonly compiled?: CompiledExprs;
}

/** A node that the engine can run: frozen data and the two functions that give it a meaning. */
export interface OperatorNode extends PlanNode {
  readonly rows: RowRule;
  /** What it was given, for `explain`. */
  readonly summary: string;
  /** Whether its result depends on where batches begin and end. */
  readonly perBatch?: boolean;
  /** The columns of the input that it needs for the wanted ones of its output. */
  needs(wanted: Names): Names;
  /** Checks it against the schema of its input; every mistake of a user surfaces here. */
  bind(input: Schema, context: BindContext): Stage | Promise<Stage>;
  /** Cancels the streams that it reads beside its input, after a run or in place of one. */
  abandon?(reason: unknown): Promise<void>;
}

/** A node of a plan as one that this engine can run. */
export function operatorNode(node: PlanNode): OperatorNode {
  if (!("bind" in node)) throw new TypeError(`${node.name} is not an operator of this engine`);
  return node as OperatorNode;
}

/** The names in both sets, where undefined is all. */
export function withNames(names: Names, more: Iterable<string>): Names {
  return names === undefined ? undefined : new Set([...names, ...more]);
}
