/**
 * The data types of Zarr, as version 3 declares them.
 * Names: the core specification, https://github.com/zarr-developers/zarr-extensions, and zarr-python.
 *
 * @module
 */

import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";
import { short, shortJson } from "./short_json.ts";

/** The facts about a type that moving its items needs. */
export interface DataType {
  /** The name in Zarr 3, without the configuration. */
  readonly name: string;
  readonly kind: DataKind;
  /** The number of bytes of an item; for variable items 1, their least size. */
  readonly itemBytes: number;
  /** The bytes of each number in an item, whose byte order may be swapped; 1 where there is none. */
  readonly unitBytes: number;
  /** The fields of a structured item, in order. */
  readonly fields?: readonly Field[];
}

/** A field of a structured item. */
interface Field {
  readonly name: string;
  readonly type: DataType;
}

/** The form of values in JSON. "text" is UTF-32; "vlen-utf8" and "vlen-bytes" have any length. */
type DataKind =
  | "bool"
  | "int"
  | "uint"
  | "float"
  | "complex"
  | "time"
  | "text"
  | "bytes"
  | "vlen-utf8"
  | "vlen-bytes"
  | "fields";

/**
 * Returns the type for a declaration of version 3: a name, or an object of name and configuration.
 * Throws a TypeError whose message is a clause.
 */
export function dataTypeOf(declared: unknown): DataType {
  const { name, configuration } = named(declared);
  const plain = /^(bool|(?:u?int|float|complex|r)(\d+))$/.exec(name);
  const type = plain === null
    ? configuredType(name, configuration)
    : plainType(name, Number(plain[2] ?? 8));
  if (type === undefined) {
    throw new UnsupportedZarrError(`its data type ${show(declared)} is not supported`);
  }
  if (!(Number.isSafeInteger(type.itemBytes) && type.itemBytes > 0)) {
    throw new TypeError(`its data type ${show(declared)} has no size`);
  }
  return type;
}

/** Returns a type for raw bits: items of a number of bytes without meaning. */
export function rawType(itemBytes: number): DataType {
  return { name: `r${8 * itemBytes}`, kind: "bytes", itemBytes, unitBytes: 1 };
}

/** The types whose items have a variable size. */
export const textType: DataType = {
  name: "string",
  kind: "vlen-utf8",
  itemBytes: 1,
  unitBytes: 1,
};
export const bytesType: DataType = {
  name: "bytes",
  kind: "vlen-bytes",
  itemBytes: 1,
  unitBytes: 1,
};

/** Whether items have a variable size. */
export function hasAnyLength({ kind }: DataType): boolean {
  return kind === "vlen-utf8" || kind === "vlen-bytes";
}

/** Reads a name with its optional configuration: the form of all extension points in version 3. */
export function named(declared: unknown): { name: string; configuration: Configuration } {
  if (typeof declared === "string") return { name: declared, configuration: {} };
  const { name, configuration } = (declared ?? {}) as Record<string, unknown>;
  return {
    name: typeof name === "string" ? name : "",
    configuration: isObject(configuration) ? configuration : {},
  };
}

/** The configuration of an extension point. */
export type Configuration = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The possible sizes of numbers, in bits. */
const sizes: Readonly<Record<string, readonly number[]>> = {
  bool: [8],
  int: [8, 16, 32, 64],
  uint: [8, 16, 32, 64],
  float: [16, 32, 64],
  complex: [64, 128],
};

function plainType(name: string, bits: number): DataType | undefined {
  const kind = name.replace(/\d+$/, "");
  if (kind === "r") return bits % 8 === 0 ? rawType(bits / 8) : undefined;
  if (!sizes[kind]!.includes(bits)) return undefined;
  const itemBytes = bits / 8;
  const unitBytes = kind === "complex" ? itemBytes / 2 : itemBytes;
  return { name, kind: kind as DataKind, itemBytes, unitBytes };
}

function configuredType(name: string, configuration: Configuration): DataType | undefined {
  const lengthBytes = Number(configuration["length_bytes"]);
  switch (name) {
    case "numpy.datetime64":
    case "numpy.timedelta64":
      return { name, kind: "time", itemBytes: 8, unitBytes: 8 };
    case "fixed_length_utf32":
      return { name, kind: "text", itemBytes: lengthBytes, unitBytes: 4 };
    case "null_terminated_bytes":
    case "raw_bytes":
      return { name, kind: "bytes", itemBytes: lengthBytes, unitBytes: 1 };
    case "string":
      return textType;
    // zarr-python 3.1 and zarrs have other names for what zarr-extensions calls bytes.
    case "bytes":
    case "variable_length_bytes":
    case "binary":
      return bytesType;
    case "struct":
    case "structured":
      return fieldsType(name, configuration["fields"]);
    default:
      return undefined;
  }
}

/** Reads fields: pairs (zarr-python 3.1) or objects (zarr-extensions). Their bytes are not swapped. */
function fieldsType(name: string, declared: unknown): DataType | undefined {
  if (!Array.isArray(declared)) return undefined;
  const fields = declared.map((field): Field =>
    Array.isArray(field)
      ? { name: String(field[0]), type: dataTypeOf(field[1]) }
      : { name: String(field?.name), type: dataTypeOf(field?.data_type) }
  );
  if (fields.some(({ type }) => hasAnyLength(type))) return undefined;
  const itemBytes = fields.reduce((sum, { type }) => sum + type.itemBytes, 0);
  return { name, kind: "fields", itemBytes, unitBytes: 1, fields };
}

function show(declared: unknown): string {
  return typeof declared === "string" ? short(declared) : shortJson(declared);
}
