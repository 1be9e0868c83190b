/**
 * Arrow types as short JSON: `"utf8"`, `["list", "int32"]`, `["timestamp", "us", "UTC"]`. Values of
 * columns as JSON: what JSON has no form for is text, which the type tells apart.
 */

import {
  Binary,
  BinaryView,
  Bool,
  DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  Duration,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float,
  Int,
  Int32,
  Interval,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  Map_,
  Null,
  Struct,
  Time,
  Timestamp,
  Utf8,
  Utf8View,
} from "apache-arrow";

/** A type as JSON. */
export type TypeJson = string | readonly [name: string, ...parameters: unknown[]];

const UNITS = ["s", "ms", "us", "ns"];
const unitOf = (name: unknown) => UNITS.indexOf(String(name)) as 0 | 1 | 2 | 3;

const SIMPLE: Readonly<Record<string, () => DataType>> = {
  null: () => new Null(),
  bool: () => new Bool(),
  ...Object.fromEntries(
    ([8, 16, 32, 64] as const).flatMap((bits) => [
      [`int${bits}`, () => new Int(true, bits)],
      [`uint${bits}`, () => new Int(false, bits)],
    ]),
  ),
  float16: () => new Float(0),
  float32: () => new Float(1),
  float64: () => new Float(2),
  date32: () => new DateDay(),
  date64: () => new DateMillisecond(),
  utf8: () => new Utf8(),
  large_utf8: () => new LargeUtf8(),
  utf8_view: () => new Utf8View(),
  binary: () => new Binary(),
  large_binary: () => new LargeBinary(),
  binary_view: () => new BinaryView(),
};

const WITH_PARAMETERS: Readonly<Record<string, (...parameters: never[]) => DataType>> = {
  decimal: (bits: 32 | 64 | 128 | 256) =>
    new Decimal(2, Math.floor(bits * Math.log10(2)) - 1, bits),
  time: (unit: string) => new Time(unitOf(unit), unitOf(unit) < 2 ? 32 : 64),
  timestamp: (unit: string, zone?: string) => new Timestamp(unitOf(unit), zone ?? null),
  duration: (unit: string) => new Duration(unitOf(unit)),
  interval: (unit: 0 | 1 | 2) => new Interval(unit),
  fixed: (byteWidth: number) => new FixedSizeBinary(byteWidth),
  list: (item: TypeJson) => new List(new Field("item", typeOf(item), true)),
  large_list: (item: TypeJson) => new LargeList(new Field("item", typeOf(item), true)),
  fixed_list: (size: number, item: TypeJson) =>
    new FixedSizeList(size, new Field("item", typeOf(item), true)),
  struct: (fields: Readonly<Record<string, TypeJson>>) =>
    new Struct(
      Object.entries(fields).map(([name, type]) => new Field(name, typeOf(type), true)),
    ),
  map: (value: TypeJson) => {
    const entries = new Struct<{ key: Int32; value: DataType }>([
      new Field("key", new Int32(), false),
      new Field("value", typeOf(value), true),
    ]);
    return new Map_(new Field("entries", entries, false));
  },
  dictionary: (values: TypeJson, indices: TypeJson) =>
    new Dictionary(typeOf(values), typeOf(indices) as never),
};

/** Names of all types. */
export const TYPE_NAMES: readonly string[] = [
  ...Object.keys(SIMPLE),
  ...Object.keys(WITH_PARAMETERS),
];

/** The Arrow type; a new one each time, so that each dictionary has an id of its own. */
export function typeOf(json: TypeJson): DataType {
  const [name, ...parameters] = typeof json === "string" ? [json] : json;
  const make = SIMPLE[name!] ?? WITH_PARAMETERS[name!];
  if (make === undefined) throw new TypeError(`There is no type ${JSON.stringify(json)}`);
  return make(...parameters as never[]);
}

/** The name of a type, without what is in it. */
export function nameOfType(json: TypeJson): string {
  return typeof json === "string" ? json : json[0];
}

/** A value of a type as JSON. */
export function encodeValue(type: DataType, value: unknown): unknown {
  return mapValue(type, value, (part) => {
    if (typeof part === "bigint") return String(part);
    if (typeof part !== "number") return part;
    return Number.isFinite(part) && !Object.is(part, -0)
      ? part
      : Object.is(part, -0)
      ? "-0"
      : `${part}`;
  });
}

/** The value of a type that JSON stands for. */
export function decodeValue(type: DataType, json: unknown): unknown {
  return mapValue(type, json, (part, own) => {
    if (typeof part !== "string" || isTextual(own)) return part;
    return DataType.isFloat(own) ? Number(part) : BigInt(part);
  });
}

function isTextual(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
}

function mapValue(
  type: DataType,
  value: unknown,
  leaf: (part: unknown, type: DataType) => unknown,
): unknown {
  if (value === null || value === undefined) return null;
  if (DataType.isDictionary(type)) return mapValue(type.dictionary, value, leaf);
  if (DataType.isInterval(type) && type.unit > 0) {
    const [first, second, nanoseconds] = value as unknown[];
    return type.unit === 1 ? [first, second] : [first, second, leaf(nanoseconds, type)];
  }
  const children = (type.children ?? []) as readonly Field[];
  if (children.length === 0) return Array.isArray(value) ? value : leaf(value, type);
  if (DataType.isStruct(type)) {
    return Object.fromEntries(
      children.map(({ name, type }) => [
        name,
        mapValue(type, (value as Record<string, unknown>)[name], leaf),
      ]),
    );
  }
  const [child] = children as [Field];
  if (DataType.isMap(type)) {
    const [, item] = child.type.children as [Field, Field];
    return (value as [unknown, unknown][]).map(([key, part]) => [
      key,
      mapValue(item.type, part, leaf),
    ]);
  }
  return (value as unknown[]).map((item) => mapValue(child.type, item, leaf));
}
