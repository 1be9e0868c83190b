import { ConstantView } from "../fold/constant_view.ts";
import type { Helper, HelperSpec } from "./helper.ts";
import { type Constant, interpret } from "../fold/interpret.ts";
import { parseHelper } from "../parse/parse_row_function.ts";

/**
 * Defines a function that row functions share: it stands in their `consts` and is called as a
 * method of their last parameter. Its own `row` is in the language of row functions and gives an
 * integer or a bool. It is read at its first use, once for all the operations that use it; a helper
 * may use others, but not itself.
 *
 * Called directly it takes numbers and booleans, and raises a RangeError where it takes too many
 * steps. What is not of the language is a `KernelError` at the first use.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { defineHelper, defineStringOp, type Helper, type i32, type Sink } from "../../../mod.ts";
 *
 * const isDigit: Helper<(char: i32) => boolean> = defineHelper({
 *   args: { char: "i32" },
 *   returns: "bool",
 *   row: (char: i32) => char >= 0x30 && char <= 0x39,
 * });
 * assertEquals([isDigit(0x37), isDigit(0x61)], [true, false]);
 *
 * const withoutDigits = defineStringOp({
 *   name: "withoutDigits",
 *   kind: "map",
 *   consts: { isDigit },
 *   row(out: Sink, char: i32, c: { isDigit: typeof isDigit }) {
 *     if (!c.isDigit(char)) out.put(char);
 *   },
 * });
 * assertEquals(withoutDigits.kind, "map");
 * ```
 */
// deno-lint-ignore no-explicit-any -- as in Helper
export function defineHelper<F extends (...args: any[]) => number | boolean>(
  spec: HelperSpec,
): Helper<F> {
  const helper = Object.freeze({ ...spec });
  const call = (...args: unknown[]): number | boolean => {
    const fn = parseHelper("A helper", { helper });
    const result = interpret(fn, 0, fn.args.map(({ type }, index) => argument(type, args[index])));
    if (result?.is !== "value" || result.value instanceof ConstantView) {
      throw new RangeError("The helper takes too many steps to be called directly");
    }
    return result.value;
  };
  return Object.freeze(Object.assign(call, { helper })) as unknown as Helper<F>;
}

function argument(type: string, value: unknown): Constant {
  if (type === "i32" && typeof value === "number") return value | 0;
  if (type === "bool" && typeof value === "boolean") return value;
  if (type === "string" && value instanceof ConstantView) return value;
  throw new TypeError(`A helper wants ${type} here and was given ${typeof value}`);
}
