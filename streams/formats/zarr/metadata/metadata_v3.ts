/**
 * The metadata of Zarr version 3: `zarr.json`.
 * Source: https://zarr-specs.readthedocs.io/en/latest/v3/core/v3.0.html.
 *
 * @module
 */

import {
  type ArraySpec,
  attributesIn,
  checkSizes,
  codecsIn,
  onlyDimensionNames,
  parseChunk,
  parseShape,
} from "./array_spec.ts";
import { dataTypeOf, isObject, named } from "./data_type.ts";
import { parseExactJson, plainJson, printExactJson } from "./exact_json.ts";
import { fillItem } from "./fill_value.ts";
import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";
import { shortJson } from "./short_json.ts";

/** The keys that an array may have. Any other key must be marked as safe to ignore. */
const knownKeys = new Set([
  ...["zarr_format", "node_type", "shape", "data_type", "chunk_grid", "chunk_key_encoding"],
  ...["codecs", "fill_value", "attributes", "dimension_names", "storage_transformers"],
]);

/** Reads the document of an array. Throws a TypeError or a SyntaxError whose message is a clause. */
export function parseMetadata3(array: string): ArraySpec {
  const exact = parseExactJson(array);
  const document = plainJson(exact);
  if (!isObject(exact) || !isObject(document)) throw new TypeError("its metadata is not an object");
  checkUnderstood(document, knownKeys);
  const transformers = document["storage_transformers"];
  if (Array.isArray(transformers) && transformers.length > 0) {
    throw new UnsupportedZarrError("it has storage transformers, which are not supported");
  }
  const shape = parseShape(document["shape"], "shape", 0);
  const chunk = chunkShapeIn(document["chunk_grid"], shape);
  const type = dataTypeOf(document["data_type"]);
  checkSizes(shape, chunk, type.itemBytes);
  return {
    shape,
    chunk,
    type,
    fill: fillItem(type, exact["fill_value"]),
    hasFill: true,
    codecs: orPlain(codecsIn(document["codecs"])),
    dimensionNames: onlyDimensionNames(document["dimension_names"], shape.length),
    attributes: attributesIn(document["attributes"]),
    chunkPath: chunkPathsOf(document["chunk_key_encoding"]),
  };
}

/** The facts that change in an array; the rest of its metadata stays. */
interface Changes3 {
  readonly shape: readonly number[];
  /** The number of items of a file along each axis. */
  readonly chunk: readonly number[];
  readonly codecs: readonly unknown[];
}

/** Returns the text of `zarr.json` with other chunks. */
export function changedMetadata3(array: string, { shape, chunk, codecs }: Changes3): string {
  const document = parseExactJson(array) as Record<string, unknown>;
  const grid = { name: "regular", configuration: { chunk_shape: chunk } };
  return printExactJson({ ...document, shape, chunk_grid: grid, codecs });
}

/** Returns the codecs as the document has them, with exact numbers. */
export function exactCodecs(array: string): readonly unknown[] {
  return orPlain((parseExactJson(array) as { codecs: readonly unknown[] }).codecs);
}

/** Adds the codec for little-endian bytes where there is none, as zarrita writes plain items. */
function orPlain<T>(codecs: readonly T[]): readonly (T | typeof plainCodec)[] {
  return codecs.length === 0 ? [plainCodec] : codecs;
}

const plainCodec = { name: "bytes", configuration: { endian: "little" } };

/** Throws for an unknown key of a document that is not marked as safe to ignore. */
function checkUnderstood(
  document: Record<string, unknown>,
  known: ReadonlySet<string>,
): void {
  for (const [key, value] of Object.entries(document)) {
    if (known.has(key) || (isObject(value) && value["must_understand"] === false)) continue;
    throw new UnsupportedZarrError(`its metadata has ${shortJson(key)}, which is not supported`);
  }
}

function chunkShapeIn(declared: unknown, shape: readonly number[]): number[] {
  const { name, configuration } = named(declared);
  if (name !== "regular") {
    throw new UnsupportedZarrError(
      `its chunk grid ${shortJson(name)} is not supported, only "regular" is`,
    );
  }
  return parseChunk(configuration["chunk_shape"], "chunk shape", shape);
}

/** Returns the function for the paths of chunks: "c/0/1" by default, "0.1" as in version 2. */
function chunkPathsOf(declared: unknown): ArraySpec["chunkPath"] {
  const { name, configuration } = named(declared);
  if (name !== "default" && name !== "v2") {
    throw new UnsupportedZarrError(`its chunk key encoding ${shortJson(name)} is not supported`);
  }
  const separator = configuration["separator"] ?? (name === "default" ? "/" : ".");
  if (separator !== "/" && separator !== ".") {
    throw new TypeError(`its separator ${shortJson(separator)} is neither "." nor "/"`);
  }
  if (name === "v2") return (index) => index.length === 0 ? "0" : index.join(separator);
  return (index) => ["c", ...index].join(separator);
}
