/**
 * Arrow types as short JSON: `"utf8"`, `["list", "int32"]`, `["timestamp", "us", "UTC"]`.
 *
 * @module
 */

import {
  Binary,
  BinaryView,
  Bool,
  type DataType,
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
