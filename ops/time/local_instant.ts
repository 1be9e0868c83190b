/**
 * Moves local times to instants where a zone may skip or repeat them.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import type { Helper, i32 } from "../../gpu/kernel/language/row_function.ts";
import { isUtc } from "../../streams/text/time_zones.ts";
import { knownZone } from "../syntax/time_zone.ts";
import { floorDivide, floorRemainder } from "./floor.ts";
import { NO_OFFSET, zoneOffset } from "./zone.ts";

const { toI32, toI64 } = numeric;

/**
 * Which instant a local time means that the zone skips or repeats: as `disambiguation` of Temporal, or
 * none; `compatible` is the later one in a gap, and the earlier one of two.
 */
export type Ambiguity = "earlier" | "later" | "compatible" | "none";

/**
 * Creates the helper that returns the offset of a local time, in seconds. NO_OFFSET where the zone skips
 * or repeats the time, and `ambiguous` is none. Where `preferred` is a valid offset of the time, it is
 * taken. Transitions are more than two days apart, so at most one is near.
 */
export function offsetOfLocal(
  zone: string | undefined,
  ambiguous: Ambiguity,
): Helper<(day: i32, second: i32, preferred: i32) => i32> {
  if (zone === undefined || isUtc(knownZone(zone))) {
    return defineHelper({
      args: ["i32", "i32", "i32"],
      returns: "i32",
      row: (_day, _second, _preferred) => 0,
    });
  }
  return defineHelper({
    args: ["i32", "i32", "i32"],
    returns: "i32",
    consts: {
      ...{ offsetAt: zoneOffset(zone), floorDivide, floorRemainder, toI32, toI64 },
      ...{ none: NO_OFFSET, isRefused: ambiguous === "none" ? 1 : 0 },
      gapTakesBefore: ambiguous === "earlier" ? 0 : 1,
      overlapTakesBefore: ambiguous === "later" ? 0 : 1,
    },
    row(day, second, preferred, given) {
      const before = given.offsetAt(day - 1, second);
      const after = given.offsetAt(day + 1, second);
      if (before === after) return before;
      const local = given.toI64(day) * 86400n + given.toI64(second);
      const early = local - given.toI64(before);
      const late = local - given.toI64(after);
      const isBefore = before === given.offsetAt(
        given.toI32(given.floorDivide(early, 86400n)),
        given.toI32(given.floorRemainder(early, 86400n)),
      );
      const isAfter = after === given.offsetAt(
        given.toI32(given.floorDivide(late, 86400n)),
        given.toI32(given.floorRemainder(late, 86400n)),
      );
      if (isBefore && !isAfter) return before;
      if (isAfter && !isBefore) return after;
      if (isBefore && (preferred === before || preferred === after)) return preferred;
      if (given.isRefused === 1) return given.none;
      const takesBefore = isBefore ? given.overlapTakesBefore : given.gapTakesBefore;
      return takesBefore === 1 ? before : after;
    },
  });
}
