/**
 * The content of an array's metadata, for both versions of Zarr: a chain of codecs as in version 3, and
 * the names of its chunks.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import { type Configuration, type DataType, isObject, named } from "./data_type.ts";
import { shortJson } from "./short_json.ts";

/** The metadata of an array as its files contain it, kept when its chunks change. */
export interface ZarrMetadata {
  readonly format: 2 | 3;
  /** The text of `zarr.json` or `.zarray`. */
  readonly array: string;
  /** The text of `.zattrs`, if version 2 has one. */
  readonly attributes?: string;
}

/** The description of an array, for code that reads and writes its chunks. */
export interface ArraySpec {
  readonly shape: readonly number[];
  /** The number of items along each axis of a file. */
  readonly chunk: readonly number[];
  readonly type: DataType;
  /** The fill value: one item in host byte order. */
  readonly fill: Uint8Array<ArrayBuffer>;
  /** False for the null of version 2: missing items have no value then, and zeros are written. */
  readonly hasFill: boolean;
  readonly codecs: readonly CodecSpec[];
  readonly dimensionNames: readonly (string | null)[] | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Returns the path of the file of a chunk, relative to the array. */
  chunkPath(index: readonly number[]): string;
}

/** A codec, as version 3 declares it. */
export interface CodecSpec {
  readonly name: string;
  readonly configuration: Configuration;
}

/** Reads a shape: a list of lengths that are at least `least`. */
export function parseShape(value: unknown, what: string, least: 0 | 1): number[] {
  const isShape = Array.isArray(value) &&
    value.every((length) => Number.isSafeInteger(length) && length >= least);
  if (!isShape) throw new TypeError(`its ${what} ${shortJson(value)} is not a list of lengths`);
  return value;
}

/**
 * Reads the lengths of chunks, at least 1. Some writers use 0 along an axis without items, where any
 * length is right.
 */
export function parseChunk(value: unknown, what: string, shape: readonly number[]): number[] {
  const isEmpty = (length: unknown, axis: number) => length === 0 && shape[axis] === 0;
  const lengths = Array.isArray(value)
    ? value.map((length, axis) => isEmpty(length, axis) ? 1 : length)
    : value;
  const isChunk = Array.isArray(lengths) &&
    lengths.every((length) => Number.isSafeInteger(length) && length >= 1);
  if (!isChunk) throw new TypeError(`its ${what} ${shortJson(value)} is not a list of lengths`);
  return lengths;
}

/** The greatest number of axes, each of which may have a folder. */
const mostAxes = 64;
/** The greatest number of bytes of a chunk, which one buffer holds and the runtime reads at once. */
const mostChunkBytes = 2 ** 32 - 1;

/** The greatest number of bytes of an item, since its fill value is written out in full. */
const mostItemBytes = 64 << 20;

/** Throws for a shape and chunks that an array cannot have. */
export function checkSizes(
  shape: readonly number[],
  chunk: readonly number[],
  itemBytes: number,
): void {
  if (shape.length !== chunk.length) {
    throw new TypeError(`its shape has ${shape.length} axes, but its chunks have ${chunk.length}`);
  }
  if (shape.length > mostAxes) throw new TypeError(`it has ${shape.length} axes`);
  if (itemBytes > mostItemBytes) {
    throw new TypeError(`its items have ${itemBytes} bytes; at most 64 MiB are supported`);
  }
  if (!Number.isSafeInteger(product(shape) * itemBytes)) {
    throw new TypeError(`its shape [${shape}] has too many bytes`);
  }
  const chunkBytes = product(chunk) * itemBytes;
  if (chunkBytes > mostChunkBytes) {
    throw new TypeError(
      `its chunks [${chunk}] have ${chunkBytes} bytes; at most 4 GiB can be read`,
    );
  }
}

/** Reads the names of axes: a list with a string or null for each; undefined for any other value. */
export function dimensionNamesIn(value: unknown, rank: number): ArraySpec["dimensionNames"] {
  const areNames = Array.isArray(value) && value.length === rank &&
    value.every((name) => name === null || typeof name === "string");
  return areNames ? value : undefined;
}

/** Reads the names of axes, which may be absent. Throws a TypeError with a clause for other values. */
export function onlyDimensionNames(value: unknown, rank: number): ArraySpec["dimensionNames"] {
  if (value === undefined || value === null) return undefined;
  const names = dimensionNamesIn(value, rank);
  if (names !== undefined) return names;
  const shown = shortJson(value);
  throw new TypeError(
    `its dimension names ${shown} are not a list of ${rank} names, one for each axis`,
  );
}

/** Reads attributes, which must be an object if present. */
export function attributesIn(value: unknown): Record<string, unknown> {
  if (value === undefined) return {};
  if (!isObject(value)) throw new TypeError("its attributes are not an object");
  return value;
}

/** The greatest number of codecs in a list. */
const mostCodecs = 64;

/** Throws a TypeError for a list of too many codecs. */
export function checkNumCodecs(codecs: readonly unknown[]): void {
  if (codecs.length <= mostCodecs) return;
  throw new TypeError(
    `it has ${codecs.length} codecs; at most ${mostCodecs} are supported`,
  );
}

/** Reads a list of codecs. */
export function codecsIn(value: unknown): CodecSpec[] {
  if (!Array.isArray(value)) throw new TypeError("its codecs are not a list");
  checkNumCodecs(value);
  return value.map((declared) => {
    const codec = named(declared);
    if (codec.name === "") throw new TypeError(`its codec ${shortJson(declared)} has no name`);
    return codec;
  });
}
