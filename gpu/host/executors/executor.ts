/**
 * The interface of an executor: one way in which the host computes a kernel.
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
  /** Computes the kernel; null if the values turn out to need another executor. */
  run(kernel: HostKernel, batch: KernelBatch): KernelResult | null;
}

/** The columns of a program for some rows of a batch, and the facts known about them. */
export interface KernelBatch {
  /** The columns by their numbers; undefined once no kernel needs a column. */
  readonly columns: readonly (HostColumn | undefined)[];
  /** The rows of the batch that the columns have. */
  readonly rows: Rows;
  /** Whether each column has nulls. */
  readonly nullable: readonly boolean[];
  /** The columns whose text the kernel reads. */
  readonly texts: readonly HostColumn[];
  /** The known properties of the text; null before it is inspected. */
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

/** The services of a backend for executors. */
export interface ExecutorHost {
  /** The rows from which WebAssembly is worth its start; tests set 1 or `Infinity`. */
  readonly minWasmRows: number;
  /** Returns the code of a kernel for a variant. */
  codeFor(kernel: HostKernel, variant: Variant): CompiledKernel;
  /** Computes the rows of some work, on one thread or several. */
  run(work: KernelWork): KernelResult;
}

/** Returns the columns whose text a tree may read: text, and lists if it reads their items. */
export function textsOf(
  tree: Tree,
  columns: readonly (HostColumn | undefined)[],
): HostColumn[] {
  const used = lookedAt(tree).map((index) => columnAt(columns, index));
  const texts = used.filter(({ type }) => type.kind === "string");
  const lists = used.filter(({ type }) => isTextList(type));
  return lists.length > 0 && readsItems(tree) ? texts.concat(lists) : texts;
}

/** Returns the text whose characters a kernel maps one by one, if that is all it does. */
export function mappedText({ kernel: { tree } }: HostKernel, { texts }: KernelBatch) {
  const isMap = tree.node === "call" && plainMapOf(tree) !== null;
  return isMap ? texts.find(({ type }) => type.kind === "string") : undefined;
}

/** Returns the columns that compiled code takes. */
export function operandsOf({ ir }: CompiledKernel, { columns }: KernelBatch): HostColumn[] {
  return ir.columns.map((index) => columnAt(columns, index));
}

/** Returns a column of a program by its number. */
export function columnAt(columns: readonly (HostColumn | undefined)[], index: number): HostColumn {
  const column = columns[index];
  if (column === undefined) throw new RangeError(`The program has no column ${index}`);
  return column;
}
