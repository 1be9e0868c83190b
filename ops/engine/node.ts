/**
 * What the engine asks of a node of a plan, and of the stage that it becomes.
 *
 * A node is frozen data and its kind. The kind says all that the engine has to know of it, and brings
 * the rewrites of plans that are about it, so that the engine names no operator and each operator is
 * one file.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { Backend } from "../../gpu/backend.ts";
import type { PlanNode } from "../../streams/plan.ts";
import type { OpenOptions } from "../../streams/source.ts";
import type { Batch } from "../batch/batch.ts";
import type { OffsetRule } from "../batch/offset_rule.ts";
import type { CompiledExprs } from "../expr/compile_exprs.ts";

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
  explain?(): readonly string[];
  /** The kernels that it runs; absent where it runs none. */
  readonly compiled?: CompiledExprs;
}

/** A node that the engine can run: its kind, and what an operator of that kind was given. */
export interface OperatorNode<Spec = unknown> extends PlanNode {
  readonly kind: NodeKind<Spec>;
  readonly spec: Spec;
}

/** All that the engine knows of the nodes of one kind. */
export interface NodeKind<Spec> {
  /** What errors and `explain` call it where the user called nothing else, such as `head`. */
  readonly name: string;
  /** How it treats rows; `mostly same` promises nothing, but as a rule every row comes out once. */
  readonly rows: RowRule | "mostly same";
  /** Whether its rows depend on where the batches of its input end, and whether it says where. */
  readonly boundaries: "ignored" | "seen" | "made";
  /** What it was given, for `explain`. */
  summary(spec: Spec): string;
  /** The columns of the input that it needs for the wanted ones of its output. */
  needs(spec: Spec, wanted: Names): Names;
  /** Checks it against the schema of its input; every mistake of a user surfaces here. */
  bind(spec: Spec, input: Schema, context: BindContext): Stage | Promise<Stage>;
  /** Cancels the streams that it reads beside its input, after a run or in place of one. */
  abandon?(spec: Spec, reason: unknown): Promise<void>;
  /** How many of `numRows` rows come out, where that is known without looking at them. */
  numRows?(spec: Spec, numRows: number): number;
  /** How plans with such a node are rewritten. */
  readonly rewrites?: Rewrites<Spec>;
}

/** The rewrites that a kind brings. None of them changes the rows of the result or their order. */
export interface Rewrites<Spec> {
  /** Of two neighbours, the second of which is of the kind. */
  readonly pairs?: readonly PairRule<Spec>[];
  /** The node that takes its place once the schema of its result is known. */
  onSchema?(node: OperatorNode<Spec>, result: Schema): OperatorNode;
  /** What of it gives the wanted columns; undefined where nothing is left to do. */
  onWanted?(node: OperatorNode<Spec>, wanted: ReadonlySet<string>): OperatorNode | undefined;
  /** Whether it is worth asking the source for its number of rows. */
  wantsNumRows?(node: OperatorNode<Spec>): boolean;
  /** The node that takes its place once the number of rows of its input is known. */
  onNumRows?(node: OperatorNode<Spec>, numRows: number): OperatorNode;
  /** The rows that a source which can seek gives in its place, and what is left to do. */
  intoSource?(node: OperatorNode<Spec>): { range: SourceRows; rest?: OperatorNode } | undefined;
  /** A node that may go in front of the plan, given the steps that lie before this one. */
  ahead?(node: OperatorNode<Spec>, before: readonly Step[]): OperatorNode | undefined;
}

/** Rows [start, stop) of a source; absent: from its first, to its end. */
export type SourceRows = Pick<OpenOptions, "start" | "stop">;

/** One rewrite of two neighbours: what takes their place, or undefined where it does not apply. */
interface PairRule<Spec> {
  readonly name: string;
  rewrite(first: Step, second: Step<Spec>): readonly Step[] | undefined;
}

/** A node and its place in the pipeline as the user wrote it; the source is step 1. */
export interface Step<Spec = unknown> {
  readonly node: OperatorNode<Spec>;
  readonly step: number;
  /** The columns of its result that the steps after it need; absent for all of them. */
  readonly wanted?: Names;
}

/** A node of a kind; `name` is what the user called. */
export function nodeOf<Spec>(
  kind: NodeKind<Spec>,
  spec: Spec,
  name: string = kind.name,
): OperatorNode<Spec> {
  return Object.freeze({ name, kind, spec });
}

/** Whether a node is of a kind. */
export function isOf<Spec>(node: OperatorNode, kind: NodeKind<Spec>): node is OperatorNode<Spec> {
  return node.kind === kind;
}

/** Whether a node of a plan is one that this engine can run. */
export function isOperatorNode(node: PlanNode): node is OperatorNode {
  return "kind" in node;
}

/** The names in both sets, where undefined is all. */
export function withNames(names: Names, more: Iterable<string>): Names {
  return names === undefined ? undefined : new Set([...names, ...more]);
}
