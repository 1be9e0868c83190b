/**
 * The metadata of Zarr version 2: `.zarray` and `.zattrs`.
 * Source: https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html.
 *
 * @module
 */

import {
  type ArraySpec,
  attributesIn,
  checkNumCodecs,
  checkSizes,
  type CodecSpec,
  dimensionNamesIn,
  parseChunk,
  parseShape,
} from "./array_spec.ts";
import {
  bytesType,
  type Configuration,
  type DataType,
  dataTypeOf,
  hasAnyLength,
  isObject,
  rawType,
  textType,
} from "./data_type.ts";
import { exactInteger, parseExactJson, plainJson, printExactJson } from "./exact_json.ts";
import { fillItem } from "./fill_value.ts";
import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";
import { shortJson } from "./short_json.ts";

/** Reads the two documents. Throws a TypeError or a SyntaxError whose message is a clause. */
export function parseMetadata2(array: string, attributes: string | undefined): ArraySpec {
  const exact = parseExactJson(array);
  const document = plainJson(exact);
  if (!isObject(exact) || !isObject(document)) throw new TypeError("its metadata is not an object");
  const format = document["zarr_format"];
  if (format !== 2) {
    throw new TypeError(`its metadata has the Zarr format ${shortJson(format)}, not 2`);
  }
  const shape = parseShape(document["shape"], "shape", 0);
  const chunk = parseChunk(document["chunks"], "chunks", shape);
  const { type, endian } = objectType(document) ?? parseDataType(document["dtype"]);
  checkSizes(shape, chunk, type.itemBytes);
  const attributeValues = attributesIn(
    attributes === undefined ? undefined : plainJson(parseExactJson(attributes)),
  );
  const separator = separatorIn(document["dimension_separator"]);
  return {
    shape,
    chunk,
    type,
    fill: fillItem(type, exact["fill_value"]),
    hasFill: hasFill(type, exact["fill_value"]),
    codecs: codecsOf(document, type, endian, shape.length),
    dimensionNames: dimensionNamesIn(attributeValues["_ARRAY_DIMENSIONS"], shape.length),
    attributes: attributeValues,
    chunkPath: (index) => index.length === 0 ? "0" : index.join(separator),
  };
}

/**
 * Whether a chunk of fill values means the same as a missing one. zarr-python writes 0 for variable items
 * and reads it as the number, not as an empty item.
 */
function hasFill(type: DataType, value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return !(hasAnyLength(type) && exactInteger(value) !== undefined);
}

/** The facts that change in an array; the rest of its metadata stays. */
interface Changes2 {
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
}

/** Returns the text of `.zarray` with other chunks. */
export function changedMetadata2(array: string, { shape, chunk }: Changes2): string {
  const document = parseExactJson(array) as Record<string, unknown>;
  return printExactJson({ ...document, shape, chunks: chunk });
}

/** A type, and its byte order. */
interface OrderedType {
  readonly type: DataType;
  readonly endian: "little" | "big";
}

/** Returns the type of Python objects, which their filter determines; undefined for other types. */
function objectType({ dtype, filters }: Record<string, unknown>): OrderedType | undefined {
  if (dtype !== "|O" || !Array.isArray(filters)) return undefined;
  const ids = filters.map((filter) => isObject(filter) ? filter["id"] : undefined);
  if (ids.includes("vlen-utf8")) return { type: textType, endian: "little" };
  if (ids.includes("vlen-bytes")) return { type: bytesType, endian: "little" };
  const shown = shortJson(ids);
  throw new UnsupportedZarrError(`its data type "|O" is not supported with the filters ${shown}`);
}

/** The names for NumPy's letters of kinds whose types have a size in bits. */
const numbers: Readonly<Record<string, string>> = { i: "int", u: "uint", f: "float", c: "complex" };

/** Reads NumPy's array protocol: "<f4", "|S7", ">M8[25s]", or a list of fields. */
export function parseDataType(dtype: unknown): OrderedType {
  if (Array.isArray(dtype)) return { type: rawType(structBytes(dtype)), endian: "little" };
  const parts = /^([<>|=]?)([biufcmMSUV])(\d+)(?:\[(\d*)(\w+)\])?$/.exec(String(dtype));
  if (parts === null || !isSize(parts[2]!, parts[3]!)) {
    throw new UnsupportedZarrError(`its data type ${shortJson(dtype)} is not supported`);
  }
  const [, order, kind, size, scale, unit] = parts;
  return {
    type: dataTypeOf(declared(kind!, Number(size), scale, unit)),
    endian: order === ">" ? "big" : "little",
  };
}

const sizes = new Set("b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 m8 M8".split(" "));

/** Whether a kind has types of a size; text and bytes have all sizes but 0. */
function isSize(kind: string, size: string): boolean {
  return sizes.has(`${kind}${size}`) || (/[SUV]/.test(kind) && Number(size) > 0);
}

/** Returns the type as version 3 declares it. */
function declared(kind: string, size: number, scale = "", unit = "generic"): unknown {
  switch (kind) {
    case "b":
      return "bool";
    case "M":
    case "m": {
      const name = kind === "M" ? "numpy.datetime64" : "numpy.timedelta64";
      return { name, configuration: { unit, scale_factor: Number(scale || 1) } };
    }
    case "S":
      return { name: "null_terminated_bytes", configuration: { length_bytes: size } };
    case "U":
      return { name: "fixed_length_utf32", configuration: { length_bytes: 4 * size } };
    case "V":
      return `r${8 * size}`;
    default:
      return `${numbers[kind]}${8 * size}`;
  }
}

/** Returns the bytes of a list of fields: each has a name, a type, and a shape if it is an array. */
function structBytes(fields: readonly unknown[]): number {
  return fields.reduce((sum: number, field) => {
    if (!Array.isArray(field)) throw new TypeError("its data type has a field that is not a list");
    const [, dtype, shape = []] = field;
    const items = parseShape(shape, "field of shape", 0).reduce((all, length) => all * length, 1);
    return sum + parseDataType(dtype).type.itemBytes * items;
  }, 0);
}

/** The filters that work on numbers; they come before the codec "bytes". */
const numberFilters = new Set(["delta", "bitround", "fixedscaleoffset"]);

/** Returns the order, the filters and the compressor as codecs of version 3. */
function codecsOf(
  document: Record<string, unknown>,
  type: DataType,
  endian: "little" | "big",
  rank: number,
): CodecSpec[] {
  const { order = "C", filters, compressor } = document;
  if (order !== "C" && order !== "F") {
    throw new TypeError(`its order ${shortJson(order)} is neither C nor F`);
  }
  if (!(filters === null || filters === undefined || Array.isArray(filters))) {
    throw new TypeError("its filters are not a list");
  }
  checkNumCodecs(filters ?? []);
  const codecs = (filters ?? []).map((filter) => codecOf(filter, "filter"));
  const axes = Array.from({ length: rank }, (_, axis) => rank - 1 - axis);
  const ordered = order === "F" && rank > 1
    ? [{ name: "transpose", configuration: { order: axes } }]
    : [];
  const compressors = (compressor ?? null) === null ? [] : [codecOf(compressor, "compressor")];
  // A filter turns objects into bytes.
  if (hasAnyLength(type)) return [...ordered, ...codecs, ...compressors];
  const firstOfBytes = codecs.findIndex(({ name }) => !numberFilters.has(name));
  const numNumbers = firstOfBytes < 0 ? codecs.length : firstOfBytes;
  return [
    ...ordered,
    ...codecs.slice(0, numNumbers),
    { name: "bytes", configuration: orderOf(codecs.slice(0, numNumbers), { type, endian }) },
    ...codecs.slice(numNumbers),
    ...compressors,
  ];
}

/** Returns the byte order after filters of numbers: that of the type that one of them names. */
function orderOf(filters: readonly CodecSpec[], { type, endian }: OrderedType): Configuration {
  const scaled = filters.findLast(({ name }) => name === "fixedscaleoffset")?.configuration;
  const astype = scaled?.["astype"] ?? scaled?.["dtype"];
  const encoded = astype === undefined ? { type, endian } : parseDataType(astype);
  return encoded.type.unitBytes > 1 ? { endian: encoded.endian } : {};
}

function codecOf(declared: unknown, what: string): CodecSpec {
  if (!isObject(declared) || typeof declared["id"] !== "string") {
    throw new TypeError(`its ${what} ${shortJson(declared)} has no id`);
  }
  const { id: name, ...configuration } = declared;
  return { name: name as string, configuration };
}

function separatorIn(value: unknown): string {
  if (value === undefined || value === null) return ".";
  if (value === "." || value === "/") return value;
  throw new TypeError(`its dimension separator ${shortJson(value)} is neither "." nor "/"`);
}
