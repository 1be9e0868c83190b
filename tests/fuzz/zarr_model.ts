/** Arrays of Zarr as the model has them: their chunks as rows, and rows that make an array again. */

import { type DataType, Field, FixedSizeList, Int64, List } from "apache-arrow";
import { type ModelColumn, TooLarge } from "../support/models/expr_model_types.ts";
import type { CaseStep } from "./fuzz_case.ts";
import type { ModelArray } from "./model_array.ts";
import type { ModelTable } from "./model_table.ts";
import { axisNames, type ZarrItems, zarrItems, type ZarrLayout } from "./zarr_layout.ts";

/** An array with the items of all chunks, in C order. */
export interface ModelChunks {
  readonly array: ModelArray;
  readonly lists: readonly (readonly unknown[])[];
}

/** Rows are no array: with `told` in the message. */
export class ModelArrayError extends Error {
  constructor(readonly told: string) {
    super(told);
  }
}

/** The number of items, or of chunks. */
export function product(lengths: readonly number[]): number {
  return lengths.reduce((all, length) => all * length, 1);
}

/** All places of a box that begins at 0, in C order. */
export function* placesOf(lengths: readonly number[]): Generator<readonly number[], void, void> {
  const [length, ...others] = lengths;
  if (length === undefined) yield [];
  else for (let at = 0; at < length; at++) for (const rest of placesOf(others)) yield [at, ...rest];
}

/** The number of a place in C order. */
export function numberOf(place: readonly number[], lengths: readonly number[]): number {
  return place.reduce((sum, at, axis) => sum * lengths[axis]! + at, 0);
}

/** The numbers of chunks along each axis. */
export function countsOf({ shape, chunk }: Pick<ModelArray, "shape" | "chunk">): number[] {
  return shape.map((length, axis) => Math.ceil(length / chunk[axis]!));
}

/** The array of a layout over the columns of a table. */
export function arrayOfLayout({ columns }: ModelTable, layout: ZarrLayout): ModelChunks {
  const { column, shape, chunk, fill: fillKind, version } = layout;
  const { type, values } = columns.find(({ name }) => name === column) ?? tooLarge("no column");
  const items = zarrItems(type) ?? tooLarge(`${type} in Zarr`);
  if (version === 3 && items.names[0] === undefined) throw new TooLarge(`${type} in version 3`);
  const fill = fillKind === "value" ? items.fill : items.zero;
  const array = { name: column, shape, chunk, items, fill, layout };
  return chunksOf(array, itemsOfLayout(layout, items, fill, values));
}

/** The items of an array of a layout, of the values of its column. */
export function itemsOfLayout(
  { shape, chunk, missing = [] }: ZarrLayout,
  items: ZarrItems,
  fill: unknown,
  values: readonly unknown[],
): readonly unknown[] {
  const counts = countsOf({ shape, chunk });
  return [...placesOf(shape)].map((place, at) => {
    const value = values[at % values.length];
    const index = place.map((step, axis) => Math.floor(step / chunk[axis]!));
    const isMissing = missing.includes(numberOf(index, counts));
    return isMissing || value === null || value === undefined ? fill : items.of(value);
  });
}

/** An array of items in C order; chunks at its end are filled up. */
function chunksOf(array: ModelArray, items: readonly unknown[]): ModelChunks {
  const { shape, chunk, fill } = array;
  const lists = [...placesOf(countsOf(array))].map((index) =>
    [...placesOf(chunk)].map((place) => {
      const at = place.map((step, axis) => index[axis]! * chunk[axis]! + step);
      return at.every((step, axis) => step < shape[axis]!) ? items[numberOf(at, shape)] : fill;
    })
  );
  return { array, lists };
}

/** All items in C order. */
export function itemsOf({ array, lists }: ModelChunks): readonly unknown[] {
  const { shape, chunk } = array;
  const counts = countsOf(array);
  return [...placesOf(shape)].map((at) => {
    const index = at.map((step, axis) => Math.floor(step / chunk[axis]!));
    const place = at.map((step, axis) => step % chunk[axis]!);
    return lists[numberOf(index, counts)]![numberOf(place, chunk)];
  });
}

/** The rows of an array. */
export function rowsOf({ array, lists }: ModelChunks): ModelTable {
  const { name, chunk, items: { item, itemBytes } } = array;
  const field = new Field("item", item, true);
  const type = itemBytes === undefined ? new List(field) : new FixedSizeList(product(chunk), field);
  const origins = [...placesOf(countsOf(array))].map((index) =>
    index.map((step, axis) => BigInt(step * chunk[axis]!))
  );
  const own = name === ORIGIN ? "chunk" : name;
  return {
    columns: [
      { name: ORIGIN, type: originType(chunk), values: origins },
      { name: own, type, values: lists, array },
    ],
    numRows: lists.length,
  };
}

const ORIGIN = "origin";

function originType(chunk: readonly number[]): DataType {
  return new FixedSizeList(chunk.length, new Field("item", new Int64(), true));
}

/** The column with the chunks of an array, where a table has one and where its chunks lie. */
export function arrayIn({ columns }: ModelTable): ModelArray | undefined {
  const [column, other] = columns.filter(({ array }) => array !== undefined);
  if (column === undefined || other !== undefined || column.name === ORIGIN) return undefined;
  const origin = columns.find(({ name }) => name === ORIGIN);
  return `${origin?.type}` === `${originType(column.array!.chunk)}` ? column.array : undefined;
}

/** The array that the rows of a table make. Throws a ModelArrayError where they do not form a box. */
export function arrayOfRows(table: ModelTable): ModelChunks {
  const array = arrayIn(table) ?? tooLarge("no chunks");
  const { shape, chunk, origin } = array;
  const lists = new Map<string, readonly unknown[]>();
  const places: (readonly number[])[] = [];
  const column = table.columns.find((column) => column.array === array) as ModelColumn;
  const origins = table.columns.find(({ name }) => name === ORIGIN) as ModelColumn;
  for (const [row, start] of origins.values.entries()) {
    const place = (start as readonly bigint[]).map((at, axis) => Number(at) / chunk[axis]!);
    if (lists.has(`${place}`)) throw new ModelArrayError(" occurs twice");
    lists.set(`${place}`, column.values[row] as readonly unknown[]);
    places.push(place);
  }
  const counts = countsOf(array);
  if (places.length === 0 && product(counts) > 0) throw new ModelArrayError("");
  const isWhole = places.length === product(counts);
  const first = shape.map((_, axis) => isWhole ? 0 : least(places.map((place) => place[axis]!)));
  const numbers = shape.map((_, axis) =>
    isWhole ? counts[axis]! : 1 - first[axis]! - least(places.map((place) => -place[axis]!))
  );
  if (product(numbers) !== places.length) throw new ModelArrayError(" do not form a box");
  const from = first.map((place, axis) => place * chunk[axis]!);
  const part = {
    ...array,
    shape: numbers.map((number, axis) =>
      Math.min(number * chunk[axis]!, shape[axis]! - from[axis]!)
    ),
    ...(isWhole
      ? {}
      : { origin: from.map((at, axis) => at + (origin === undefined ? 0 : origin[axis]!)) }),
  };
  return {
    array: part,
    lists: [...placesOf(numbers)].map((place) =>
      lists.get(`${place.map((at, axis) => first[axis]! + at)}`)!
    ),
  };
}

/** The lengths of chunks that rechunking makes of an array. */
function targetOf(
  { shape, chunk, layout }: ModelArray,
  to: readonly number[] | Readonly<Record<string, number>>,
): readonly number[] {
  const names = axisNames({ shape });
  const wanted = Array.isArray(to)
    ? to as readonly number[]
    : shape.map((_, axis) => (to as Record<string, number>)[names[axis]!] ?? chunk[axis]!);
  if (!Array.isArray(to) && !layout.isNamed) throw new TooLarge("axes without names");
  if (wanted.length !== shape.length) throw new TooLarge("other axes");
  return wanted.map((length, axis) =>
    Math.max(1, length === -1 ? shape[axis]! : Math.min(length, shape[axis]!))
  );
}

/** The array in other chunks, of rows that are all of its chunks. */
export function rechunkedRows(
  table: ModelTable,
  { to }: CaseStep & { do: "rechunk" },
): ModelTable {
  const before = arrayIn(table) ?? tooLarge("no chunks");
  if (table.numRows < product(countsOf(before))) throw new ModelArrayError("");
  const { array, ...chunks } = arrayOfRows(table);
  const chunk = targetOf(array, to);
  // A sharded array is written with one chunk in each shard.
  const layout = { ...array.layout, ...(array.layout.shard === undefined ? {} : { shard: chunk }) };
  const after = { ...array, layout, chunk };
  const rows = rowsOf(chunksOf(after, itemsOf({ array, ...chunks })));
  // They come box by box.
  return rows.numRows < 2 ? rows : { ...rows, isUnordered: true };
}

/** Memory that suffices for every array of a case. */
export const LARGE_MEMORY = 64e6;

function least(numbers: readonly number[]): number {
  return Math.min(...numbers);
}

function tooLarge(what: string): never {
  throw new TooLarge(what);
}
