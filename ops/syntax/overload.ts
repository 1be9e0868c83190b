/**
 * One row function of an operation, the arguments that it takes, and the steps of a conversion.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import type { ArgType, RowConst, RowFunctionSpec } from "../../gpu/kernel/language/row_function.ts";
import type { LiteralData } from "./literal.ts";

/** A parameter of an operation. */
export interface StringOpParameter {
  /** The name in signatures and errors. */
  readonly name: string;
  /** The type of its values. */
  readonly type: ParameterType;
  /** Whether a call may leave it out. */
  readonly optional: boolean;
}

/**
 * Type of an argument of an operation. A `literal` is known when the expression is compiled: a
 * single value, a list, named values or a regular expression; `any` is a literal or an expression.
 * Row functions get neither; `choose`, `check`, `expand` and `consts` do.
 */
export type ParameterType = ArgType | "literal" | "any";

/** Numbers and tables that a row function reads. */
export type RowConsts = Readonly<Record<string, RowConst>>;

/** One row function of an operation. */
export interface Overload extends Omit<RowFunctionSpec, "name" | "consts" | "written"> {
  /**
   * What the row function reads from its last parameter; a function makes it from the literal
   * arguments of a call and the defaults, and from the time zone of the timestamps that it is called
   * on, if they have one. It is asked once for equal arguments and one zone.
   */
  readonly consts?: RowConsts | ((args: CallArgs, zone?: string) => RowConsts);
  /**
   * measure: the Arrow type of the result, of the width of `returns` (Int32, Boolean, Int64 or
   * Float64 by default). Bits that are returned as an i64 may be those of a Float64. A list with
   * `items: "i32"`: the Arrow type of its items (Int32 by default, else one of 32 bits).
   */
  readonly gives?: DataType;
  /** view and emit: as that of a row function, for the calls of which `when` is true, or for all. */
  readonly written?: NonNullable<RowFunctionSpec["written"]> & { when?(args: CallArgs): boolean };
  /**
   * The values of arguments that a call leaves out. An argument without a default must be given.
   */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * The arguments of one call by name: a literal as its value, anything else as its node. One that
 * was left out is undefined.
 */
export type CallArgs = Readonly<Record<string, LiteralData | ArgumentNode | undefined>>;

/** An argument that is an expression, and not known when a call is compiled. */
export interface ArgumentNode {
  /** The kind of node: `column`, `call`. */
  readonly node: string;
}

/** A conversion of the receiver to a type that the arguments name. */
export interface ConversionSpec {
  /** The type of what a call gives. */
  type(args: CallArgs): DataType;
  /**
   * The row functions from values of a type to those of another, one after the other; none where the
   * values stay as they are, at most in more bits. A text where there is no way: what the type can be
   * converted to.
   */
  steps(from: DataType, to: DataType): readonly ConversionStep[] | string;
}

/** One row function of a conversion. */
export interface ConversionStep {
  /** The key of its overload. */
  readonly overload: string;
  /** The type of what it gives. */
  readonly type: DataType;
  /** The time zone that its constants are made for. */
  readonly zone?: string;
}
