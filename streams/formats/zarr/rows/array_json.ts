/**
 * The description of an array as JSON, which travels with its chunks. Lengths are numbers, and the fill
 * value is one item in hexadecimal digits. Items of a variable size have no `item_bytes`. `zarr` is the
 * metadata of the array that was read, as text, for everything else to keep, such as codecs; its chunks
 * may have changed since.
 *
 * @module
 */

import type { ZarrMetadata } from "../metadata/array_spec.ts";
import type { Chunked } from "../items/array.ts";

type Json = Readonly<Record<string, unknown>>;

/** Describes an array under a name. */
export function arrayToJson(array: Chunked, name: string): string {
  const { grid: { shape, chunk }, writeGrid, dataType, fill } = array;
  const { dimensionNames, attributes, metadata } = array;
  const isSharded = writeGrid.chunk.some((length, axis) => length !== chunk[axis]);
  return JSON.stringify({
    name,
    shape,
    chunk,
    ...(isSharded ? { shard: writeGrid.chunk } : {}),
    data_type: dataType,
    item_bytes: array.itemBytes,
    fill: fill.toHex(),
    ...(dimensionNames === undefined ? {} : { dimension_names: dimensionNames }),
    attributes,
    ...(metadata === undefined ? {} : { zarr: metadata }),
  });
}

/** Parses a description. Throws a TypeError that names the column for any other text. */
export function arrayFromJson(column: string, text: string): Chunked {
  const broken = (part: string): never => {
    throw new TypeError(`the metadata of column ${column} does not describe an array: ${part}`);
  };
  let json: Json;
  try {
    json = Object(JSON.parse(text));
  } catch {
    return broken("it is not JSON");
  }
  const { name, data_type: dataType, item_bytes: itemBytes, attributes = {} } = json;
  const shape = lengths(json.shape, 0) ?? broken("shape");
  const chunk = lengths(json.chunk, 1, shape.length) ?? broken("chunk");
  const shard = json.shard === undefined ? chunk : lengths(json.shard, 1, shape.length);
  if (shard === undefined || shard.some((length, axis) => length % chunk[axis]! !== 0)) {
    return broken("shard");
  }
  if (typeof name !== "string") return broken("name");
  if (typeof dataType !== "string") return broken("data_type");
  const common = {
    name,
    grid: { shape, chunk },
    writeGrid: { shape, chunk: shard },
    dimensionNames: json.dimension_names === undefined
      ? undefined
      : names(json.dimension_names, shape.length) ?? broken("dimension_names"),
    attributes: isRecord(attributes) ? attributes : broken("attributes"),
    ...(json.zarr === undefined ? {} : { metadata: metadataOf(json.zarr) ?? broken("zarr") }),
  };
  const fill = hexOf(json.fill) ?? broken("fill");
  if (itemBytes === undefined && (dataType === "string" || dataType === "bytes")) {
    return { ...common, dataType, fill };
  }
  if (!Number.isSafeInteger(itemBytes) || itemBytes as number < 1) return broken("item_bytes");
  if (fill.length !== itemBytes) return broken("fill");
  return { ...common, dataType, itemBytes, fill };
}

/** Returns a list of `count` lengths, each at least `least`; undefined for other values. */
function lengths(value: unknown, least: number, count?: number): number[] | undefined {
  if (!Array.isArray(value) || count !== undefined && value.length !== count) return undefined;
  return value.every((length) => Number.isSafeInteger(length) && length >= least)
    ? value
    : undefined;
}

function names(value: unknown, count: number): (string | null)[] | undefined {
  if (!Array.isArray(value) || value.length !== count) return undefined;
  return value.every((name) => name === null || typeof name === "string") ? value : undefined;
}

function hexOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  const isHex = typeof value === "string" && value.length % 2 === 0 && /^[0-9a-f]*$/i.test(value);
  return isHex ? Uint8Array.fromHex(value) : undefined;
}

function metadataOf(value: unknown): ZarrMetadata | undefined {
  if (!isRecord(value)) return undefined;
  const { format, array, attributes } = value;
  const isText = typeof array === "string" &&
    (attributes === undefined || typeof attributes === "string");
  if (!isText || format !== 2 && format !== 3) return undefined;
  return { format, array, ...(attributes === undefined ? {} : { attributes }) };
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
