/**
 * Arrow columns as they lie in real memory: slices of longer columns, in buffers with other bytes
 * before, between and after the rows. `surround.ts` has the same for columns of kernels.
 */

import { type Data, DataType, type Field, makeData, RecordBatch, Vector } from "apache-arrow";
import { junkBytes, placed } from "./junk_bytes.ts";
import { type SeededRandom, sideRandom } from "../random/seeded_random.ts";
import { NUM_PLACES } from "./surround.ts";

/** The same rows, every column of them surrounded by other bytes. */
export function surroundBatch(
  batch: RecordBatch,
  random: SeededRandom = sideRandom(),
): RecordBatch {
  const children = batch.data.children.map((data, index) =>
    surroundData(data, random, batch.schema.fields[index]!.nullable)
  );
  const { type, length, nullCount, nullBitmap } = batch.data;
  const nulls = nullCount > 0 ? { nullCount, nullBitmap } : { nullCount: 0 };
  return new RecordBatch(batch.schema, makeData({ type, length, ...nulls, children }));
}

/**
 * The same rows, as a slice of a longer column: its bits begin anywhere. Random bytes lie before,
 * below the nulls (numbers, text, items of lists, indices that no dictionary has) and after the rows. Unions,
 * and what holds one, stay as they are.
 */
export function surroundData(
  data: Data,
  random: SeededRandom = sideRandom(),
  isNullable = true,
): Data {
  const { length } = data;
  if (DataType.isNull(data.type) || !isWhole(data) || holdsUnion(data.type)) return data;
  const junk = () => Array.from({ length: random.below(20) }, () => JUNK);
  const before = junk();
  const rows = Array.from({ length }, (_, row) => row);
  const whole = rebuilt(data, [...before, ...rows, ...junk()], random, isNullable);
  return whole.slice(before.length, length);
}

function holdsUnion(type: DataType): boolean {
  return DataType.isUnion(type) || (type.children ?? []).some(({ type }) => holdsUnion(type));
}

/** Columns of no rows that `makeData` makes may lack their children and their dictionary. */
function isWhole(data: Data | undefined): boolean {
  if (data === undefined) return false;
  const { type, children, dictionary } = data;
  if (DataType.isDictionary(type)) return dictionary !== undefined;
  return children.length === (type.children?.length ?? 0) && children.every(isWhole);
}

/**
 * Stand among the numbers of rows for one that nobody looks at, whose value is one of its type, and
 * for one that is null, below which anything lies.
 */
const JUNK = -1;
const NULL = -2;

function rebuilt(
  data: Data,
  rows: readonly number[],
  random: SeededRandom,
  isNullable: boolean,
): Data {
  const { type } = data;
  const { length } = rows;
  if (DataType.isNull(type)) return makeData({ type, length });
  const isBitmapLeftOut = !isNullable || (data.nullCount === 0 && random.chance(0.5));
  const valid = rows.map((row) =>
    row < 0 ? isBitmapLeftOut || random.chance(0.7) : data.getValid(row)
  );
  const nullCount = valid.filter((isSet) => !isSet).length;
  const nulls = isBitmapLeftOut && nullCount === 0
    ? { nullCount: 0 }
    : { nullCount, nullBitmap: bitmapOf(random, valid) };
  const sources = rows.map((row, index) => valid[index] ? Math.max(row, JUNK) : NULL);
  return makeData({ type, length, ...nulls, ...contentOf(data, sources, random) } as never);
}

function contentOf(data: Data, sources: readonly number[], random: SeededRandom): object {
  const { type, children } = data;
  if (DataType.isBool(type)) {
    const isSet = (row: number) => {
      const at = data.offset + row;
      return ((data.values[at >> 3]! >> (at & 7)) & 1) === 1;
    };
    const bits = sources.map((row) => row < 0 ? random.chance(0.5) : isSet(row));
    return { data: bitmapOf(random, bits) };
  }
  if (DataType.isStruct(type)) {
    return {
      children: children.map((child, index) =>
        rebuilt(child, sources, random, type.children[index]!.nullable)
      ),
    };
  }
  if (DataType.isFixedSizeList(type)) {
    const size = type.listSize;
    const items = sources.flatMap((row) =>
      Array.from({ length: size }, (_, item) => row < 0 ? JUNK : row * size + item)
    );
    return { child: rebuilt(children[0]!, items, random, type.children[0]!.nullable) };
  }
  if (data.valueOffsets !== undefined) {
    return children.length > 0 ? itemsOf(data, sources, random) : bytesOf(data, sources, random);
  }
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) {
    const views = valuesOf(data.values, 16, sources, random);
    // The view of an empty text.
    sources.forEach((row, index) => row === JUNK && views.fill(0, 16 * index, 16 * index + 16));
    return {
      views,
      variadicBuffers: data.variadicBuffers.map((bytes) =>
        placed(random, bytes, random.below(NUM_PLACES))
      ),
    };
  }
  const values = valuesOf(data.values, data.stride, sources, random);
  if (!DataType.isDictionary(type)) return { data: values };
  sources.forEach((row, index) =>
    row === JUNK && values.fill(typeof values[0] === "bigint" ? 0n : 0, index, index + 1)
  );
  return { data: values, dictionary: surroundDictionary(data.dictionary!, random) };
}

/** Bits, with random ones after them. */
function bitmapOf(random: SeededRandom, bits: readonly boolean[]): Uint8Array {
  const bytes = junkBytes(random, (bits.length + 7) >> 3);
  bits.forEach((isSet, row) => {
    const mask = 1 << (row & 7);
    if (isSet) bytes[row >> 3]! |= mask;
    else bytes[row >> 3]! &= ~mask;
  });
  return placed(random, bytes, random.below(NUM_PLACES));
}

/** An array of numbers, of which `stride` make a value. */
interface NumberArray extends ArrayBufferView<ArrayBufferLike> {
  readonly BYTES_PER_ELEMENT: number;
  readonly length: number;
}

/** Values of one width, in an array of the same kind that begins at any multiple of their numbers. */
function valuesOf<T extends NumberArray>(
  values: T,
  stride: number,
  sources: readonly number[],
  random: SeededRandom,
): T {
  const size = values.BYTES_PER_ELEMENT;
  const width = stride * size;
  const from = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const bytes = junkBytes(random, width * sources.length);
  sources.forEach((row, index) => {
    const source = row === JUNK ? random.below(from.length / width) : row;
    if (row === JUNK && from.length === 0) bytes.fill(0, index * width, (index + 1) * width);
    else if (row !== NULL) {
      bytes.set(from.subarray(source * width, (source + 1) * width), index * width);
    }
  });
  const { buffer, byteOffset } = placed(random, bytes, random.below(NUM_PLACES) & -size);
  const array = values.constructor as new (buffer: unknown, at: number, length: number) => T;
  return new array(buffer, byteOffset, stride * sources.length);
}

type OffsetArray = Int32Array | BigInt64Array;

function bytesOf(data: Data, sources: readonly number[], random: SeededRandom): object {
  const offsets = data.valueOffsets as OffsetArray;
  const values = data.values as Uint8Array;
  const rowOf = (row: number) => values.subarray(Number(offsets[row]), Number(offsets[row + 1]));
  const below = random.pick(["ascii", "any"] as const);
  const rows = sources.map((row) =>
    row >= 0
      ? rowOf(row)
      : junkBytes(random, 1 + random.below(9), row === NULL ? below : "ascii", values)
  );
  const before = junkBytes(random, random.below(24), "any", values);
  const behind = junkBytes(random, random.pick([0, random.below(40)]), "any", values);
  const parts = [before, ...rows, behind];
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  parts.reduce((at, part) => (bytes.set(part, at), at + part.length), 0);
  return {
    valueOffsets: offsetsOf(rows.map(({ length }) => length), before.length, offsets, random),
    data: placed(random, bytes, random.below(NUM_PLACES)),
  };
}

function itemsOf(data: Data, sources: readonly number[], random: SeededRandom): object {
  const offsets = data.valueOffsets as OffsetArray;
  const [field] = data.type.children as [Field];
  // Keys of maps are never null, not even where nobody looks.
  const most = DataType.isMap(data.type) ? 0 : 4;
  const junk = (least: number) =>
    Array.from({ length: most === 0 ? 0 : least + random.below(most) }, () => JUNK);
  const lists = sources.map((row) => {
    if (row < 0) return junk(1);
    const first = Number(offsets[row]);
    return Array.from({ length: Number(offsets[row + 1]) - first }, (_, item) => first + item);
  });
  const before = junk(0);
  const items = [before, ...lists, junk(0)].flat();
  return {
    valueOffsets: offsetsOf(lists.map(({ length }) => length), before.length, offsets, random),
    child: rebuilt(data.children[0]!, items, random, field.nullable),
  };
}

/** Offsets of rows of the given sizes, as wide as `like`, in an array with numbers around them. */
function offsetsOf(
  sizes: readonly number[],
  first: number,
  like: OffsetArray,
  random: SeededRandom,
): OffsetArray {
  const start = random.below(5);
  const numbers = Array.from(
    { length: start + sizes.length + 1 + random.below(5) },
    () => random.below(2 ** 32) - 2 ** 31,
  );
  numbers[start] = first;
  sizes.forEach((size, row) => numbers[start + row + 1] = numbers[start + row]! + size);
  const array = like instanceof Int32Array
    ? Int32Array.from(numbers)
    : BigInt64Array.from(numbers, BigInt);
  return array.subarray(start, start + sizes.length + 1);
}

/** Batches that share a dictionary share it afterwards, too. */
const surrounded = new WeakMap<Vector, Vector>();

function surroundDictionary(dictionary: Vector, random: SeededRandom): Vector {
  let result = surrounded.get(dictionary);
  if (result === undefined) {
    result = new Vector(dictionary.data.map((chunk) => surroundData(chunk, random, false)));
    surrounded.set(dictionary, result);
  }
  return result;
}
