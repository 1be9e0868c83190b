/**
 * Loops that pass over bytes of a kind with WebAssembly: 16 bytes at once.
 *
 * @module
 */

import { spacePlace, type WasmScope } from "./emit_wasm_scalar.ts";
import type { BinaryFn, Scalar } from "./ir.ts";
import { type SkipLoop, SKIPPED_BYTE } from "./skip_loop.ts";
import type { WasmInstruction } from "./wasm_instructions.ts";

const COMPARISONS: Partial<Record<BinaryFn, string>> = {
  "==": "i8x16.eq",
  "!=": "i8x16.ne",
  "<": "i8x16.lt_u",
  "<=": "i8x16.le_u",
  ">": "i8x16.gt_u",
  ">=": "i8x16.ge_u",
};

/** The local that holds 16 bytes. */
const BYTES = "$bytes16";

/** The code of such a loop; null where what it stops at cannot be told of 16 bytes at once. */
export function skipCode(skip: SkipLoop, scope: WasmScope): WasmInstruction[] | null {
  const { name, bound, backward, column, base } = skip;
  const stops = testCode(skip.stops, scope);
  if (stops === null) return null;
  scope.local(BYTES, "v128");
  const [zero, place, limit, mask] = ["$zero", "$place", "$last", "$mask"]
    .map((local) => scope.local(local)) as [string, string, string, string];
  const moved = (by: readonly WasmInstruction[], op: "i32.add" | "i32.sub"): WasmInstruction[] => [
    ["local.get", place],
    ...by,
    [op],
    ["local.set", place],
  ];
  const isBefore: WasmInstruction[] = [
    ["local.get", place],
    ["local.get", limit],
    [backward ? "i32.gt_s" : "i32.lt_s"],
  ];
  return [
    ["local.get", name],
    ...scope.code(bound),
    [backward ? "i32.gt_s" : "i32.lt_s"],
    ["if", "$"],
    ["local.get", spacePlace({ space: "column", column })],
    ...scope.code(base),
    ["i32.add"],
    ["local.tee", zero],
    ["local.get", name],
    ["i32.add"],
    ["local.set", place],
    ["local.get", zero],
    ...scope.code(bound),
    ["i32.add"],
    ["local.set", limit],
    ["block", "$found"],
    ["loop", "$look"],
    ["local.get", place],
    ...(backward ? [["i32.const", 16] as const, ["i32.sub"] as const] : []),
    ["v128.load", 0],
    ["local.set", BYTES],
    ...stops,
    ["i8x16.bitmask"],
    ["local.tee", mask],
    ["if", "$"],
    ...(backward
      // Behind the highest byte that it stops at.
      ? moved([["i32.const", 16], ["local.get", mask], ["i32.clz"], ["i32.sub"]], "i32.add")
      : moved([["local.get", mask], ["i32.ctz"]], "i32.add")),
    ["br", "$found"],
    ["end"],
    ...moved([["i32.const", 16]], backward ? "i32.sub" : "i32.add"),
    ...isBefore,
    ["br_if", "$look"],
    ["end"],
    ["end"],
    // Never beyond the bound.
    ["local.get", place],
    ["local.get", limit],
    ...isBefore,
    ["select"],
    ["local.get", zero],
    ["i32.sub"],
    ["local.set", name],
    ["end"],
  ];
}

/** The code that leaves, for each of 16 bytes, whether a test of it holds; null for other tests. */
function testCode(test: Scalar, scope: WasmScope): WasmInstruction[] | null {
  if (test.op === "unary" && test.fn === "!") {
    const code = testCode(test.value, scope);
    return code && [...code, ["v128.not"]];
  }
  if (test.op !== "binary") return null;
  const { fn, left, right } = test;
  if (fn === "&&" || fn === "||") {
    const sides = [testCode(left, scope), testCode(right, scope)] as const;
    if (sides[0] === null || sides[1] === null) return null;
    return [...sides[0], ...sides[1], [fn === "&&" ? "v128.and" : "v128.or"]];
  }
  if (right.op !== "const") return null;
  const bound = Number(right.value);
  const op = COMPARISONS[fn];
  if (isByte(left) && op !== undefined && bound >= 0 && bound <= 255) {
    return [["local.get", BYTES], ["local.get", scope.splat(bound)], [op]];
  }
  return fn === "<u" ? rangeCode(left, bound, scope) : null;
}

/** A range of `count` bytes from some byte on: `byte - first` below `count`, as an unsigned number. */
function rangeCode(shifted: Scalar, count: number, scope: WasmScope): WasmInstruction[] | null {
  if (shifted.op !== "binary" || shifted.fn !== "+" || !isByte(shifted.left)) return null;
  const first = shifted.right.op === "const" ? -Number(shifted.right.value) : -1;
  if (first < 0 || count < 0 || first + count > 256 || count > 255) return null;
  return [
    ["local.get", BYTES],
    ["local.get", scope.splat(first)],
    ["i8x16.sub"],
    ["local.get", scope.splat(count)],
    ["i8x16.lt_u"],
  ];
}

function isByte(scalar: Scalar): boolean {
  return scalar.op === "local" && scalar.name === SKIPPED_BYTE;
}
