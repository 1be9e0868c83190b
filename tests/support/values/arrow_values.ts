/**
 * Random values of any Arrow type, and values as columns hold them. Values are plain: integers of
 * 64 bits, decimals, times, timestamps and durations of 64 bits are bigint, other numbers numbers,
 * bytes and lists arrays, maps arrays of pairs, structs objects.
 */

import { type Data, DataType, type Field, Precision, type Struct } from "apache-arrow";
import type { SeededRandom } from "../random/seeded_random.ts";

const letters = ["a", "ß", "€", "𝄞", "\0", "longer than the twelve bytes of a view"];

/** A random value, null at times. */
export function randomValue(random: SeededRandom, type: DataType): unknown {
  // A union has no nulls of its own.
  if (!DataType.isUnion(type) && random.chance(0.2)) return null;
  return randomValid(random, type);
}

function randomValid(random: SeededRandom, type: DataType): unknown {
  if (DataType.isNull(type)) return null;
  if (DataType.isBool(type)) return random.chance(0.5);
  if (DataType.isDictionary(type)) return randomValid(random, type.dictionary);
  if (DataType.isInt(type)) return randomInteger(random, type.bitWidth, type.isSigned);
  if (DataType.isFloat(type)) return randomFloat(random, type.precision);
  if (DataType.isDecimal(type)) return BigInt(randomInteger(random, type.bitWidth - 8, true));
  if (DataType.isDate(type)) {
    const days = random.below(100_000) - 50_000;
    return type.unit === 0 ? days : BigInt(days) * 86_400_000n;
  }
  // Judges refuse times of 24 hours and more.
  if (DataType.isTime(type)) {
    const seconds = random.below(86_400);
    return type.bitWidth === 32
      ? seconds * [1, 1000][type.unit]!
      : BigInt(seconds) * 10n ** BigInt(3 * type.unit) + BigInt(random.below(1000));
  }
  if (DataType.isTimestamp(type) || DataType.isDuration(type)) {
    return BigInt(random.below(2 ** 31) - 2 ** 30) * 10n ** BigInt(random.below(3));
  }
  if (DataType.isInterval(type)) {
    const part = () => random.below(2000) - 1000;
    if (type.unit === 0) return part();
    return type.unit === 1 ? [part(), part()] : [part(), part(), BigInt(part()) * 10n ** 9n];
  }
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type)) {
    return Array.from({ length: random.below(4) }, () => random.pick(letters)).join("");
  }
  if (DataType.isFixedSizeBinary(type)) return randomBytes(random, type.byteWidth);
  if (type.children === null || type.children.length === 0) {
    return randomBytes(random, random.below(30));
  }
  return randomNested(random, type);
}

function randomNested(random: SeededRandom, type: DataType): unknown {
  const children = type.children as readonly Field[];
  const [child] = children as readonly [Field];
  if (DataType.isStruct(type)) {
    return Object.fromEntries(
      children.map(({ name, type }) => [name, randomValue(random, type)]),
    );
  }
  if (DataType.isUnion(type)) {
    const index = random.below(children.length);
    // Which child a value comes from is a part of it.
    return { [children[index]!.name]: randomValue(random, children[index]!.type) };
  }
  if (DataType.isMap(type)) {
    const [, value] = (child.type as Struct).children as [Field, Field];
    return Array.from(
      { length: random.below(4) },
      (_, key) => [key, randomValue(random, value.type)],
    );
  }
  const length = DataType.isFixedSizeList(type) ? type.listSize : random.below(4);
  return Array.from({ length }, () => randomValue(random, child.type));
}

function randomInteger(random: SeededRandom, bits: number, isSigned: boolean): number | bigint {
  let value = 0n;
  // Small ones too, where the high bytes are all the same.
  const numBits = random.chance(0.5) ? bits : Math.min(bits, 7);
  for (let i = 0; i < numBits; i += 8) value = value << 8n | BigInt(random.below(256));
  const integer = isSigned ? BigInt.asIntN(numBits, value) : BigInt.asUintN(numBits, value);
  return bits <= 32 ? Number(integer) : integer;
}

function randomFloat(random: SeededRandom, precision: Precision): number {
  if (random.chance(0.2)) return random.pick([0, -0, Infinity, -Infinity, NaN]);
  const value = (random.below(4001) - 2000) / 2;
  if (precision === Precision.HALF) return value;
  return precision === Precision.SINGLE ? Math.fround(value * 1e7 / 3) : value * 1e100 / 3;
}

function randomBytes(random: SeededRandom, length: number): number[] {
  return Array.from({ length }, () => random.below(256));
}

/** The values of a column, read from its buffers without the help of apache-arrow's accessors. */
export function valuesOf(data: Data): unknown[] {
  return Array.from({ length: data.length }, (_, row) => valueAt(data, row));
}

function valueAt(data: Data, row: number): unknown {
  const { type } = data;
  if (DataType.isNull(type)) return null;
  if (DataType.isUnion(type)) return unionAt(data, row);
  if (data.nullCount > 0 && bitAt(data.nullBitmap, data.offset + row) === 0) return null;
  if (DataType.isBool(type)) return bitAt(data.values, data.offset + row) === 1;
  if (DataType.isDictionary(type)) {
    return data.dictionary!.data.flatMap(valuesOf)[Number(data.values[row])];
  }
  if (DataType.isFloat(type) && type.precision === Precision.HALF) {
    const { buffer, byteOffset } = data.values;
    return new DataView(buffer, byteOffset).getFloat16(2 * row, true);
  }
  if (DataType.isDecimal(type)) {
    const words = [...data.values.subarray(...span(row, type.bitWidth / 32))].reverse();
    const bits = words.reduce((sum: bigint, word) => sum << 32n | BigInt(word >>> 0), 0n);
    return BigInt.asIntN(type.bitWidth, bits);
  }
  if (DataType.isInterval(type) && type.unit > 0) return intervalAt(data, row, type.unit);
  if (DataType.isFixedSizeBinary(type)) {
    return [...data.values.subarray(...span(row, type.byteWidth))];
  }
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
    return new TextDecoder("utf-8", { ignoreBOM: true })
      .decode(data.values.subarray(...offsetsAt(data, row)));
  }
  if (DataType.isUtf8View(type)) {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(viewAt(data, row));
  }
  if (DataType.isBinaryView(type)) return [...viewAt(data, row)];
  if (DataType.isBinary(type) || DataType.isLargeBinary(type)) {
    return [...data.values.subarray(...offsetsAt(data, row))];
  }
  if (type.children === null || type.children.length === 0) return data.values[row];
  return nestedAt(data, row);
}

function nestedAt(data: Data, row: number): unknown {
  const { type, children } = data;
  if (DataType.isStruct(type)) {
    return Object.fromEntries(
      (type.children as Field[]).map(({ name }, i) => [name, valueAt(children[i]!, row)]),
    );
  }
  const [start, stop] = DataType.isFixedSizeList(type)
    ? span(row, type.listSize)
    : offsetsAt(data, row);
  const items: unknown[] = [];
  for (let i = start; i < stop; i++) items.push(valueAt(children[0]!, i));
  return DataType.isMap(type) ? items.map((entry) => Object.values(entry as object)) : items;
}

function unionAt(data: Data, row: number): unknown {
  const type = data.type as DataType & { typeIds: ArrayLike<number> };
  const child = Array.from(type.typeIds).indexOf(data.typeIds[row]!);
  const place = DataType.isDenseUnion(type) ? Number(data.valueOffsets[row]) : row;
  return { [(type.children as Field[])[child]!.name]: valueAt(data.children[child]!, place) };
}

function intervalAt({ values }: Data, row: number, unit: number): unknown {
  const view = new DataView(values.buffer, values.byteOffset);
  const at = row * (unit === 1 ? 8 : 16);
  const parts = [view.getInt32(at, true), view.getInt32(at + 4, true)];
  return unit === 1 ? parts : [...parts, view.getBigInt64(at + 8, true)];
}

function viewAt({ values, variadicBuffers }: Data, row: number): Uint8Array {
  const view = new DataView(values.buffer, values.byteOffset + 16 * row, 16);
  const length = view.getInt32(0, true);
  if (length <= 12) return values.subarray(16 * row + 4, 16 * row + 4 + length);
  const start = view.getInt32(12, true);
  return variadicBuffers[view.getInt32(8, true)]!.subarray(start, start + length);
}

function bitAt(bits: Uint8Array, index: number): number {
  return (bits[index >> 3]! >> (index & 7)) & 1;
}

function span(row: number, width: number): [number, number] {
  return [row * width, (row + 1) * width];
}

function offsetsAt({ valueOffsets }: Data, row: number): [number, number] {
  return [Number(valueOffsets[row]), Number(valueOffsets[row + 1])];
}
