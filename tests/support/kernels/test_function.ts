/** Row functions beside what they mean on plain JavaScript strings. */

import { parseRowFunction } from "../../../gpu/kernel/parse/parse_row_function.ts";
import type { Overload } from "../../../ops/string/define/define_string_op.ts";
import type { RowFunction, RowFunctionSpec } from "../../../gpu/kernel/language/row_function.ts";

/** An argument after the text. */
export type Argument = string | number | boolean;

/** A row function and its meaning on a string; null is null. */
export interface TestFunction {
  readonly fn: RowFunction;
  readonly meaning: (text: string, ...args: never[]) => string | number | boolean | null;
}

/** Parses a row function. */
export function testFunction<A extends Argument[]>(
  spec: Overload & Pick<RowFunctionSpec, "name">,
  meaning: (text: string, ...args: A) => string | number | boolean | null,
): TestFunction {
  return {
    fn: parseRowFunction(spec as RowFunctionSpec),
    meaning: meaning as unknown as TestFunction["meaning"],
  };
}
