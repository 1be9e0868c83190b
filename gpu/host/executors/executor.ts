/**
 * An executor: one way in which the host computes a kernel.
 *
 * @module
 */

import { type HostColumn, isTextList } from "../../column/column.ts";
import type { Variant } from "../../kernel/ir/ir.ts";
import { lookedAt } from "../../kernel/partition/program_for.ts";
import type { Tree } from "../../kernel/tree/tree.ts";
import { plainMapOf, readsItems } from "../../kernel/tree/tree_facts.ts";
import type { HostKernel } from "../kernels/host_kernel.ts";
import type { Rows } from "../kernels/kernel_arrays.ts";
import type { CompiledKernel } from "../kernels/compiled_kernel.ts";
import type { KernelResult } from "../kernels/kernel_result.ts";
import type { KernelWork, TextCheck } from "../kernels/kernel_work.ts";

/** One way in which the host computes a kernel. */
export interface Executor {
  /** Whether it can compute a kernel over a batch. */
  fits(kernel: HostKernel, batch: KernelBatch): boolean;
  /** Computes the kernel; null where the values turn out to be for another executor. */
  run(kernel: HostKernel, batch: KernelBatch): KernelResult | null;
}

/** The columns of a program for some rows of a batch, and what is known of them. */
export interface KernelBatch {
  /** The columns by their numbers; undefined where no kernel needs one any more. */
  readonly columns: readonly (HostColumn | undefined)[];
  /** The rows of the batch that the columns have. */
  readonly rows: Rows;
  /** Whether each column has nulls. */
  readonly nullable: readonly boolean[];
  /** The columns whose text the kernel reads. */
  readonly texts: readonly HostColumn[];
  /** The text as the code has to take it; null before anyone has looked at it. */
  readonly text: SeenText | null;
  readonly host: ExecutorHost;
}

/** The text that a kernel reads. */
interface SeenText {
  /** Whether it is ASCII. */
  readonly ascii: boolean;
  /** The check that the kernel has to make. */
  readonly check: TextCheck;
}

/** The services of a backend that executors use. */
export interface ExecutorHost {
  /** Rows from which WebAssembly is worth its start; tests have 1, or none. */
  readonly minWasmRows: number;
  /** The code of a kernel for a variant. */
  codeFor(kernel: HostKernel, variant: Variant): CompiledKernel;
  /** Computes the rows of some work, on one thread or several. */
  run(work: KernelWork): KernelResult;
}

/** The columns whose text a tree may look at: text, and the items of lists that it asks for. */
export function textsOf(
  tree: Tree,
  columns: readonly (HostColumn | undefined)[],
): HostColumn[] {
  const used = lookedAt(tree).map((index) => columnAt(columns, index));
  const texts = used.filter(({ type }) => type.kind === "string");
  const lists = used.filter(({ type }) => isTextList(type));
  return lists.length > 0 && readsItems(tree) ? texts.concat(lists) : texts;
}

/** The text whose characters a kernel maps one by one, if that is all it does. */
export function mappedText({ kernel: { tree } }: HostKernel, { texts }: KernelBatch) {
  const isMap = tree.node === "call" && plainMapOf(tree) !== null;
  return isMap ? texts.find(({ type }) => type.kind === "string") : undefined;
}

/** The columns that some code takes. */
export function operandsOf({ ir }: CompiledKernel, { columns }: KernelBatch): HostColumn[] {
  return ir.columns.map((index) => columnAt(columns, index));
}

/** A column of a program, by its number. */
export function columnAt(columns: readonly (HostColumn | undefined)[], index: number): HostColumn {
  const column = columns[index];
  if (column === undefined) throw new RangeError(`The program has no column ${index}`);
  return column;
}
