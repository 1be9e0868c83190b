/**
 * Keys of joins as users have them: pairs of Arrow types, the values at which careless code breaks,
 * which of them are equal, and how DuckDB writes them.
 */

import * as arrow from "apache-arrow";
import type { SeededRandom } from "../random/seeded_random.ts";

/** A value of a key as tests write it. */
export type KeyValue = unknown;

/** A pair of types that join. */
export interface KeyKind {
  readonly name: string;
  readonly left: arrow.DataType;
  readonly right: arrow.DataType;
  readonly values: readonly KeyValue[];
  /** Equal for equal keys and for no others. */
  identity(value: KeyValue, type: arrow.DataType): string;
  /** The value in DuckDB; absent where DuckDB compares differently, or lacks the type. */
  readonly sql?: (value: KeyValue, type: arrow.DataType) => string;
}

const { Field } = arrow;

const textOf = (value: KeyValue) =>
  JSON.stringify(value, (_, part) => {
    if (typeof part === "bigint") return `${part}n`;
    if (typeof part === "number") return String(part + 0);
    return part instanceof Uint8Array ? part.toHex() : part;
  });

const plainKind = (
  name: string,
  type: arrow.DataType | readonly [arrow.DataType, arrow.DataType],
  values: readonly KeyValue[],
  sql?: (value: KeyValue, type: arrow.DataType) => string,
): KeyKind => {
  const [left, right] = Array.isArray(type) ? type : [type, type];
  return { name, left, right, values, identity: textOf, ...(sql && { sql }) };
};

const castTo = (name: string) => (value: KeyValue) => `CAST('${value}' AS ${name})`;

const intKind = (left: arrow.Int, right: arrow.Int): KeyKind =>
  plainKind(
    `${left} with ${right}`,
    [left, right],
    [0n, 1n, -1n, 5n, 127n, 128n, 255n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 53n]
      .concat([2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, -(2n ** 63n)]),
    (value, type) => castTo(String(type).replace("Int", "INT").replace("Uint", "UINT"))(value),
  );

const floatNames = ["FLOAT", "FLOAT", "DOUBLE"];
const floatBits = [16, 32, 64] as const;

function numberOf(value: KeyValue, { precision }: arrow.Float): number {
  if (typeof value !== "number") return NaN;
  return precision === 0 ? Math.f16round(value) : precision === 1 ? Math.fround(value) : value;
}

const floatKind = (left: arrow.Float, right: arrow.Float): KeyKind => ({
  name: `${left} with ${right}`,
  left,
  right,
  values: [0, -0, 0.9, 0.5, 1e-300, 65_504, Infinity, -Infinity, NaN, "quiet", "signalling"],
  identity: (value, type) => String(numberOf(value, type as arrow.Float) + 0),
  sql: (value, type) => {
    const number = numberOf(value, type as arrow.Float);
    const text = Object.is(number, -0) ? "-0.0" : String(number);
    return castTo(floatNames[(type as arrow.Float).precision]!)(text);
  },
});

/** NaNs with a payload and a sign, by the width of the float. */
const NAN_BYTES = {
  quiet: { 16: "01fe", 32: "0100c0ff", 64: "010000000000f8ff" },
  signalling: { 16: "017c", 32: "0100807f", 64: "efbeadde0000f07f" },
} as const;

const quoted = (value: KeyValue) => `'${String(value).replaceAll("'", "''")}'`;
const words = ["", "a", "b", "é", "Zoë", "Ouagadougou", "Llanfairpwllgwyngyll", "it's", "ZOË"];
const textKind = (left: arrow.DataType, right: arrow.DataType) =>
  plainKind(`${left} with ${right}`, [left, right], words, quoted);

const bytes = [[], [0], [0, 0], [1, 2, 3], [1, 2, 3, 0], [255, 254, 128, 7, 9, 11, 13, 15, 17]]
  .map((values) => Uint8Array.from(values));
const blob = (value: KeyValue) => `from_hex('${(value as Uint8Array).toHex()}')`;

const times = [0n, 1n, 1_000n, 86_399n, -1n, 1_700_000_000n];
const decimalText = (value: KeyValue) => {
  const digits = String((value as bigint) < 0n ? -(value as bigint) : value).padStart(3, "0");
  return `${(value as bigint) < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
const decimal = (precision: number, bits: 128 | 256) => new arrow.Decimal(2, precision, bits);
const decimalSql = (value: KeyValue, type: arrow.DataType) =>
  castTo(`DECIMAL(${(type as arrow.Decimal).precision}, 2)`)(decimalText(value));
const decimals = [0n, 1n, -1n, 150n, -99_999n, 99_999_999n];

const list = (type: arrow.DataType) => new arrow.List(new Field("item", type, true));
const listSql = (item: (value: KeyValue) => string, name: string) => (value: KeyValue) =>
  `[${
    (value as KeyValue[]).map((part) => part === null ? "NULL" : item(part)).join(", ")
  }]::${name}[]`;
const person = new arrow.Struct([
  new Field("name", new arrow.Utf8(), true),
  new Field("age", new arrow.Int16(), true),
]);

const dictionary = (index: arrow.Int8 | arrow.Int32) =>
  new arrow.Dictionary(new arrow.Utf8(), index);

/** Pairs of types that join, of every family. */
export const KEY_KINDS: readonly KeyKind[] = [
  intKind(new arrow.Int32(), new arrow.Int32()),
  intKind(new arrow.Int64(), new arrow.Int64()),
  intKind(new arrow.Int8(), new arrow.Uint16()),
  intKind(new arrow.Uint32(), new arrow.Int16()),
  intKind(new arrow.Uint64(), new arrow.Uint8()),
  intKind(new arrow.Int64(), new arrow.Uint32()),
  floatKind(new arrow.Float32(), new arrow.Float32()),
  floatKind(new arrow.Float64(), new arrow.Float64()),
  floatKind(new arrow.Float32(), new arrow.Float64()),
  floatKind(new arrow.Float64(), new arrow.Float16()),
  floatKind(new arrow.Float16(), new arrow.Float16()),
  textKind(new arrow.Utf8(), new arrow.LargeUtf8()),
  textKind(new arrow.Utf8View(), new arrow.Utf8()),
  textKind(dictionary(new arrow.Int8()), new arrow.Utf8()),
  textKind(dictionary(new arrow.Int32()), dictionary(new arrow.Int8())),
  plainKind("text with zeros", new arrow.Utf8(), ["", "\0", "a", "a\0", "a\0\0", "b\0".repeat(9)]),
  plainKind("bool", new arrow.Bool(), [true, false], String),
  plainKind("binary", [new arrow.Binary(), new arrow.LargeBinary()], bytes, blob),
  plainKind(
    "fixed binary of 4",
    new arrow.FixedSizeBinary(4),
    ["00000000", "01000000", "000000ff", "ffffffff"].map((hex) => Uint8Array.fromHex(hex)),
    blob,
  ),
  plainKind(
    "uuid",
    new arrow.FixedSizeBinary(16),
    ["00", "10", "ff"].map((hex) => Uint8Array.fromHex(`${hex}11${"00".repeat(14)}`)),
    blob,
  ),
  plainKind(
    "date32",
    new arrow.DateDay(),
    [0n, 1n, -1n, 19_000n],
    (value) => `DATE '1970-01-01' + CAST(${value} AS INTEGER)`,
  ),
  plainKind("date64", new arrow.DateMillisecond(), [0n, 86_400_000n, -86_400_000n]),
  plainKind("time32", new arrow.TimeMillisecond(), [0n, 1n, 86_399_999n]),
  plainKind(
    "time64",
    new arrow.TimeMicrosecond(),
    [0n, 1n, 86_399_999_999n],
    (value) => `CAST(make_timestamp(${value}) AS TIME)`,
  ),
  plainKind("timestamp s", new arrow.TimestampSecond(), times),
  plainKind("timestamp ms", new arrow.TimestampMillisecond(), times),
  plainKind(
    "timestamp us",
    new arrow.TimestampMicrosecond(),
    times,
    (value) => `make_timestamp(${value})`,
  ),
  plainKind(
    "timestamp ns",
    new arrow.TimestampNanosecond(),
    times,
    (value) => `make_timestamp_ns(${value})`,
  ),
  plainKind("timestamp in a zone", new arrow.TimestampMicrosecond("Europe/Berlin"), times),
  plainKind("duration", new arrow.DurationNanosecond(), times),
  plainKind("interval of months", new arrow.IntervalYearMonth(), [0n, 1n, -14n]),
  plainKind("decimal", decimal(10, 128), decimals, decimalSql),
  plainKind("decimals of two widths", [decimal(30, 128), decimal(30, 256)], decimals, decimalSql),
  plainKind(
    "list of integers",
    list(new arrow.Int32()),
    [[], [null], [1], [1, null], [null, 1], [1, 2], [258]],
    listSql(String, "INTEGER"),
  ),
  plainKind(
    "list of floats",
    list(new arrow.Float64()),
    [[], [0], [-0], [NaN], [NaN, 1], [null]],
    listSql((value) => castTo("DOUBLE")(Object.is(value, -0) ? "-0.0" : value), "DOUBLE"),
  ),
  plainKind(
    "list of text",
    list(new arrow.Utf8()),
    [[], [""], ["", ""], ["a", "bc"], ["ab", "c"], [null, "a"], ["a", null]],
    listSql(quoted, "VARCHAR"),
  ),
  plainKind(
    "struct",
    person,
    [["Zoë", 5], ["Zoë", null], [null, 5], [null, null], ["", 5]].map(([name, age]) => ({
      name,
      age,
    })),
    (value) => {
      const { name, age } = value as { name: string | null; age: number | null };
      const text = name === null ? "NULL" : quoted(name);
      return `{'name': ${text}, 'age': ${age ?? "NULL"}}::STRUCT(name VARCHAR, age SMALLINT)`;
    },
  ),
  plainKind("null", new arrow.Null(), []),
];

/** The values of a kind that a type holds, as integers only some do. */
export function valuesOfType(kind: KeyKind, type: arrow.DataType): readonly KeyValue[] {
  if (!arrow.DataType.isInt(type)) return kind.values;
  const wrap = type.isSigned ? BigInt.asIntN : BigInt.asUintN;
  return kind.values.filter((value) => wrap(type.bitWidth, value as bigint) === value);
}

/** The value that a column of a type has for it: that of a narrow float is not the one given. */
export function storedValue(value: KeyValue, type: arrow.DataType): KeyValue {
  return value !== null && arrow.DataType.isFloat(type) ? numberOf(value, type) : value;
}

/** Random values of one side, few of them different. */
export function randomKeyValues(
  random: SeededRandom,
  kind: KeyKind,
  type: arrow.DataType,
  numRows: number,
): KeyValue[] {
  const values = valuesOfType(kind, type);
  const nulls = random.pick([0, 0.2]);
  const isNull = () => values.length === 0 || random.chance(nulls);
  return Array.from({ length: numRows }, () => isNull() ? null : random.pick(values));
}

/** A column of these values. A dictionary holds the values of this column, in their order. */
export function keyData(type: arrow.DataType, values: readonly KeyValue[]): arrow.Data {
  const { length } = values;
  if (length === 0) return arrow.makeData({ type, length } as never);
  const isRaw = arrow.DataType.isInt(type) || arrow.DataType.isDate(type) ||
    arrow.DataType.isTime(type) || arrow.DataType.isTimestamp(type) ||
    arrow.DataType.isDuration(type) || arrow.DataType.isInterval(type);
  if (isRaw) return fixedData(type, values, integerBytes);
  if (arrow.DataType.isDecimal(type)) return fixedData(type, values, integerBytes);
  if (arrow.DataType.isFloat(type)) return fixedData(type, values, floatBytes);
  return arrow.vectorFromArray(values as unknown[], type).data[0]!;
}

function fixedData(
  type: arrow.DataType,
  values: readonly KeyValue[],
  bytesOf: (value: KeyValue, width: number) => Uint8Array,
): arrow.Data {
  const width = widthOf(type);
  const data = new Uint8Array(values.length * width);
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((value, row) => {
    if (value === null) return;
    data.set(bytesOf(value, width), row * width);
    nullBitmap[row >> 3]! |= 1 << (row & 7);
  });
  const nullCount = values.filter((value) => value === null).length;
  const Values = type.ArrayType as { new (buffer: ArrayBuffer): ArrayBufferView };
  const views = { data: new Values(data.buffer), ...(nullCount > 0 && { nullBitmap }) };
  return arrow.makeData({ type, length: values.length, nullCount, ...views } as never);
}

function widthOf(type: arrow.DataType): number {
  if (arrow.DataType.isFloat(type)) return floatBits[type.precision] / 8;
  const { bitWidth } = type as { bitWidth?: number };
  if (bitWidth !== undefined) return bitWidth / 8;
  if (arrow.DataType.isDate(type)) return type.unit === 0 ? 4 : 8;
  return arrow.DataType.isInterval(type) ? 4 : 8;
}

function integerBytes(value: KeyValue, width: number): Uint8Array {
  return Uint8Array.from(
    { length: width },
    (_, at) => Number(((value as bigint) >> BigInt(8 * at)) & 255n),
  );
}

function floatBytes(value: KeyValue, width: number): Uint8Array {
  const bits = 8 * width as 16 | 32 | 64;
  if (typeof value === "string") {
    return Uint8Array.fromHex(NAN_BYTES[value as keyof typeof NAN_BYTES][bits]);
  }
  const view = new DataView(new ArrayBuffer(width));
  if (bits === 16) view.setFloat16(0, value as number, true);
  else if (bits === 32) view.setFloat32(0, value as number, true);
  else view.setFloat64(0, value as number, true);
  return new Uint8Array(view.buffer);
}
