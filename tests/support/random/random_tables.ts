/**
 * Random tables for the round trips of files: the types that text formats have a form for, with the
 * values that break writers, in slices, batches of no rows, and offsets of either width.
 */

import * as arrow from "apache-arrow";
import type { SeededRandom } from "./seeded_random.ts";
import { surroundBatch } from "../values/surround_data.ts";

/** A value as it lies in Arrow: text, a bool, a number, an integer, or null. */
export type RawValue = string | boolean | number | bigint | null;

/** A type of column, what its values are, and what others make of them. */
interface ColumnKind {
  readonly type: arrow.DataType;
  /** One value that is not null. */
  value(random: SeededRandom): Exclude<RawValue, null>;
  /** Its text in CSV. */
  text(value: Exclude<RawValue, null>): string;
  /** The type to read it back with from text. */
  readonly csvType: "string" | "int64" | "float64" | "bool" | "date";
  /** Its type in DuckDB, and an expression for the raw value there. */
  readonly duckType: string;
  duckValue(column: string): string;
}

const same = (column: string) => column;
const asText = (column: string) => `CAST(${column} AS VARCHAR)`;

/** Texts that a careless writer or reader takes for something else. */
export const hardTexts: readonly string[] = [
  "",
  " ",
  "a",
  ",",
  "\t",
  ";",
  '"',
  '""',
  'say "é"',
  '"quoted"',
  "line\nfeed",
  "\n",
  "\r",
  "carriage\rreturn",
  "\r\n",
  "\ufeffmark",
  "null",
  "NULL",
  "NaN",
  "-0",
  "007",
  "1e5",
  "true",
  "2024-02-29",
  "back\\slash",
  "\\N",
  "{}",
  "[1]",
  "'",
  "\u0001\u001f\u007f",
  "\u0085\u2028\u2029",
  "é€𝄞👩‍🚀",
  "#comment",
  " padded ",
];

function randomText(random: SeededRandom): string {
  if (random.chance(0.01)) return "long, ".repeat(random.below(30_000));
  if (random.chance(0.3)) return random.pick(hardTexts);
  return Array.from({ length: random.below(5) }, () => random.pick(hardTexts)).join("x");
}

function int64(random: SeededRandom, least: bigint, most: bigint): bigint {
  const span = most - least + 1n;
  const edges = [least, most, 0n, 1n, 2n ** 53n, 2n ** 53n + 1n, -1n, -(2n ** 53n) - 1n];
  const edge = random.pick(edges);
  if (random.chance(0.3) && edge >= least && edge <= most) return edge;
  const bits = [1, 2, 3].reduce((sum) => (sum << 32n) | BigInt(random.below(2 ** 32)), 0n);
  return least + bits % span;
}

const floatBits = new DataView(new ArrayBuffer(8));

function float64(random: SeededRandom): number {
  if (random.chance(0.4)) {
    return random.pick([
      0,
      -0,
      1,
      -1,
      NaN,
      Infinity,
      -Infinity,
      0.1,
      1 / 3,
      5e-324,
      2.2250738585072014e-308,
      Number.MAX_VALUE,
      2 ** 53,
      1e21,
      1e22,
      123456789012345680,
    ]);
  }
  if (random.chance(0.5)) return random.below(2000) / 8 - 100;
  floatBits.setUint32(0, random.below(2 ** 32));
  floatBits.setUint32(4, random.below(2 ** 32));
  return floatBits.getFloat64(0);
}

/** Milliseconds, within the years 1 to 9999. */
const leastTime = BigInt(new Date("0001-01-01T00:00:00Z").getTime());
const mostTime = BigInt(new Date("9999-12-31T23:59:59Z").getTime());
/** What 64 bits of nanoseconds hold. */
const leastNanos = -(2n ** 63n) + 10n ** 9n;
const mostNanos = 2n ** 63n - 10n ** 9n;

function floorDivide(value: bigint, divisor: bigint): bigint {
  return (value - ((value % divisor) + divisor) % divisor) / divisor;
}

/** A point in time as in ISO 8601, by JavaScript's own Date for all but the last digits. */
function isoTime(value: bigint, perSecond: bigint, zone: string): string {
  const seconds = floorDivide(value, perSecond);
  const fraction = value - seconds * perSecond;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, -5);
  const digits = String(perSecond).length - 1;
  return `${whole}${digits === 0 ? "" : `.${String(fraction).padStart(digits, "0")}`}${zone}`;
}

function integerKind(
  type: arrow.DataType,
  bits: number,
  isSigned: boolean,
  duckType: string,
): ColumnKind {
  const least = isSigned ? -(2n ** BigInt(bits - 1)) : 0n;
  const most = 2n ** BigInt(isSigned ? bits - 1 : bits) - 1n;
  return {
    type,
    value: (random) =>
      bits === 64 ? int64(random, least, most) : Number(int64(random, least, most)),
    text: String,
    csvType: bits === 64 && !isSigned ? "string" : "int64",
    duckType,
    duckValue: asText,
  };
}

function timeKind(type: arrow.DataType, unit: string, perSecond: bigint, zone: string): ColumnKind {
  const isNanos = perSecond === 10n ** 9n;
  const least = isNanos ? leastNanos : leastTime * perSecond / 1000n;
  const most = isNanos ? mostNanos : mostTime * perSecond / 1000n;
  return {
    type,
    value: (random) => int64(random, least, most),
    text: (value) => isoTime(value as bigint, perSecond, zone),
    csvType: "string",
    duckType: zone === "" ? `TIMESTAMP${unit}` : "TIMESTAMPTZ",
    duckValue: (column) =>
      isNanos
        ? `CAST(epoch_ns(${column}) AS VARCHAR)`
        : `CAST(epoch_us(${column}) // ${1_000_000n / perSecond} AS VARCHAR)`,
  };
}

function floatText(value: number): string {
  if (!Number.isInteger(value)) return String(value);
  const digits = Object.is(value, -0) ? "-0" : String(value);
  return digits.includes("e") ? digits : `${digits}.0`;
}

function textKind(type: arrow.DataType): ColumnKind {
  return {
    type,
    value: randomText,
    text: String,
    csvType: "string",
    duckType: "VARCHAR",
    // The binding of DuckDB drops a byte order mark at the start of a text.
    duckValue: (column) => `hex(encode(${column}))`,
  };
}

/** The kinds of columns, by name. */
export const columnKinds: Readonly<Record<string, ColumnKind>> = {
  utf8: textKind(new arrow.Utf8()),
  view: textKind(new arrow.Utf8View()),
  category: { ...textKind(new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 3)) },
  int8: integerKind(new arrow.Int8(), 8, true, "TINYINT"),
  int16: integerKind(new arrow.Int16(), 16, true, "SMALLINT"),
  int32: integerKind(new arrow.Int32(), 32, true, "INTEGER"),
  int64: integerKind(new arrow.Int64(), 64, true, "BIGINT"),
  uint8: integerKind(new arrow.Uint8(), 8, false, "UTINYINT"),
  uint16: integerKind(new arrow.Uint16(), 16, false, "USMALLINT"),
  uint32: integerKind(new arrow.Uint32(), 32, false, "UINTEGER"),
  uint64: integerKind(new arrow.Uint64(), 64, false, "UBIGINT"),
  float64: {
    type: new arrow.Float64(),
    value: float64,
    text: (value) => floatText(value as number),
    csvType: "float64",
    duckType: "DOUBLE",
    duckValue: same,
  },
  float32: {
    type: new arrow.Float32(),
    value: (random) => Math.fround(float64(random)),
    // Any text that rounds to the value would do; see the test of the fewest digits.
    text: (value) => floatText(value as number),
    csvType: "float64",
    duckType: "FLOAT",
    duckValue: same,
  },
  bool: {
    type: new arrow.Bool(),
    value: (random) => random.chance(0.5),
    text: String,
    csvType: "bool",
    duckType: "BOOLEAN",
    duckValue: same,
  },
  day: {
    type: new arrow.DateDay(),
    value: (random) => Number(int64(random, leastTime / 86_400_000n, mostTime / 86_400_000n)),
    text: (value) => new Date(value as number * 86_400_000).toISOString().slice(0, 10),
    csvType: "date",
    duckType: "DATE",
    duckValue: (column) => `CAST(datediff('day', DATE '1970-01-01', ${column}) AS VARCHAR)`,
  },
  seconds: timeKind(new arrow.TimestampSecond(), "_S", 1n, ""),
  millis: timeKind(new arrow.TimestampMillisecond(), "_MS", 1000n, ""),
  micros: timeKind(new arrow.TimestampMicrosecond(), "", 1_000_000n, ""),
  nanos: timeKind(new arrow.TimestampNanosecond(), "_NS", 10n ** 9n, ""),
  zoned: timeKind(new arrow.TimestampMicrosecond("UTC"), "", 1_000_000n, "Z"),
  time: {
    type: new arrow.TimeMicrosecond(),
    value: (random) => int64(random, 0n, 86_399_999_999n),
    text: (value) => isoTime(value as bigint, 1_000_000n, "").slice(11),
    csvType: "string",
    duckType: "TIME",
    duckValue: (column) => `CAST(epoch_us(${column}) AS VARCHAR)`,
  },
  decimal: {
    type: new arrow.Decimal(2, 12, 128),
    value: (random) => int64(random, -(10n ** 12n) + 1n, 10n ** 12n - 1n),
    text: (value) => {
      const digits = String(value).replace("-", "").padStart(3, "0");
      return `${(value as bigint) < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    },
    csvType: "string",
    duckType: "DECIMAL(12,2)",
    duckValue: (column) => `CAST(CAST(${column} * 100 AS BIGINT) AS VARCHAR)`,
  },
};

/** A table as batches, and its values column by column. */
export interface RandomTable {
  readonly kinds: Readonly<Record<string, ColumnKind>>;
  readonly batches: readonly arrow.RecordBatch[];
  readonly columns: Readonly<Record<string, readonly RawValue[]>>;
}

/** A table with columns of these kinds, each named like its kind and a number. */
export function randomTable(random: SeededRandom, kinds: readonly string[]): RandomTable {
  const numBatches = 1 + random.below(3);
  const named = kinds.map((kind, index) => [`${kind}_${index}`, columnKinds[kind]!] as const);
  const columns: Record<string, RawValue[]> = Object.fromEntries(named.map(([name]) => [name, []]));
  const nullRates = named.map(() => random.pick([0, 0.2, 1]));
  const batches: arrow.RecordBatch[] = [];
  for (let batch = 0; batch < numBatches; batch++) {
    const numRows = random.chance(0.1) ? 0 : random.below(40);
    // Rows around those of the batch, which a slice cuts off.
    const [before, behind] = [random.below(10), random.below(10)];
    const fields: arrow.Field[] = [];
    const children: arrow.Data[] = [];
    for (const [index, [name, kind]] of named.entries()) {
      const values = Array.from(
        { length: before + numRows + behind },
        () => random.chance(nullRates[index]!) ? null : kind.value(random),
      );
      columns[name]!.push(...values.slice(before, before + numRows));
      const data = columnData(ownType(random, kind.type, index), values);
      fields.push(new arrow.Field(name, data.type, true));
      children.push(data);
    }
    const length = before + numRows + behind;
    const whole = arrow.makeData({
      type: new arrow.Struct(fields),
      length,
      nullCount: 0,
      children,
    });
    const batch = new arrow.RecordBatch(new arrow.Schema(fields), whole).slice(
      before,
      before + numRows,
    );
    batches.push(random.chance(0.5) ? surroundBatch(batch, random) : batch);
  }
  return { kinds: Object.fromEntries(named), batches, columns };
}

/** Offsets of either width, and a dictionary of each column's own. */
function ownType(random: SeededRandom, type: arrow.DataType, column: number): arrow.DataType {
  if (type instanceof arrow.Dictionary) {
    return new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), column);
  }
  return type instanceof arrow.Utf8 && random.chance(0.3) ? new arrow.LargeUtf8() : type;
}

function columnData(type: arrow.DataType, values: readonly RawValue[]): arrow.Data {
  const { length } = values;
  if (type instanceof arrow.Null) return arrow.makeData({ type, length });
  const isText = values.some((value) => typeof value === "string");
  if (length === 0) return arrow.makeData({ type, length: 0 } as never);
  if (
    isText || type instanceof arrow.Bool || type instanceof arrow.Dictionary || isTextType(type)
  ) {
    return arrow.vectorFromArray(values as unknown[], type).data[0]!;
  }
  const nullBitmap = new Uint8Array(Math.ceil(length / 8));
  for (const [row, value] of values.entries()) {
    if (value !== null) nullBitmap[row >> 3]! |= 1 << (row & 7);
  }
  const nullCount = values.filter((value) => value === null).length;
  const data = type instanceof arrow.Decimal
    ? new Uint32Array(BigInt64Array.from(values.flatMap(decimalWords)).buffer)
    : rawArray(type, values);
  return arrow.makeData({ type, length, nullCount, nullBitmap, data } as never);
}

function isTextType(type: arrow.DataType): boolean {
  return type instanceof arrow.Utf8 || type instanceof arrow.LargeUtf8 ||
    type instanceof arrow.Utf8View;
}

function decimalWords(value: RawValue): bigint[] {
  const number = BigInt(value ?? 0);
  return [BigInt.asIntN(64, number), number < 0n ? -1n : 0n];
}

function rawArray(type: arrow.DataType, values: readonly RawValue[]): ArrayBufferView {
  const { ArrayType } = type as unknown as { ArrayType: new (length: number) => ArrayBufferView };
  const array = new ArrayType(values.length) as unknown as Record<number, unknown>;
  const isWide = array instanceof BigInt64Array || array instanceof BigUint64Array;
  for (const [row, value] of values.entries()) array[row] = value ?? (isWide ? 0n : 0);
  return array as unknown as ArrayBufferView;
}

/** The raw values of a column of batches that were read, by other means than our writers'. */
export function rawColumn(batches: readonly arrow.RecordBatch[], name: string): RawValue[] {
  return batches.flatMap((batch) => {
    const index = batch.schema.fields.findIndex((field) => field.name === name);
    const data = batch.data.children[index]!;
    return Array.from({ length: batch.numRows }, (_, row) => rawValue(data, row));
  });
}

function rawValue(data: arrow.Data, row: number): RawValue {
  const type: arrow.DataType = data.type;
  if (!data.getValid(row)) return null;
  if (type instanceof arrow.Bool) return new arrow.Vector([data]).get(row) as boolean;
  if (type instanceof arrow.Dictionary) return dictionaryValue(data.dictionary!, data.values[row]);
  if (type instanceof arrow.Utf8View) return viewText(data, row);
  if (type instanceof arrow.Utf8 || type instanceof arrow.LargeUtf8) {
    const { valueOffsets: offsets, values } = data;
    return utf8.decode(values.subarray(Number(offsets[row]), Number(offsets[row + 1])));
  }
  if (type instanceof arrow.Decimal) {
    const { buffer, byteOffset } = data.values as Uint32Array;
    return new DataView(buffer, byteOffset).getBigInt64(16 * row, true);
  }
  return (data.values as ArrayLike<number | bigint>)[row]!;
}

/** A dictionary that grew from batch to batch has several chunks. */
function dictionaryValue({ data }: arrow.Vector, index: number): RawValue {
  let first = 0;
  for (const chunk of data) {
    if (index < first + chunk.length) return rawValue(chunk, index - first);
    first += chunk.length;
  }
  throw new RangeError(`Index ${index} is not in the dictionary`);
}

/** apache-arrow's own decoder drops a byte order mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function viewText({ values, variadicBuffers }: arrow.Data, row: number): string {
  const view = (values as Uint8Array).subarray(16 * row, 16 * row + 16);
  const [length, , buffer, start] = new Int32Array(view.slice().buffer) as unknown as number[];
  if (length! <= 12) return utf8.decode(view.subarray(4, 4 + length!));
  return utf8.decode(variadicBuffers[buffer!]!.subarray(start, start! + length!));
}

/** A value as text that tells -0 from 0 and an integer from nothing else. */
export function shown(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return Object.is(value, -0) ? "-0" : String(value);
}
