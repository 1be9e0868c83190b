/**
 * Arrow types as short JSON: `"utf8"`, `["list", "int32"]`, `["timestamp", "us", "UTC"]`. Values of
 * columns as JSON: what JSON has no form for is text, which the type tells apart.
 */

import * as arrow from "apache-arrow";

/** A type as JSON. */
export type TypeJson = string | readonly [name: string, ...parameters: unknown[]];

const UNITS = ["s", "ms", "us", "ns"];
const unitOf = (name: unknown) => UNITS.indexOf(String(name)) as 0 | 1 | 2 | 3;

const SIMPLE: Readonly<Record<string, () => arrow.DataType>> = {
  null: () => new arrow.Null(),
  bool: () => new arrow.Bool(),
  ...Object.fromEntries(
    ([8, 16, 32, 64] as const).flatMap((bits) => [
      [`int${bits}`, () => new arrow.Int(true, bits)],
      [`uint${bits}`, () => new arrow.Int(false, bits)],
    ]),
  ),
  float16: () => new arrow.Float(0),
  float32: () => new arrow.Float(1),
  float64: () => new arrow.Float(2),
  date32: () => new arrow.DateDay(),
  date64: () => new arrow.DateMillisecond(),
  utf8: () => new arrow.Utf8(),
  large_utf8: () => new arrow.LargeUtf8(),
  utf8_view: () => new arrow.Utf8View(),
  binary: () => new arrow.Binary(),
  large_binary: () => new arrow.LargeBinary(),
  binary_view: () => new arrow.BinaryView(),
};

const WITH_PARAMETERS: Readonly<Record<string, (...parameters: never[]) => arrow.DataType>> = {
  decimal: (bits: 32 | 64 | 128 | 256) =>
    new arrow.Decimal(2, Math.floor(bits * Math.log10(2)) - 1, bits),
  time: (unit: string) => new arrow.Time(unitOf(unit), unitOf(unit) < 2 ? 32 : 64),
  timestamp: (unit: string, zone?: string) => new arrow.Timestamp(unitOf(unit), zone ?? null),
  duration: (unit: string) => new arrow.Duration(unitOf(unit)),
  interval: (unit: 0 | 1 | 2) => new arrow.Interval(unit),
  fixed: (byteWidth: number) => new arrow.FixedSizeBinary(byteWidth),
  list: (item: TypeJson) => new arrow.List(new arrow.Field("item", typeOf(item), true)),
  large_list: (item: TypeJson) => new arrow.LargeList(new arrow.Field("item", typeOf(item), true)),
  fixed_list: (size: number, item: TypeJson) =>
    new arrow.FixedSizeList(size, new arrow.Field("item", typeOf(item), true)),
  struct: (fields: Readonly<Record<string, TypeJson>>) =>
    new arrow.Struct(
      Object.entries(fields).map(([name, type]) => new arrow.Field(name, typeOf(type), true)),
    ),
  map: (value: TypeJson) => {
    const entries = new arrow.Struct<{ key: arrow.Int32; value: arrow.DataType }>([
      new arrow.Field("key", new arrow.Int32(), false),
      new arrow.Field("value", typeOf(value), true),
    ]);
    return new arrow.Map_(new arrow.Field("entries", entries, false));
  },
  dictionary: (values: TypeJson, indices: TypeJson) =>
    new arrow.Dictionary(typeOf(values), typeOf(indices) as never),
};

/** Names of all types. */
export const TYPE_NAMES: readonly string[] = [
  ...Object.keys(SIMPLE),
  ...Object.keys(WITH_PARAMETERS),
];

/** The Arrow type; a new one each time, so that each dictionary has an id of its own. */
export function typeOf(json: TypeJson): arrow.DataType {
  const [name, ...parameters] = typeof json === "string" ? [json] : json;
  const make = SIMPLE[name!] ?? WITH_PARAMETERS[name!];
  if (make === undefined) throw new TypeError(`There is no type ${JSON.stringify(json)}`);
  return make(...parameters as never[]);
}

/** The JSON of a plain type: what `typeOf` makes that type of. */
export function jsonOf(type: arrow.DataType): TypeJson {
  const unit = UNITS[(type as arrow.DataType & { unit: number }).unit]!;
  const child = () => jsonOf((type.children as readonly arrow.Field[])[0]!.type);
  if (arrow.DataType.isDecimal(type)) return ["decimal", type.bitWidth];
  if (arrow.DataType.isTime(type)) return ["time", unit];
  if (arrow.DataType.isTimestamp(type)) {
    return type.timezone ? ["timestamp", unit, type.timezone] : ["timestamp", unit];
  }
  if (arrow.DataType.isDuration(type)) return ["duration", unit];
  if (arrow.DataType.isInterval(type)) return ["interval", type.unit];
  if (arrow.DataType.isFixedSizeBinary(type)) return ["fixed", type.byteWidth];
  if (arrow.DataType.isList(type)) return ["list", child()];
  if (arrow.DataType.isFixedSizeList(type)) return ["fixed_list", type.listSize, child()];
  if (arrow.DataType.isStruct(type)) {
    return [
      "struct",
      Object.fromEntries(type.children.map(({ name, type }) => [name, jsonOf(type)])),
    ];
  }
  const name = Object.keys(SIMPLE).find((name) => String(SIMPLE[name]!()) === String(type));
  if (name === undefined) throw new TypeError(`There is no JSON for ${type}`);
  return name;
}

/** The name of a type, without what is in it. */
export function nameOfType(json: TypeJson): string {
  return typeof json === "string" ? json : json[0];
}

/** A value of a type as JSON. */
export function encodeValue(type: arrow.DataType, value: unknown): unknown {
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
export function decodeValue(type: arrow.DataType, json: unknown): unknown {
  return mapValue(type, json, (part, own) => {
    if (typeof part !== "string" || isTextual(own)) return part;
    return arrow.DataType.isFloat(own) ? Number(part) : BigInt(part);
  });
}

function isTextual(type: arrow.DataType): boolean {
  return arrow.DataType.isUtf8(type) || arrow.DataType.isLargeUtf8(type) ||
    arrow.DataType.isUtf8View(type);
}

function mapValue(
  type: arrow.DataType,
  value: unknown,
  leaf: (part: unknown, type: arrow.DataType) => unknown,
): unknown {
  if (value === null || value === undefined) return null;
  if (arrow.DataType.isDictionary(type)) return mapValue(type.dictionary, value, leaf);
  if (arrow.DataType.isInterval(type) && type.unit > 0) {
    const [first, second, nanoseconds] = value as unknown[];
    return type.unit === 1 ? [first, second] : [first, second, leaf(nanoseconds, type)];
  }
  const children = (type.children ?? []) as readonly arrow.Field[];
  if (children.length === 0) return Array.isArray(value) ? value : leaf(value, type);
  if (arrow.DataType.isStruct(type)) {
    return Object.fromEntries(
      children.map(({ name, type }) => [
        name,
        mapValue(type, (value as Record<string, unknown>)[name], leaf),
      ]),
    );
  }
  const [child] = children as [arrow.Field];
  if (arrow.DataType.isMap(type)) {
    const [, item] = child.type.children as [arrow.Field, arrow.Field];
    return (value as [unknown, unknown][]).map(([key, part]) => [
      key,
      mapValue(item.type, part, leaf),
    ]);
  }
  return (value as unknown[]).map((item) => mapValue(child.type, item, leaf));
}
