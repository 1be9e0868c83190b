/**
 * Defines the functions that row functions share.
 *
 * @module
 */

import { ConstantView } from "./constant_view.ts";
import { type Constant, interpret } from "./interpret.ts";
import type {
  AnyHelper,
  ConstsIn,
  Helper,
  HelperArg,
  HelperParameters,
  HelperResult,
  HelperSpec,
  RowConst,
} from "../language/row_function.ts";
import { parseHelper } from "../parse/parse_row_function.ts";

/**
 * Defines a function that row functions share: it stands in their `consts`, and they call it. Its
 * `row` is in the language of row functions. It returns a number or a bool; or it takes a sink as
 * its first parameter, writes, and returns nothing. After its parameters it takes the values of its
 * own `consts`. It is parsed at its first use, once for all operations; a helper may use others,
 * but not itself.
 *
 * Called directly, it takes numbers, bigints for i64 and u64, and booleans. It throws a RangeError if it takes too many
 * steps, and a TypeError if it writes. Code outside of the language throws a `KernelError` at the
 * first use.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { defineHelper, defineStringOp } from "../../../mod.ts";
 *
 * const isDigit = defineHelper({
 *   args: ["i32"],
 *   returns: "bool",
 *   row: (char) => char >= 0x30 && char <= 0x39,
 * });
 * assertEquals([isDigit(0x37), isDigit(0x61)], [true, false]);
 *
 * const withoutDigits = defineStringOp({
 *   name: "withoutDigits",
 *   kind: "map",
 *   consts: { isDigit },
 *   row(out, char, { isDigit }) {
 *     if (!isDigit(char)) out.put(char);
 *   },
 * });
 * assertEquals(withoutDigits.kind, "map");
 * ```
 */
export function defineHelper<
  const Args extends readonly HelperArg[],
  Returns extends "i32" | "bool" | "i64" | "f64" | void = void,
  Consts extends Readonly<Record<string, RowConst>> = Record<never, never>,
>(spec: {
  readonly args: Args;
  readonly returns?: Returns;
  readonly consts?: Consts;
  readonly row: (
    ...parameters: [...HelperParameters<Args>, consts: ConstsIn<Consts>]
  ) => HelperResult<Returns>;
}): Helper<(...args: HelperParameters<Args>) => HelperResult<Returns>>;
export function defineHelper(spec: HelperSpec): AnyHelper {
  const helper = Object.freeze({ ...spec });
  const call = (...args: unknown[]): number | bigint | boolean => {
    const fn = parseHelper("A helper", { helper });
    if (fn.kind !== "measure") {
      throw new TypeError("Only a row function calls a helper that writes");
    }
    const result = interpret(fn, 0, fn.args.map(({ type }, index) => argument(type, args[index])));
    if (result?.is !== "value" || result.value instanceof ConstantView) {
      throw new RangeError("The helper takes too many steps to be called directly");
    }
    return result.value;
  };
  return Object.freeze(Object.assign(call, { helper }));
}

function argument(type: string, value: unknown): Constant {
  if (type === "i32" && typeof value === "number") return value | 0;
  if (type === "f64" && typeof value === "number") return value;
  const isLong = type === "i64" || type === "u64";
  if (isLong && typeof value === "bigint") return BigInt.asIntN(64, value);
  if (type === "bool" && typeof value === "boolean") return value;
  if (type === "string" && value instanceof ConstantView) return value;
  throw new TypeError(`A helper wants ${type} here and was given ${typeof value}`);
}
