/**
 * The interface between the engine and operators: plan nodes, and the stages that they become.
 *
 * A node is frozen data and its kind. The kind tells the engine all that it needs, including the
 * rewrites for such nodes, so that the engine names no operator and each operator is one file.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { Backend } from "../../gpu/backend.ts";
import type { PlanNode } from "../../streams/plan/plan.ts";
import type { RowPick } from "../../streams/rows/row_request.ts";
import type { Batch } from "../batch/batch.ts";
import type { OffsetRule } from "../batch/offset_rule.ts";
import type { CompiledExprs } from "../expr/compile_exprs.ts";

/**
 * How an operator treats rows. `same`: every row keeps its position, and its values depend on no
 * other row, so that a slice may move past the operator; `fewer`: a subset in the same order;
 * `any`: no guarantee.
 */
export type RowRule = "same" | "fewer" | "any";

/** The names of columns; undefined means all. */
export type Names = ReadonlySet<string> | undefined;

/** Settings for checking a node. */
export interface CheckContext {
  /** Whether expressions fuse into as few kernels as possible. */
  readonly fuse: boolean;
}

/** The context of a running stage. */
export interface StageContext {
  readonly backend: Backend;
  /** The maximum bytes of the batches in flight in one stage. */
  readonly memory: number;
  /** The rule for 64-bit offsets. */
  readonly offsets: OffsetRule;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
  /** The folder for temporary files. Default: that of the system. */
  readonly temp?: string | undefined;
  /** Counts bytes that the stage has written to temporary files. */
  readonly onSpill?: (numBytes: number) => void;
  /** Records the bytes of rows that the stage buffers until it knows which of them it returns. */
  readonly onBuffered?: (numBytes: number) => void;
  /** Returns the number of rows that come to the stage, if metadata on this machine has it. */
  readonly inputRows?: () => Promise<number | undefined>;
}

/** Facts about the input of a node that does not move into the source. */
export interface InputFacts {
  /** The name of the source. */
  readonly source: string;
  /**
   * The step in front that separates it from the source, such as `filter`; absent if the source
   * cannot seek.
   */
  readonly behind?: string;
  /** The most rows that can come, if known. */
  readonly mostRows: number | undefined;
  /** The most bytes that these rows have in their file, if known. */
  readonly mostBytes?: number | undefined;
}

/** A node that fits the schema of its input. */
export interface Checked {
  /** The schema of the output. */
  readonly schema: Schema;
  /**
   * Compiles the node to a stage. Called once the plan is rewritten, if the node is still there.
   */
  compile(): Stage;
}

/** Returns a checked node that has nothing to compile. */
export function checkedAs(stage: Stage): Checked {
  return { schema: stage.schema, compile: () => stage };
}

/** A checked node that is ready to run, once. */
export interface Stage {
  /** The schema of the output. */
  readonly schema: Schema;
  /**
   * Takes ownership of the input batches and yields new ones. Ending the iteration early ends the
   * input.
   */
  run(input: AsyncIterable<Batch>, context: StageContext): AsyncGenerator<Batch, void, void>;
  /** Returns lines for `explain`: kernels, partitions, tables. */
  explain?(): readonly string[];
  /** The kernels that it runs, if any. */
  readonly compiled?: CompiledExprs;
  /** Whether it probes a table, which a device can compute as well as kernels. */
  readonly probes?: boolean;
  /** Warnings for the user before it runs, each a clause, such as that it takes long. */
  readonly warnings?: readonly string[];
}

/** A node that the engine can run: its kind, and the arguments of the operator. */
export interface OperatorNode<Spec = unknown> extends PlanNode {
  readonly kind: NodeKind<Spec>;
  readonly spec: Spec;
}

/** All that the engine knows about nodes of one kind. */
export interface NodeKind<Spec> {
  /** Its name in errors and `explain`, unless the user called an alias such as `head`. */
  readonly name: string;
  /** Its treatment of rows. `mostly same`: usually each row comes out once, without a guarantee. */
  readonly rows: RowRule | "mostly same";
  /**
   * Whether its rows depend on the batch boundaries of its input (`seen`), and whether it creates
   * new ones (`made`).
   */
  readonly boundaries: "ignored" | "seen" | "made";
  /** Returns its arguments as text, for `explain`. */
  summary(spec: Spec): string;
  /** Returns the input columns that it needs for the wanted output columns. */
  needs(spec: Spec, wanted: Names): Names;
  /**
   * Checks a node against the schema of its input. It is cheap, and throws an error for every
   * mistake of a user.
   */
  check(spec: Spec, input: Schema, context: CheckContext): Checked | Promise<Checked>;
  /** Cancels the streams that a node reads besides its input, after or instead of a run. */
  abandon?(spec: Spec, reason: unknown): Promise<void>;
  /** Returns the number of output rows for `numRows` input rows, if known without reading them. */
  numRows?(spec: Spec, numRows: number): number | undefined;
  /** The rewrites of plans with such a node. */
  readonly rewrites?: Rewrites<Spec>;
}

/** The rewrites of a kind. None of them changes the rows of the result or their order. */
interface Rewrites<Spec> {
  /** Rules for two neighbours, the second of which is of this kind. */
  readonly pairs?: readonly PairRule<Spec>[];
  /** Returns the replacement of a node once the schema of its result is known. */
  onSchema?(node: OperatorNode<Spec>, result: Schema): OperatorNode;
  /** Reduces a node to the wanted columns; undefined if nothing is left to do. */
  onWanted?(node: OperatorNode<Spec>, wanted: ReadonlySet<string>): OperatorNode | undefined;
  /**
   * Returns the rows that a node picks, if it does nothing else. Picks at the front of a plan move
   * into the request to the source.
   */
  picks?(node: OperatorNode<Spec>): RowPick;
  /** Throws if the node should not run over its input. Not called if fusion is off. */
  checkInput?(node: OperatorNode<Spec>, input: InputFacts): void;
  /** Returns a node to insert at the front of the plan, given the steps before this one. */
  ahead?(node: OperatorNode<Spec>, before: readonly Step[]): OperatorNode | undefined;
}

/** A rewrite of two neighbours: returns their replacement, or undefined if it does not apply. */
interface PairRule<Spec> {
  readonly name: string;
  rewrite(first: Step, second: Step<Spec>): readonly Step[] | undefined;
}

/** A node and its position in the pipeline as the user wrote it; the source is step 1. */
export interface Step<Spec = unknown> {
  readonly node: OperatorNode<Spec>;
  readonly step: number;
  /** Other steps that were merged into it. */
  readonly merged?: readonly number[];
  /** The columns of its result that later steps need. Default: all. */
  readonly wanted?: Names;
}

/** Creates a node of a kind; `name` is the function that the user called. */
export function nodeOf<Spec>(
  kind: NodeKind<Spec>,
  spec: Spec,
  name: string = kind.name,
): OperatorNode<Spec> {
  return Object.freeze({ name, kind, spec });
}

export function isOf<Spec>(node: OperatorNode, kind: NodeKind<Spec>): node is OperatorNode<Spec> {
  return node.kind === kind;
}

/** Whether this engine can run a node. */
export function isOperatorNode(node: PlanNode): node is OperatorNode {
  return "kind" in node;
}

/** Returns the union of two sets of names, where undefined means all. */
export function withNames(names: Names, more: Iterable<string>): Names {
  return names === undefined ? undefined : new Set([...names, ...more]);
}
