/** @module */

import { BYTES, byteValueCode } from "./bytes.ts";
import { spaceName } from "../host/calling_convention.ts";
import type { WasmScope } from "./scalar.ts";
import type { MapBytes } from "../../ir/ir.ts";

import type { WasmCode, WasmInstruction } from "./instructions.ts";

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
