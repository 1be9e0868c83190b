import type { ArgType, i32, ParameterIn, RowConst } from "./row_function.ts";

/** What the author of a helper writes down. */
export interface HelperSpec {
  /** The types of the parameters, in order; a "string" is a view. */
  readonly args: readonly ArgType[] | Readonly<Record<string, ArgType>>;
  /** The type of its result. */
  readonly returns: "i32" | "bool";
  /** Read by the last parameter of `row`, as those of a row function are; other helpers too. */
  readonly consts?: Readonly<Record<string, RowConst>>;
  /** `row(...args, consts)`. */
  // deno-lint-ignore no-explicit-any -- its parameters are those that `args` names
  row(...parameters: any[]): number | boolean;
}

/** The parameters of a helper, by the types in its spec. */
export type HelperParameters<Args extends readonly ArgType[]> = {
  readonly [Index in keyof Args]: ParameterIn<Args[Index]>;
};

/** What a helper gives, by the type in its spec. */
export type HelperResult<Returns> = Returns extends "bool" ? boolean : i32;

/** A helper as a value, of whatever parameters. */
export interface AnyHelper {
  /** What it was defined with. */
  readonly helper: HelperSpec;
}

/**
 * A function that row functions share. It stands in their `consts`, and they call it: `isSpace(char)`.
 * `F` is its own type, which its row function has without the parameter for constants.
 *
 * Outside of row functions it can be called with numbers and booleans; the result is the one that
 * the generated code gives.
 */
// deno-lint-ignore no-explicit-any -- as in HelperSpec
export type Helper<F extends (...args: any[]) => number | boolean> = F & AnyHelper;

/** Whether a constant of a row function is a helper. */
export function isHelper(value: unknown): value is AnyHelper {
  return typeof value === "function" && "helper" in value;
}
