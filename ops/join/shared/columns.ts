/**
 * Which columns a join gives, under which names, and how a batch of them is put together.
 *
 * @module
 */

import { Field, Schema } from "apache-arrow";
import type { Backend, ResultLimits, ResultRows } from "../../../gpu/backend.ts";
import { nullColumn, releaseColumn, sameType } from "../../../gpu/column/column.ts";
import { widenColumn } from "../../../gpu/key/widen_column.ts";
import { columnTypeIn } from "../../batch/arrow_types.ts";
import { Batch } from "../../batch/batch.ts";
import { BatchColumn } from "../../batch/batch_column.ts";
import type { Names } from "../../engine/node.ts";
import type { EngineOption } from "../../engine/operator_of.ts";
import { checkNewNames } from "../../../streams/types/distinct_names.ts";
import { columnIndex } from "../../rows/column_names.ts";

/**
 * A column of the result. It is one of the probe side where `left` is a place in its schema, else the
 * one at `right`. Rows that the build side gives by itself take `right`, or nulls without one.
 */
export interface OutputColumn {
  readonly field: Field;
  readonly left?: number | undefined;
  readonly right?: number | undefined;
}

/** The columns of a result, and what both sides have to give for them. */
export interface JoinColumns {
  readonly schema: Schema;
  readonly outputs: readonly OutputColumn[];
  /** Places of the columns that a probe takes: of the probe side, and of the build side. */
  readonly probed: readonly number[];
  readonly payload: readonly number[];
  /** Places in the build side of what only its own rows need. */
  readonly lastPayload: readonly number[];
  /** The names of columns that no later step wants. */
  readonly unwanted: readonly string[];
}

/** The most that a batch of a join has, where the host finds its rows. */
export const limits: ResultLimits = { rows: 65_536, bytes: 64 << 20 };

/** The most that a batch of a join has, where a backend finds its rows. */
export function limitsOf({ resultRows }: Backend): ResultLimits {
  return { ...limits, rows: resultRows };
}

/** How columns of the build side come into the result of a join of any form. */
export interface BuildColumnsOptions extends EngineOption {
  /** The columns of the build side that come out, besides its keys. Default: all. */
  readonly columns?: readonly string[];
  /** Added to names of the build side that the stream has as well. Default: "_right". */
  readonly suffix?: string;
}

/** The default ending of names of the build side that the stream has as well. */
export const defaultSuffix = "_right";

/** Leaves out what no later step wants. */
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
    lastPayload: places(({ left, right }) => left === undefined ? undefined : right),
    unwanted: all.filter((output) => !isWanted(output)).map(({ field }) => field.name),
  };
}

/** The places of the columns that are taken of the build side, in its order: the named ones, or all. */
export function takenColumns(right: Schema, names: readonly string[] | undefined): number[] {
  const all = right.fields.map((_, place) => place);
  if (names === undefined) return all;
  const taken = new Set(names.map((name) => columnIndex(right, name)));
  return all.filter((place) => taken.has(place));
}

/** How columns of the build side come into the result. */
interface BuildColumnOptions {
  readonly suffix: string;
  /** Whether a row may come out without a build row. */
  readonly mayMiss: boolean;
}

/**
 * The columns of the build side at `places`, behind those of the stream: one whose name the stream has
 * gets the suffix, whatever other columns of the build side are called. Names that are then the same
 * are a TypeError.
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
    // Only a column that got the suffix, maybe an empty one, can clash.
    const moved = places.map((index) => right.fields[index]!.name).find((own) =>
      taken.has(own) && own + suffix === name
    );
    return `; give another suffix, or take columns of the build side without ${moved}`;
  });
  return added;
}

/**
 * The columns of the stream that may be needed for wanted ones of the result. A wanted column with
 * the suffix may be one of the build side; it has the suffix only as long as the stream has a column
 * of its name, which is then needed too.
 */
export function neededOnLeft(suffix: string, keys: Iterable<string>, wanted: Names): Names {
  if (wanted === undefined) return undefined;
  const needed = new Set([...keys, ...wanted]);
  for (const name of wanted) {
    if (name.endsWith(suffix)) needed.add(name.slice(0, name.length - suffix.length));
  }
  return needed;
}

/** Where rows of a result come from: a probe, or the build side alone. */
export type RowsOf = "probe" | "last";

/** The rows of a backend's result, which it takes over, as a batch. */
export async function outputBatch(
  { schema, outputs }: JoinColumns,
  { columns, numRows }: ResultRows,
  from: RowsOf,
  backend: Backend,
): Promise<Batch> {
  const places = from === "probe" ? placesOfProbe(outputs) : placesOfLast(outputs);
  const types = outputs.map(({ field }) => columnTypeIn(field));
  const rows = places.map((place, index) =>
    place < 0 ? nullColumn(types[index]!, numRows) : columns[place]!
  );
  const narrow = rows.flatMap((row, index) => sameType(row.type, types[index]!) ? [] : [index]);
  try {
    const onHost = await backend.download(narrow.map((index) => rows[index]!));
    for (const [at, index] of narrow.entries()) {
      const wide = widenColumn(onHost[at]!, types[index]!);
      releaseColumn(rows[index]!);
      rows[index] = wide;
    }
  } catch (error) {
    rows.forEach(releaseColumn);
    throw error;
  }
  const output = rows.map((row, index) => BatchColumn.fromColumn(outputs[index]!.field.type, row));
  return new Batch(schema, numRows, output);
}

/** For each output the place of its column in the result of a probe. */
function placesOfProbe(outputs: readonly OutputColumn[]): number[] {
  let next = 0;
  let nextBuild = outputs.filter(({ left }) => left !== undefined).length;
  return outputs.map(({ left }) => left === undefined ? nextBuild++ : next++);
}

/** The same in the rows that the build side gives by itself; -1 for columns that it lacks. */
function placesOfLast(outputs: readonly OutputColumn[]): number[] {
  let next = 0;
  let nextLast = outputs.filter(({ left }) => left === undefined).length;
  return outputs.map(({ left, right }) => {
    if (left === undefined) return next++;
    return right === undefined ? -1 : nextLast++;
  });
}

/** The places of the errors of a probe, in the order of its columns. */
export function resultPlaces({ outputs }: JoinColumns): string[] {
  const probed = outputs.filter(({ left }) => left !== undefined);
  const built = outputs.filter(({ left }) => left === undefined);
  return [...probed, ...built].map(({ field }) => `column ${field.name}`);
}
