/**
 * The functions that JavaScript kernels declare for operators that JavaScript lacks. The bits of
 * every NaN are the same, since processors differ in those that they compute.
 *
 * @module
 */

import type { RowKernel, Scalar } from "../../ir/ir.ts";
import { visit } from "../../ir/visit.ts";

/** Two i32 and an f64 that share their bytes. */
const BITS: readonly string[] = [
  "const $float = new Float64Array(1), $halves = new Int32Array($float.buffer);",
];

/** The functions by their names, each with the declarations that it needs. */
const HELPERS: Readonly<Record<string, { readonly needs: readonly string[]; text: string }>> = {
  $low: { needs: BITS, text: "const $low = (x) => ($float[0] = x === x ? x : NaN, $halves[0]);" },
  $high: { needs: BITS, text: "const $high = (x) => ($float[0] = x === x ? x : NaN, $halves[1]);" },
  $join: {
    needs: BITS,
    text: "const $join = (low, high) => ($halves[0] = low, $halves[1] = high, $float[0]);",
  },
  // The sum has no room for a fraction; numbers that are as large have none.
  $nearest: {
    needs: [],
    text: `const $nearest = (x) => {
  const size = Math.abs(x);
  if (!(size < ${2 ** 52})) return x;
  const whole = size + ${2 ** 52} - ${2 ** 52};
  return x < 0 || Object.is(x, -0) ? -whole : whole;
};`,
  },
};

/** Returns the declarations of the functions that a kernel calls, by lines. */
export function helpersOf({ body }: RowKernel): string[] {
  const lines = new Set<string>();
  visit(body, {
    scalar: (scalar) => {
      const helper = HELPERS[nameOf(scalar) ?? ""];
      if (helper === undefined) return;
      helper.needs.forEach((line) => lines.add(line));
      lines.add(helper.text);
    },
  });
  return [...lines];
}

function nameOf(scalar: Scalar): string | null {
  if (scalar.op === "unary" && scalar.fn === "nearest") return "$nearest";
  if (scalar.op === "binary" && scalar.fn === "join") return "$join";
  if (scalar.op !== "convert" || scalar.fn !== "low" && scalar.fn !== "high") return null;
  return `$${scalar.fn}`;
}
