/**
 * Columns from plain values, with what real columns have besides: bytes before, after and between
 * the values, garbage in null slots, bitmaps where there is no null, slices of slices.
 */

import {
  type Data,
  DataType,
  type Field,
  type Int,
  makeData,
  Precision,
  RecordBatch,
  Schema,
  Struct,
  Vector,
} from "apache-arrow";
import { randomValue } from "./arrow_values.ts";
import type { SeededRandom } from "../random/seeded_random.ts";
import { surroundData } from "./surround_data.ts";

/** A batch of columns with the given types and names, each filled with `values[i]`. */
export function batchOfColumns(fields: readonly Field[], columns: readonly Data[]): RecordBatch {
  const length = columns[0]?.length ?? 0;
  const type = new Struct([...fields]);
  const data = makeData({ type, length, nullCount: 0, children: [...columns] });
  return new RecordBatch(new Schema([...fields]), data);
}

/** A column of the given values, at times a slice of a longer one, at times with junk around. */
export function columnOfValues(
  random: SeededRandom,
  type: DataType,
  values: readonly unknown[],
): Data {
  const column = slicedColumn(random, type, values);
  return random.chance(0.5) ? surroundData(column, random) : column;
}

function slicedColumn(random: SeededRandom, type: DataType, values: readonly unknown[]): Data {
  if (random.chance(0.5)) return wholeColumn(random, type, values);
  const others = () => Array.from({ length: random.below(11) }, () => randomValue(random, type));
  const before = others();
  const column = wholeColumn(random, type, [...before, ...values, ...others()]);
  return column.slice(before.length, values.length);
}

function wholeColumn(random: SeededRandom, type: DataType, values: readonly unknown[]): Data {
  const { length } = values;
  if (DataType.isNull(type)) return makeData({ type, length });
  if (DataType.isUnion(type)) return unionColumn(random, type, values);
  const hasBitmap = values.includes(null) || random.chance(0.3);
  const nulls = hasBitmap ? { nullBitmap: bitmap(values.map((value) => value !== null)) } : {};
  // A null slot may hold anything.
  const filled = values.map((value) => value ?? randomFilled(random, type));
  return makeData({ type, length, ...nulls, ...content(random, type, filled) } as never);
}

function randomFilled(random: SeededRandom, type: DataType): unknown {
  for (;;) {
    const value = randomValue(random, type);
    if (value !== null) return value;
  }
}

function content(random: SeededRandom, type: DataType, values: readonly unknown[]): object {
  if (DataType.isBool(type)) return { data: bitmap(values as boolean[]) };
  if (DataType.isDictionary(type)) return dictionaryContent(random, type, values);
  if (DataType.isFloat(type) && type.precision === Precision.HALF) {
    const view = new DataView(new ArrayBuffer(2 * values.length));
    values.forEach((value, row) => view.setFloat16(2 * row, value as number, true));
    return { data: new Uint16Array(view.buffer) };
  }
  if (DataType.isDecimal(type)) {
    const numWords = type.bitWidth / 32;
    const words = (value: bigint) =>
      Array.from({ length: numWords }, (_, i) => Number(value >> BigInt(32 * i) & 0xffffffffn));
    return { data: Uint32Array.from(values.flatMap((value) => words(value as bigint))) };
  }
  if (DataType.isInterval(type) && type.unit > 0) return { data: intervals(values, type.unit) };
  if (DataType.isFixedSizeBinary(type)) {
    return { data: Uint8Array.from((values as number[][]).flat()) };
  }
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) {
    return viewContent(random, values.map(bytesOf));
  }
  if (type.children !== null && type.children.length > 0) {
    return nestedContent(random, type, values);
  }
  if (DataType.isUtf8(type) || DataType.isBinary(type)) {
    return bytesContent(random, values.map(bytesOf), Int32Array);
  }
  if (DataType.isLargeUtf8(type) || DataType.isLargeBinary(type)) {
    return bytesContent(random, values.map(bytesOf), BigInt64Array);
  }
  return { data: type.ArrayType.from(values) };
}

function nestedContent(random: SeededRandom, type: DataType, values: readonly unknown[]): object {
  const fields = type.children as Field[];
  const [child] = fields as [Field];
  if (DataType.isStruct(type)) {
    const children = fields.map(({ name, type }) =>
      columnOfValues(random, type, (values as Record<string, unknown>[]).map((v) => v[name]))
    );
    return { children };
  }
  const items = DataType.isMap(type)
    ? (values as [unknown, unknown][][]).map((pairs) =>
      pairs.map(([key, value]) => ({ key, value }))
    )
    : values as unknown[][];
  if (DataType.isFixedSizeList(type)) {
    return { child: columnOfValues(random, child.type, items.flat()) };
  }
  const ofOffsets = DataType.isLargeList(type) ? BigInt64Array : Int32Array;
  const before = Array.from({ length: random.below(3) }, () => randomItem(random, type, child));
  const offsets = offsetsOf(items.map(({ length }) => length), before.length, ofOffsets);
  return {
    valueOffsets: offsets,
    child: columnOfValues(random, child.type, [...before, ...items.flat()]),
  };
}

/** The entries of a map are not null. */
function randomItem(random: SeededRandom, type: DataType, child: Field): unknown {
  return DataType.isMap(type) ? randomFilled(random, child.type) : randomValue(random, child.type);
}

function unionColumn(random: SeededRandom, type: DataType, values: readonly unknown[]): Data {
  const fields = type.children as Field[];
  const ids = Array.from((type as DataType & { typeIds: ArrayLike<number> }).typeIds);
  const names = values.map((value) => Object.keys(value as object)[0]!);
  const childOf = names.map((name) => fields.findIndex((field) => field.name === name));
  const typeIds = Int8Array.from(childOf, (child) => ids[child]!);
  const of = (field: Field, row: number) => (values[row] as Record<string, unknown>)[field.name];
  const { length } = values;
  if (DataType.isSparseUnion(type)) {
    const children = fields.map((field, i) =>
      columnOfValues(
        random,
        field.type,
        childOf.map((child, row) => child === i ? of(field, row) : randomValue(random, field.type)),
      )
    );
    return makeData({ type, length, typeIds, children } as never);
  }
  const counts = fields.map(() => 0);
  const valueOffsets = Int32Array.from(childOf, (child) => counts[child]!++);
  const children = fields.map((field, i) =>
    columnOfValues(
      random,
      field.type,
      childOf.flatMap((child, row) => child === i ? [of(field, row)] : []),
    )
  );
  return makeData({ type, length, typeIds, valueOffsets, children } as never);
}

function dictionaryContent(random: SeededRandom, type: DataType, values: readonly unknown[]) {
  const { dictionary, indices } = type as DataType & { dictionary: DataType; indices: Int };
  const keys = values.map(keyOf);
  const distinct = new Map(keys.map((key, row) => [key, values[row]]));
  const places = new Map([...distinct.keys()].map((key, place) => [key, place]));
  const numbers = keys.map((key) => places.get(key)!);
  const bits = indices.bitWidth - (indices.isSigned ? 1 : 0);
  if (distinct.size > 2 ** bits) {
    throw new RangeError(`no ${indices} counts ${distinct.size} values`);
  }
  const data = indices.bitWidth === 64 ? numbers.map(BigInt) : numbers;
  return {
    data: (indices.ArrayType as typeof Int32Array).from(data as number[]),
    dictionary: new Vector([columnOfValues(random, dictionary, [...distinct.values()])]),
  };
}

/** Tells -0 from 0 and a bigint from a number. */
function keyOf(value: unknown): string {
  return JSON.stringify(
    value,
    (_, part) =>
      typeof part === "bigint" ? `${part}n` : Object.is(part, -0) ? "-0" : numberKey(part),
  );
}

function numberKey(part: unknown): unknown {
  return typeof part === "number" && !Number.isFinite(part) ? `number ${part}` : part;
}

function bytesOf(value: unknown): Uint8Array {
  return typeof value === "string"
    ? new TextEncoder().encode(value)
    : Uint8Array.from(value as number[]);
}

function bytesContent(
  random: SeededRandom,
  values: readonly Uint8Array[],
  ofOffsets: typeof Int32Array | typeof BigInt64Array,
): object {
  const before = junk(random, random.below(9));
  const valueOffsets = offsetsOf(values.map(({ length }) => length), before.length, ofOffsets);
  const data = [before, ...values, junk(random, random.below(9))].flatMap((bytes) => [...bytes]);
  return { valueOffsets, data: Uint8Array.from(data) };
}

/** Bytes that nobody may look at, mostly such as are not ASCII. */
function junk(random: SeededRandom, length: number): Uint8Array {
  const least = random.pick([0, 0x80, 0xc0]);
  return Uint8Array.from({ length }, () => least + random.below(256 - least));
}

function offsetsOf(
  lengths: readonly number[],
  first: number,
  ofOffsets: typeof Int32Array | typeof BigInt64Array,
): Int32Array | BigInt64Array {
  const offsets = [first];
  for (const length of lengths) offsets.push(offsets.at(-1)! + length);
  return ofOffsets === Int32Array
    ? Int32Array.from(offsets)
    : BigInt64Array.from(offsets.map(BigInt));
}

/** Views whose data lies in up to three buffers. */
function viewContent(random: SeededRandom, values: readonly Uint8Array[]): object {
  const buffers: number[][] = Array.from({ length: random.below(3) + 1 }, () => []);
  const views = new DataView(new ArrayBuffer(16 * values.length));
  for (const [row, bytes] of values.entries()) {
    views.setInt32(16 * row, bytes.length, true);
    const inView = bytes.length <= 12 ? bytes : bytes.subarray(0, 4);
    new Uint8Array(views.buffer).set(inView, 16 * row + 4);
    if (bytes.length <= 12) continue;
    const index = random.below(buffers.length);
    views.setInt32(16 * row + 8, index, true);
    views.setInt32(16 * row + 12, buffers[index]!.length, true);
    buffers[index]!.push(...bytes);
  }
  return {
    views: new Uint8Array(views.buffer),
    variadicBuffers: buffers.map((bytes) => Uint8Array.from(bytes)),
  };
}

function intervals(values: readonly unknown[], unit: number): Int32Array {
  const width = unit === 1 ? 8 : 16;
  const view = new DataView(new ArrayBuffer(width * values.length));
  for (const [row, value] of values.entries()) {
    const [first, second, nanoseconds] = value as [number, number, bigint];
    view.setInt32(width * row, first, true);
    view.setInt32(width * row + 4, second, true);
    if (unit === 2) view.setBigInt64(width * row + 8, nanoseconds, true);
  }
  return new Int32Array(view.buffer);
}

function bitmap(bits: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  bits.forEach((bit, i) => bit && (bytes[i >> 3]! |= 1 << (i & 7)));
  return bytes;
}
