/**
 * Loops that pass over bytes of a kind with WebAssembly: 16 bytes at once.
 *
 * @module
 */

import { BYTES, byteTestCode } from "./bytes.ts";
import { spaceName } from "../host/calling_convention.ts";
import type { WasmScope } from "./scalar.ts";
import type { Skip } from "../../ir/ir.ts";

import type { WasmCode, WasmInstruction } from "./instructions.ts";

/** The code of such a loop; null where what it stops at cannot be told of 16 bytes at once. */
export function skipCode(skip: Skip, scope: WasmScope): WasmCode | null {
  const { at: name, bound, backward, column, base } = skip;
  const stops = byteTestCode(skip.stops, scope);
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
    scope.code(bound),
    [backward ? "i32.gt_s" : "i32.lt_s"],
    ["if", "$"],
    ["local.get", spaceName({ space: "column", column })],
    scope.code(base),
    ["i32.add"],
    ["local.tee", zero],
    ["local.get", name],
    ["i32.add"],
    ["local.set", place],
    ["local.get", zero],
    scope.code(bound),
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
