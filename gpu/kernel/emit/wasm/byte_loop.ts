/**
 * Loops over the bytes of a text with WebAssembly: 16 bytes at once.
 *
 * @module
 */

import { spaceName } from "../host/calling_convention.ts";
import { BYTES, byteTestCode, byteValueCode } from "./bytes.ts";
import type { WasmCode, WasmInstruction } from "./instructions.ts";
import type { WasmScope } from "./scalar.ts";
import type { MapBytes, Skip } from "../../ir/ir.ts";

/**
 * The code of a loop that passes over bytes; null where what it stops at cannot be told of 16 bytes at
 * once.
 */
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

/**
 * The code of a loop that maps bytes: 16 at once, of which the last ones may be too many; null where
 * what it appends cannot be told from 8 bits.
 */
export function mapCode(
  { at: name, bound, column, value }: MapBytes,
  scope: WasmScope,
): WasmCode | null {
  const mapped = byteValueCode(value, scope);
  if (mapped === null) return null;
  scope.local(BYTES, "v128");
  const place = scope.local("$place");
  const limit = scope.local("$last");
  const toPlace = (position: WasmCode, local: string): WasmCode => [
    ["local.get", spaceName({ space: "column", column })],
    position,
    ["i32.add"],
    ["local.set", local],
  ];
  const moved = (local: string): WasmInstruction[] => [
    ["local.get", local],
    ["i32.const", 16],
    ["i32.add"],
  ];
  return [
    toPlace([["local.get", name]], place),
    toPlace(scope.code(bound), limit),
    ["local.get", place],
    ["local.get", limit],
    ["i32.lt_s"],
    ["if", "$"],
    // Room for all of them.
    ["local.get", "$limit"],
    ["local.get", "$at"],
    ["i32.sub"],
    ["local.get", limit],
    ["local.get", place],
    ["i32.sub"],
    ["i32.lt_s"],
    ["br_if", "$full"],
    ["loop", "$map"],
    ["local.get", place],
    ["v128.load", 0],
    ["local.set", BYTES],
    ["local.get", "$at"],
    ...mapped,
    ["v128.store", 0],
    ...moved("$at"),
    ["local.set", "$at"],
    ...moved(place),
    ["local.tee", place],
    ["local.get", limit],
    ["i32.lt_s"],
    ["br_if", "$map"],
    ["end"],
    // Back over those that were too many.
    ["local.get", "$at"],
    ["local.get", place],
    ["local.get", limit],
    ["i32.sub"],
    ["i32.sub"],
    ["local.set", "$at"],
    scope.code(bound),
    ["local.set", name],
    ["end"],
  ];
}
