/**
 * The columns that a join by equal keys gives: those of the stream, with a key once, then those of the
 * build side.
 *
 * @module
 */

import { type DataType, Field, type Schema } from "apache-arrow";
import {
  givesBuildColumns,
  givesProbeRows,
  joinKinds,
  payloadMayMiss,
} from "../../../gpu/join_kind.ts";
import type { EquiJoinSpec } from "./bound.ts";
import { buildColumns, type OutputColumn, takenColumns } from "../shared/columns.ts";
import type { KeyColumns } from "../shared/keys.ts";

/** What is known of both sides of a join. */
interface JoinSides {
  readonly left: Schema;
  readonly right: Schema;
  readonly leftKeys: KeyColumns;
  readonly rightKeys: KeyColumns;
  /** The common type of each pair of keys. */
  readonly types: readonly DataType[];
}

/** All columns of the result, before it is known which are wanted. */
export function equiColumns(spec: EquiJoinSpec, sides: JoinSides): OutputColumn[] {
  const { how, suffix, columns } = spec;
  const kind = joinKinds[how];
  const probed = probedColumns(spec, sides);
  if (!givesProbeRows(kind)) {
    const places = takenColumns(sides.right, columns);
    return buildColumns([], sides.right, places, { suffix, mayMiss: false });
  }
  if (!givesBuildColumns(kind)) return probed;
  const merged = new Set(mergedPairs(spec).map((pair) => sides.rightKeys.places[pair]));
  const places = takenColumns(sides.right, columns).filter((place) => !merged.has(place));
  const mayMiss = payloadMayMiss(kind);
  return [...probed, ...buildColumns(probed, sides.right, places, { suffix, mayMiss })];
}

/**
 * The pairs of keys whose right one does not come out, since the left one has its name. Where rows of
 * the build side come by themselves, a left key shows the first of its right ones; the others may
 * differ in such a row, and come out.
 */
function mergedPairs({ keys, how, keepKeys }: EquiJoinSpec): number[] {
  if (keepKeys) return [];
  const isShown = (left: string, pair: number) =>
    joinKinds[how].lastRows === "none" || keys.findIndex((key) => key.left === left) === pair;
  return keys.flatMap(({ left, right }, pair) =>
    typeof left === "string" && typeof right === "string" && isShown(left, pair) ? [pair] : []
  );
}

/** The columns of the stream, in which the keys of rows of the build side alone go too. */
function probedColumns({ keys, how, keepKeys }: EquiJoinSpec, sides: JoinSides): OutputColumn[] {
  const { left, leftKeys, rightKeys, types } = sides;
  const { lastRows, unmatchedRows } = joinKinds[how];
  const givesLast = lastRows !== "none";
  const pairOf = new Map<number, number>();
  for (const [pair, { left: key }] of keys.entries()) {
    const place = leftKeys.places[pair]!;
    const isNamed = typeof key === "string" && !pairOf.has(place);
    if (isNamed && givesLast && !keepKeys) pairOf.set(place, pair);
  }
  return left.fields.map(({ name, type, nullable, metadata }, place): OutputColumn => {
    const pair = pairOf.get(place);
    if (pair === undefined) {
      return { field: new Field(name, type, nullable || givesLast, metadata), left: place };
    }
    // Where the rows of the stream without a match do not come out, each row has a key on the right.
    const isShared = unmatchedRows > 0;
    const right = rightKeys.places[pair]!;
    const mayBeNull = rightKeys.schema.fields[right]!.nullable || (nullable && isShared);
    const field = new Field(name, types[pair]!, mayBeNull, metadata);
    return { field, left: isShared ? place : undefined, right };
  });
}
