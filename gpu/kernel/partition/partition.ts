/**
 * Partitions trees into kernels, which decides where fusion ends. A tree becomes one kernel, unless
 * an operation has to look into text that does not exist in memory yet, or fusing would multiply
 * the code.
 *
 * @module
 */

import { type ColumnType, isFlatList } from "../../column/column.ts";
import { asciiWeight, isAsciiText, looksBesideAscii } from "../lower/function_facts.ts";
import { both, branchesOf } from "../tree/branches.ts";
import { describeTree } from "../tree/describe_tree.ts";
import type { RowFunction } from "../language/row_function.ts";
import type { Kernel, Program, Tree } from "../tree/tree.ts";
import {
  canFail,
  childrenOf,
  computesFloat,
  isNarrowFloatBits,
  isViewable,
  lenient,
  mapOf,
  sinkSites,
  someTree,
  wholeWriter,
  withChildren,
} from "../tree/tree_facts.ts";
import { bodyOf } from "../parse/row_code.ts";

/** The weight of generated code above which the input of a map becomes a column. */
const MAX_MAP_WEIGHT = 800;

/**
 * How many places in a kernel may write text before it is left to the host. The time in which
 * device compilers make loops of them grows faster than their number: Mesa's takes seconds for 128
 * copies, 50 seconds for 400, and does not finish for 3,000.
 */
const MAX_DEVICE_SITES = 128;

/** A result to compute. */
export interface Output {
  /** The name to show: `upper(name)`. */
  readonly label: string;
  readonly tree: Tree;
}

/** Options of `partitionIntoKernels`. */
export interface PartitionOptions {
  /** The names of the input columns, for the labels of intermediate kernels. */
  readonly names?: readonly string[];
  /**
   * Whether to fuse; false makes a kernel of every call, concat, choose and compare. Default: true.
   */
  readonly fuse?: boolean;
}

/**
 * Why a map cannot take the text of a tree as it is written, or null if it can: the map, whose code
 * has this weight, would be inlined at too many places.
 */
function mapCutReason(
  fn: RowFunction,
  text: Tree,
  weight: number = bodyOf(fn).weight,
): string | null {
  const whole = wholeWriter(text);
  if (whole !== undefined) return `${fn.name} reads text that ${whole.name} writes on the host`;
  const sites = sinkSites(text);
  if (sites === 1 || sites * weight <= MAX_MAP_WEIGHT) return null;
  return `${fn.name} would be inlined at ${sites} places`;
}

/**
 * Why a map cannot look at the characters around its own in a text; null if it can, or does not
 * look.
 */
function lookCutReason(fn: RowFunction, text: Tree): string | null {
  if (!fn.looks || isViewable(text)) return null;
  return `${fn.name} looks at the characters beside each one`;
}

/** Why an operation cannot look into the text of a tree, or null if it can. */
function viewCutReason(reader: string, text: Tree): string | null {
  if (text.type.kind !== "string" || isViewable(text)) return null;
  return `${reader} reads text that ${writerOf(text)} writes`;
}

/** Makes the kernels that compute `outputs`. Equal trees that were cut are computed once. */
export function partitionIntoKernels(
  inputs: readonly ColumnType[],
  outputs: readonly Output[],
  options: PartitionOptions = {},
): Program {
  const general = new Partitioner(inputs.length, options, false);
  const program = { inputs, ...general.program(outputs) };
  if (!general.hasLooks) return Object.freeze(program);
  const ascii = { inputs, ...new Partitioner(inputs.length, options, true).program(outputs) };
  const isFused = ascii.kernels.some(({ asciiColumns }) => asciiColumns !== undefined);
  return Object.freeze(isFused ? { ...program, ascii: Object.freeze(ascii) } : program);
}

class Partitioner {
  readonly kernels: Kernel[] = [];
  /** Whether a map looks at neighbouring characters of text that is being written. */
  hasLooks = false;
  readonly #isForAscii: boolean;
  readonly #numInputs: number;
  readonly #fuse: boolean;
  readonly #names: string[];
  readonly #columns = new Map<string, number>();
  readonly #functions = new Map<RowFunction, number>();

  constructor(numInputs: number, options: PartitionOptions, isForAscii: boolean) {
    this.#numInputs = numInputs;
    this.#isForAscii = isForAscii;
    this.#fuse = options.fuse ?? true;
    this.#names = Array.from({ length: numInputs }, (_, i) => options.names?.[i] ?? `$${i}`);
  }

  program(outputs: readonly Output[]): Pick<Program, "kernels" | "outputs"> {
    const numbers = outputs.map(({ label, tree }) => this.#output(label, tree));
    return { kernels: this.kernels, outputs: numbers };
  }

  #output(label: string, tree: Tree): number {
    const fused = this.#partitionBelow(tree);
    return fused.node === "column" ? fused.index : this.#kernel(fused, label, undefined);
  }

  /**
   * Returns the tree with everything below it that has to be a column replaced by that column.
   * `taken` is true in the rows that use the tree, if some do not.
   */
  #partitionBelow(tree: Tree, taken?: Tree): Tree {
    const children = branchesOf(tree);
    if (children.length === 0) return tree;
    return withChildren(
      tree,
      children.map(([child, own], index) => {
        const uses = own && taken ? both(taken, own) : own ?? taken;
        const fused = this.#partitionBelow(child, uses);
        const known = tree.node === "isNull" ? this.#known(fused) : undefined;
        if (known !== undefined) return known;
        const reason = this.#reason(tree, fused, index);
        return reason === null ? fused : this.#materialised(fused, reason, uses);
      }),
    );
  }

  /**
   * Returns the column of a kernel that already computes a tree, for callers that only need its
   * nulls.
   */
  #known(tree: Tree): Tree | undefined {
    if (tree.node !== "call") return undefined;
    const index = this.#columns.get(this.#key(tree));
    return index === undefined ? undefined : { node: "column", index, type: tree.type };
  }

  #reason(parent: Tree, child: Tree, index: number): string | null {
    if (child.node === "column" || child.node === "literal") return null;
    if (!this.#fuse && isStep(child)) return "fusion is off";
    if (isNarrowFloatBits(child) && takesFloats(parent)) return "its bits become a number";
    if (parent.node === "call") {
      if (child.type.kind === "list") {
        return `${parent.fn.name} reads the list that ${writerOf(child)} makes`;
      }
      const map = index === 0 ? mapOf({ ...parent, text: child }) : null;
      if (map === null) return viewCutReason(parent.fn.name, child);
      return map.looks ? this.#lookCutReason(map, child) : mapCutReason(map, child);
    }
    return parent.node === "compare" ? viewCutReason(`"${parent.op}"`, child) : null;
  }

  #lookCutReason(map: RowFunction, text: Tree): string | null {
    const reason = lookCutReason(map, text);
    if (reason === null) return mapCutReason(map, text);
    this.hasLooks = true;
    const isAscii = this.#isForAscii && isAsciiText(text, this.#numInputs);
    return isAscii && !looksBesideAscii(map) ? mapCutReason(map, text, asciiWeight(map)) : reason;
  }

  #materialised(tree: Tree, reason: string, taken: Tree | undefined): Tree {
    const label = describeTree(tree, this.#names);
    const index = this.#kernel(this.#guarded(tree, taken), label, reason, label);
    return { node: "column", index, type: tree.type };
  }

  /**
   * Returns a tree that fails in no row that does not use it: there it is null. The condition fails
   * where it belongs, not here.
   */
  #guarded(tree: Tree, taken: Tree | undefined): Tree {
    const { type } = tree;
    if (taken === undefined || type.kind === "list" || !canFail(tree)) return tree;
    const test = this.#partitionBelow(lenient(taken));
    const no: Tree = { node: "literal", value: null, type };
    return { node: "choose", test, yes: tree, no, type };
  }

  #kernel(
    tree: Tree,
    label: string,
    cut: string | undefined,
    name: string = describeTree(tree, this.#names),
  ): number {
    const key = this.#key(tree);
    const known = this.#columns.get(key);
    if (known !== undefined) return known;
    const number = this.#numInputs + this.kernels.length;
    const hostOnly = hostReason(tree) ?? sizeReason(tree);
    this.kernels.push(Object.freeze({
      label,
      tree,
      type: tree.type,
      ...(someTree(tree, looksAtWritten) ? { asciiColumns: this.#numInputs } : {}),
      ...(cut === undefined ? {} : { cut }),
      ...(hostOnly === undefined ? {} : { hostOnly }),
    }));
    this.#columns.set(key, number);
    this.#names[number] = name;
    return number;
  }

  /** Returns the same text for trees that compute the same. */
  #key(tree: Tree): string {
    return JSON.stringify(tree, (name, value) => {
      if (typeof value === "bigint") return `${value}n`;
      if (name !== "fn") return Object.is(value, -0) ? "-0" : keyOfNumber(value);
      const number = this.#functions.get(value) ?? this.#functions.size;
      this.#functions.set(value, number);
      return number;
    });
  }
}

function keyOfNumber(value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? `#${value}` : value;
}

/** Whether a tree reads its operands as floats instead of their bits. */
function takesFloats(parent: Tree): boolean {
  if (parent.node === "call") {
    return parent.fn.subject === "f64" || parent.fn.args.some(({ type }) => type === "f64");
  }
  return childrenOf(parent).some(computesFloat);
}

/** Why a device cannot compute a tree. */
function hostReason(tree: Tree): string | undefined {
  if (tree.type.kind === "fixed" && tree.node !== "column") return "it computes with decimals";
  if (tree.node === "call" && takesPairs(tree.fn)) return "it computes with decimals";
  if (tree.node === "cast" && tree.type.kind === "float" && tree.value.type.kind === "int") {
    return "it computes with floating-point numbers";
  }
  const own = tree.node === "call" ? tree.fn.hostOnly : undefined;
  if (own !== undefined) return own;
  for (const child of childrenOf(tree)) {
    if (child.type.kind === "list" && !isFlatList(child.type)) {
      return `it reads lists of ${child.type.item.kind}s`;
    }
    const reason = hostReason(child);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function takesPairs({ subject, args, returns }: RowFunction): boolean {
  return subject === "i128" || returns === "i128" || args.some(({ type }) => type === "i128");
}

/** Why a device does not compute a tree that it could, if its code is too large. */
function sizeReason(tree: Tree): string | undefined {
  const sites = tree.type.kind === "string" ? sinkSites(tree) : 0;
  if (sites <= MAX_DEVICE_SITES) return undefined;
  return `it writes text at ${sites} places, and code for a device has ${MAX_DEVICE_SITES} at most`;
}

/** Whether a tree is a map that looks around in text that is being written, which is ASCII then. */
function looksAtWritten(tree: Tree): boolean {
  return tree.node === "call" && (mapOf(tree)?.looks ?? false) && !isViewable(tree.text);
}

function isStep(tree: Tree): boolean {
  return tree.node === "call" || tree.node === "concat" || tree.node === "choose" ||
    tree.node === "compare";
}

function writerOf(tree: Tree): string {
  switch (tree.node) {
    case "call":
      return tree.fn.kind === "view" && mapOf(tree) === null ? writerOf(tree.text) : tree.fn.name;
    case "concat":
      return `"+"`;
    case "choose":
      return `"?:"`;
    default:
      return tree.node;
  }
}
