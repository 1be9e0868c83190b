/**
 * What the metadata of an array says, of both versions of Zarr: one chain of codecs as version 3 has
 * it, and the names of its chunks.
 *
 * @module
 */

import { product } from "../chunks/grid.ts";
import { type Configuration, type DataType, isObject, named } from "./data_type.ts";

/** The metadata of an array as its files hold it: what is kept when its chunks change. */
export interface ZarrMetadata {
  readonly format: 2 | 3;
  /** The text of `zarr.json`, or of `.zarray`. */
  readonly array: string;
  /** The text of `.zattrs`, where version 2 has one. */
  readonly attributes?: string;
}

/** An array as those see it who read and write its chunks. */
export interface ArraySpec {
  readonly shape: readonly number[];
  /** Items along each axis of what is one file. */
  readonly chunk: readonly number[];
  readonly type: DataType;
  /** One item, in the order of the host. */
  readonly fill: Uint8Array<ArrayBuffer>;
  /** False for the null of version 2: then what is missing has no values, and zeros are written. */
  readonly hasFill: boolean;
  readonly codecs: readonly CodecSpec[];
  readonly dimensionNames: readonly (string | null)[] | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The file of a chunk, relative to the array. */
  chunkPath(index: readonly number[]): string;
}

/** A codec as version 3 declares it. */
export interface CodecSpec {
  readonly name: string;
  readonly configuration: Configuration;
}

/** Reads a shape: a list of lengths of at least `least`. */
export function parseShape(value: unknown, what: string, least: 0 | 1): number[] {
  const isShape = Array.isArray(value) &&
    value.every((length) => Number.isSafeInteger(length) && length >= least);
  if (!isShape) throw new TypeError(`its ${what} ${JSON.stringify(value)} is no list of lengths`);
  return value;
}

/** More axes than any array has; a path for each. */
const mostAxes = 64;
/** Bytes of a chunk that one buffer can hold, and the runtime can read at once. */
const mostChunkBytes = 2 ** 32 - 1;

/** Throws where a shape and the chunks of an array cannot be. */
export function checkSizes(
  shape: readonly number[],
  chunk: readonly number[],
  itemBytes: number,
): void {
  if (shape.length !== chunk.length) {
    throw new TypeError(`its shape has ${shape.length} axes, its chunks have ${chunk.length}`);
  }
  if (shape.length > mostAxes) throw new TypeError(`it has ${shape.length} axes`);
  if (!Number.isSafeInteger(product(shape) * itemBytes)) {
    throw new TypeError(`its shape [${shape}] has more bytes than can be counted`);
  }
  const chunkBytes = product(chunk) * itemBytes;
  if (chunkBytes > mostChunkBytes) {
    throw new TypeError(
      `its chunks [${chunk}] have ${chunkBytes} bytes, 4 GiB at most can be read`,
    );
  }
}

/** The names of the axes, where a list gives a string or null for each. */
export function dimensionNamesIn(value: unknown, rank: number): ArraySpec["dimensionNames"] {
  const areNames = Array.isArray(value) && value.length === rank &&
    value.every((name) => name === null || typeof name === "string");
  return areNames ? value : undefined;
}

/** Attributes, which are an object if there are any. */
export function attributesIn(value: unknown): Record<string, unknown> {
  if (value === undefined) return {};
  if (!isObject(value)) throw new TypeError("its attributes are no object");
  return value;
}

/** Reads a list of codecs. */
export function codecsIn(value: unknown): CodecSpec[] {
  if (!Array.isArray(value)) throw new TypeError("its codecs are no list");
  return value.map((declared) => {
    const codec = named(declared);
    if (codec.name === "") throw new TypeError(`its codec ${JSON.stringify(declared)} has no name`);
    return codec;
  });
}
