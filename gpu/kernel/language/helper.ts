import type { ArgType, i32, ParameterIn, RowConst, Sink } from "./row_function.ts";

/** Type of a parameter of a helper. */
export type HelperArg = ArgType | "sink";

/** What the author of a helper writes down. */
export interface HelperSpec {
  /** The types of the parameters, in order: a "string" is a view, and only the first can be a sink. */
  readonly args: readonly HelperArg[];
  /** The type of its result; a helper that takes a sink writes, and gives none. */
  readonly returns?: "i32" | "bool";
  /** Read by the last parameter of `row`, as those of a row function are; other helpers too. */
  readonly consts?: Readonly<Record<string, RowConst>>;
  /** `row(...args, consts)`. */
  // deno-lint-ignore no-explicit-any -- its parameters are those that `args` names
  row(...parameters: any[]): number | boolean | void;
}

/** The parameters of a helper, by the types in its spec. */
export type HelperParameters<Args extends readonly HelperArg[]> = {
  readonly [Index in keyof Args]: Args[Index] extends "sink" ? Sink : ParameterIn<Args[Index]>;
};

/** What a helper gives, by the type in its spec. */
export type HelperResult<Returns> = Returns extends "bool" ? boolean
  : Returns extends "i32" ? i32
  : void;

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
export type Helper<F extends (...args: any[]) => number | boolean | void> = F & AnyHelper;

/** Whether a constant of a row function is a helper. */
export function isHelper(value: unknown): value is AnyHelper {
  return typeof value === "function" && "helper" in value;
}
