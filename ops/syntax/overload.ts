/**
 * One row function of an operation, its arguments, and the steps of a conversion.
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
 * The type of an argument of an operation. A `literal` is known when the expression is compiled: a
 * single value, a list, named values or a regular expression. `any` is a literal or an expression.
 * `choose`, `check`, `expand` and `consts` get both; row functions get neither. `same` is a number in
 * the type that it and the receiver are computed in, for overloads whose keys are types of numbers.
 */
export type ParameterType = ArgType | "literal" | "any" | "same";

/** Numbers and tables that a row function reads. */
export type RowConsts = Readonly<Record<string, RowConst>>;

/** One row function of an operation. */
export interface Overload extends Omit<RowFunctionSpec, "name" | "consts" | "written"> {
  /**
   * The constants that the row function reads from its last parameter, or a function that makes them
   * from the literal arguments of a call, the defaults and the time zone, if any, of the timestamps
   * that it is called on. That function is called once for equal arguments and one zone.
   */
  readonly consts?: RowConsts | ((args: CallArgs, zone?: string) => RowConsts);
  /**
   * measure: the Arrow type of the result, as wide as `returns` (Int32, Boolean, Int64 or Float64 by
   * default). An i64 may hold the bits of a Float64. A list with `items: "i32"`: the Arrow type of its
   * items, of 32 bits (Int32 by default).
   */
  readonly gives?: DataType | ((on: DataType, args: CallArgs) => DataType);
  /** view and emit: as in a row function, but only for calls where `when` is true or missing. */
  readonly written?: NonNullable<RowFunctionSpec["written"]> & { when?(args: CallArgs): boolean };
  /**
   * Returns the problem with literal arguments, if there is one, such as a divisor 0.
   *
   * @internal
   */
  check?(args: CallArgs): string | undefined;
  /**
   * Returns the message for a null in a strict call: a clause, from marks that stand for the text of the
   * call and of its operands.
   *
   * @internal
   */
  refusal?(call: string, ...operands: string[]): string;
  /** The values of arguments that a call leaves out. An argument without a default is required. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * The arguments of one call by name: a literal as its value, any other argument as its node,
 * undefined where it was left out.
 */
export type CallArgs = Readonly<Record<string, LiteralData | ArgumentNode | undefined>>;

/** An argument that is an expression, whose value is not known when a call is compiled. */
export interface ArgumentNode {
  /** The kind of node: `column`, `call`. */
  readonly node: string;
}

/** A conversion of the receiver to a type that the arguments name. */
export interface ConversionSpec {
  /** Returns the type of the result of a call. */
  type(args: CallArgs): DataType;
  /**
   * Returns the row functions that convert one type to another, in order; none if the values stay
   * as they are, apart from their width. Returns a text that lists the possible targets where there is
   * no conversion.
   */
  steps(from: DataType, to: DataType, args: CallArgs): readonly ConversionStep[] | string;
}

/** One row function of a conversion. */
export interface ConversionStep {
  /** The key of the overload. */
  readonly overload: string;
  /** The type of its result. */
  readonly type: DataType;
  /** The time zone for its constants. */
  readonly zone?: string;
  /** The arguments for its constants, such as the scale of a decimal. */
  readonly args?: CallArgs;
}
