/**
 * The columns of the result of a join by keys: those of the stream, with each key once, then those of
 * the build side.
 *
 * @module
 */

import { Field, type Schema } from "apache-arrow";
import {
  givesBuildColumns,
  givesProbeRows,
  joinKinds,
  payloadMayMiss,
} from "../../../gpu/join_kind.ts";
import type { EquiJoinSpec } from "./bound.ts";
import { buildColumns, type OutputColumn, takenColumns } from "../shared/columns.ts";
import type { BoundKeys } from "../shared/keys.ts";

/** Returns all columns of the result, wanted or not. */
export function equiColumns(
  spec: EquiJoinSpec,
  left: Schema,
  right: Schema,
  keys: BoundKeys,
): OutputColumn[] {
  const { how, suffix, taken } = spec;
  const kind = joinKinds[how];
  const probed = probedColumns(spec, left, keys);
  if (!givesProbeRows(kind)) {
    const places = takenColumns(right, taken);
    return buildColumns([], right, places, { suffix, mayMiss: false });
  }
  if (!givesBuildColumns(kind)) return probed;
  const merged = new Set(mergedPairs(spec).map((pair) => keys.right.given[pair]));
  const places = takenColumns(right, taken).filter((place) => !merged.has(place));
  const mayMiss = payloadMayMiss(kind);
  return [...probed, ...buildColumns(probed, right, places, { suffix, mayMiss })];
}

/**
 * Returns the pairs of keys whose right key does not come out, since the left one shows it. In a build-only
 * row a left key shows the first of its right keys. The others may differ in such a row, so they come out.
 */
function mergedPairs({ keys, how, keepKeys }: EquiJoinSpec): number[] {
  if (keepKeys) return [];
  const isShown = (left: string, pair: number) =>
    joinKinds[how].buildOnlyRows === "none" || keys.findIndex((key) => key.left === left) === pair;
  return keys.flatMap(({ left, right }, pair) =>
    typeof left === "string" && typeof right === "string" && isShown(left, pair) ? [pair] : []
  );
}

/** Returns the columns of the stream. Their keys also show those of build-only rows. */
function probedColumns(
  { keys, how, keepKeys }: EquiJoinSpec,
  left: Schema,
  bound: BoundKeys,
): OutputColumn[] {
  const { buildOnlyRows, unmatchedRows } = joinKinds[how];
  const givesBuildOnly = buildOnlyRows !== "none";
  const pairOf = new Map<number, number>();
  for (const [pair, { left: key }] of keys.entries()) {
    const place = bound.left.given[pair]!;
    const isNamed = typeof key === "string" && !pairOf.has(place);
    if (isNamed && givesBuildOnly && !keepKeys) pairOf.set(place, pair);
  }
  return left.fields.map(({ name, type, nullable, metadata }, place): OutputColumn => {
    const pair = pairOf.get(place);
    if (pair === undefined) {
      return { field: new Field(name, type, nullable || givesBuildOnly, metadata), left: place };
    }
    // If unmatched rows of the stream do not come out, each row has a key on the right.
    const isShared = unmatchedRows > 0;
    const right = bound.right.places[pair]!;
    const mayBeNull = bound.right.schema.fields[right]!.nullable || (nullable && isShared);
    const field = new Field(name, bound.types[pair]!, mayBeNull, metadata);
    return { field, left: isShared ? bound.left.places[pair] : undefined, right };
  });
}
