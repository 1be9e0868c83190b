/**
 * The columns of the result of a join, and their names.
 *
 * @module
 */

import { Field, Schema } from "apache-arrow";
import type { Names } from "../../engine/node.ts";
import type { EngineOption } from "../../engine/operator_of.ts";
import { checkNewNames } from "../../../streams/types/distinct_names.ts";
import { columnIndex } from "../../rows/column_names.ts";

/**
 * A column of the result: the column of the probe side at `left`, or without it the one of the build
 * side at `right`. Build-only rows take the column at `right`, or nulls without it.
 */
export interface OutputColumn {
  readonly field: Field;
  readonly left?: number | undefined;
  readonly right?: number | undefined;
}

/** The columns of a result, and the columns of both sides that they consist of. */
export interface JoinColumns {
  readonly schema: Schema;
  readonly outputs: readonly OutputColumn[];
  /** The places of the columns that pairs take: of the probe side, then of the build side. */
  readonly probed: readonly number[];
  readonly payload: readonly number[];
  /** The places of the columns of the build side that only build-only rows take. */
  readonly buildOnlyPayload: readonly number[];
  /** The names of columns that no later step wants. */
  readonly unwanted: readonly string[];
}

/** The columns of the build side in the result of a join of any form. */
export interface BuildColumnsOptions extends EngineOption {
  /** The columns of the build side that come out, besides its keys. Default: all. */
  readonly columns?: readonly string[];
  /** The suffix for names of the build side that the stream also has. Default: "_right". */
  readonly suffix?: string;
}

/** The default suffix for names of the build side that the stream also has. */
export const defaultSuffix = "_right";

/** Returns the columns of a result without those that no later step wants. */
export function joinColumns(
  all: readonly OutputColumn[],
  wanted: Names,
  metadata: Map<string, string>,
): JoinColumns {
  const isWanted = ({ field }: OutputColumn) => wanted === undefined || wanted.has(field.name);
  const outputs = all.filter(isWanted);
  const places = (place: (output: OutputColumn) => number | undefined) =>
    outputs.map(place).filter((index) => index !== undefined);
  return {
    schema: new Schema(outputs.map(({ field }) => field), metadata),
    outputs,
    probed: places(({ left }) => left),
    payload: places(({ left, right }) => left === undefined ? right : undefined),
    buildOnlyPayload: places(({ left, right }) => left === undefined ? undefined : right),
    unwanted: all.filter((output) => !isWanted(output)).map(({ field }) => field.name),
  };
}

/** Returns the places of the named columns of the build side, in its order; without names, all places. */
export function takenColumns(right: Schema, names: readonly string[] | undefined): number[] {
  const all = right.fields.map((_, place) => place);
  if (names === undefined) return all;
  const taken = new Set(names.map((name) => columnIndex(right, name)));
  return all.filter((place) => taken.has(place));
}

/** The names and types of columns of the build side in the result. */
interface BuildColumnOptions {
  readonly suffix: string;
  /** Whether a row may come out without a build row. */
  readonly mayMiss: boolean;
}

/**
 * Returns the columns of the build side at `places`, which follow those of the stream. A column whose
 * name the stream has gets the suffix, whatever the names of other columns of the build side. Throws a
 * TypeError for names that then clash.
 */
export function buildColumns(
  probed: readonly OutputColumn[],
  right: Schema,
  places: readonly number[],
  { suffix, mayMiss }: BuildColumnOptions,
): OutputColumn[] {
  const taken = new Set(probed.map(({ field }) => field.name));
  const added = places.map((index) => {
    const { name, type, nullable, metadata } = right.fields[index]!;
    const own = taken.has(name) ? name + suffix : name;
    return { field: new Field(own, type, nullable || mayMiss, metadata), right: index };
  });
  checkNewNames([...probed, ...added].map(({ field }) => field.name), (name) => {
    // Only a column that got the suffix, which may be empty, can clash.
    const moved = places.map((index) => right.fields[index]!.name).find((own) =>
      taken.has(own) && own + suffix === name
    );
    return `; give another suffix, or take columns of the build side without ${moved}`;
  });
  return added;
}

/**
 * Returns the columns of the stream that the wanted columns of the result may need. A wanted column with
 * the suffix may be one of the build side. It has the suffix only if the stream has a column of its name,
 * so that column is needed too.
 */
export function neededOnLeft(suffix: string, keys: Iterable<string>, wanted: Names): Names {
  if (wanted === undefined) return undefined;
  const needed = new Set([...keys, ...wanted]);
  for (const name of wanted) {
    if (name.endsWith(suffix)) needed.add(name.slice(0, name.length - suffix.length));
  }
  return needed;
}
