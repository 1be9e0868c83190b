/**
 * Typed expression trees, and the programs of kernels that they are partitioned into. `ops/expr`
 * makes the trees from a user's expressions, and both backends run the programs.
 *
 * A kernel passes through the rooms of `gpu/kernel/`, each of which imports only those above it:
 *
 *     row(out, char) { ... }             a row function, as the author of an operation writes it
 *       | parse/       its source, read back by toString() -> RowCode
 *       v
 *     upper(strip(name)) + "!"           a tree: calls of row functions on columns (this file)
 *       | fold/        what depends on no column is computed now
 *       | partition/   as few kernels as possible, cut where bytes must exist in memory
 *       v
 *     program { inputs, kernels, outputs }
 *       | lower/       one kernel: every call inlined, nulls and UTF-8 spelled out
 *       v
 *     IR: the statements of one row      ir/
 *       | halve/       two i32 of each i64, for JavaScript and WGSL
 *       |----------------------|-----------------------------|
 *       | emit/javascript/     | emit/wasm/                  | emit/wgsl/
 *       v                      v                             v
 *     a function of            a module that computes        passes of a device:
 *     typed arrays             parts in its own memory       sizes, (scan), write
 *     `--- gpu/host runs these, by emit/host/ ---`           `--- gpu/webgpu ---`
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import type { PartStep } from "../../column/part.ts";
import type { Value } from "../../column/value_at.ts";
import type { RowFunction } from "../language/row_function.ts";
import type { InfixOperator, PrefixOperator } from "./operator_binding.ts";

/** A field or an item in each row of a column of structs or lists. */
export interface ColumnPart {
  readonly steps: readonly PartStep[];
  /** The part as a person would write it, such as `address.city`. */
  readonly label: string;
}

/** Comparison operators; strings compare by bytes. */
export type CompareOp = "==" | "!=" | "<" | "<=" | ">" | ">=";

/**
 * A typed expression over the columns of one batch. Null rules are those of SQL: null in, null
 * out, except that `and`/`or` are three-valued, a null `test` takes `no`, and `isNull`/`fillNull`
 * look at nulls.
 *
 * Numbers: `compare` has operands of one and the same type (the maker of the tree inserts `cast`).
 * A float compares in the total order in which NaN equals NaN and is the greatest, and -0 equals 0.
 */
export type Tree =
  | {
    readonly node: "column";
    readonly index: number;
    readonly type: ColumnType;
    /** Whether its text may be any bytes: it is not inspected, and never taken for ASCII. */
    readonly isBytes?: boolean;
    /** The part of the column that is meant; in a program, every part is an input of its own. */
    readonly part?: ColumnPart;
  }
  /** A literal; null is a typed null. */
  | {
    readonly node: "literal";
    readonly type: ColumnType;
    readonly value: Value;
    /** The value as a person would write it, where that differs: a decimal has no point here. */
    readonly text?: string;
  }
  /** Calls a row function on `text`; `args` follow the function's own parameters. */
  | {
    readonly node: "call";
    readonly fn: RowFunction;
    readonly text: Tree;
    readonly args: readonly Tree[];
    readonly type: ColumnType;
    /** How labels and errors print the call; if absent, they print the function and its subject. */
    readonly shown?: {
      /** Literal arguments that the row function was made for, as written. */
      readonly literals: readonly string[];
      /** The logical type of what it works on. */
      readonly from: string;
      /** The logical types of its arguments; undefined for those whose values show it. */
      readonly others?: readonly (string | undefined)[];
    };
    /** The operator that labels and errors print instead of the name of the function. */
    readonly operator?: InfixOperator | PrefixOperator;
    /**
     * strict only: the message for a null that it makes, with `$0` for the call and `$1`, `$2` … for
     * its subject and its arguments.
     */
    readonly refusal?: string;
    /**
     * Whether it is only the first part of the call around it, which consists of several row
     * functions in a row. A null that it makes is a null of that call.
     */
    readonly isPart?: boolean;
    /** Whether a null made from values that are not null is an error, which stops the kernel. */
    readonly strict?: boolean;
  }
  | { readonly node: "concat"; readonly parts: readonly Tree[]; readonly type: ColumnType }
  | {
    readonly node: "choose";
    readonly test: Tree;
    readonly yes: Tree;
    readonly no: Tree;
    readonly type: ColumnType;
  }
  | {
    readonly node: "compare";
    readonly op: CompareOp;
    readonly left: Tree;
    readonly right: Tree;
    readonly type: ColumnType;
  }
  | {
    readonly node: "and" | "or";
    readonly left: Tree;
    readonly right: Tree;
    readonly type: ColumnType;
  }
  | { readonly node: "not"; readonly value: Tree; readonly type: ColumnType }
  | { readonly node: "isNull"; readonly value: Tree; readonly type: ColumnType }
  /** `value` where it is not null, else `other`. */
  | {
    readonly node: "fillNull";
    readonly value: Tree;
    readonly other: Tree;
    /** Whether nobody wrote it: a filter drops the rows where its condition is null. */
    readonly isPart?: boolean;
    readonly type: ColumnType;
  }
  /** A lossless widening of integers, or of float32 to float64; or an integer as the nearest float64. */
  | { readonly node: "cast"; readonly value: Tree; readonly type: ColumnType };

/** One fused kernel: a tree that needs no intermediate column, and the column that it computes. */
export interface Kernel {
  /** The name to show in labels and in `explain`: `upper(name)`. */
  readonly label: string;
  /** The expression that it computes, over the columns numbered as in `Program`. */
  readonly tree: Tree;
  /** The type of its result. */
  readonly type: ColumnType;
  /**
   * The columns below this number hold only ASCII text, whatever a variant says: the kernel belongs
   * to a program that runs on no other batches. Default: none.
   */
  readonly asciiColumns?: number;
  /** Why this is a kernel of its own instead of a part of the next one. */
  readonly cut?: string;
  /** Why it runs on the host and not on a device. */
  readonly hostOnly?: string;
}

/**
 * Kernels in the order in which they run. Columns are numbered: the inputs from 0 to
 * `inputs.length - 1`, then the result of kernel k as `inputs.length + k`.
 */
export interface Program {
  /** The types of the input columns. */
  readonly inputs: readonly ColumnType[];
  /** The kernels, in the order in which they run. */
  readonly kernels: readonly Kernel[];
  /** Column numbers of the results, in order; an input may be a result as it is. */
  readonly outputs: readonly number[];
  /**
   * A program over the same inputs that computes the same and fuses more, for batches in which all
   * text that its kernels read from the inputs is ASCII. Absent if nothing more can be fused.
   */
  readonly ascii?: Program;
}
