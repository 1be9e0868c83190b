/** Boxes of items, copied item by item: the oracle of the tests of copies. */

import { type BoxCopy, type BoxPlace, denseStrides } from "../../../gpu/column/boxes/box_copy.ts";
import type { BoxesRequest } from "../../../gpu/column/boxes/box_columns.ts";
import type { ColumnType, HostColumn } from "../../../gpu/column/column.ts";
import { junkBytes } from "../values/junk_bytes.ts";
import type { SeededRandom } from "../random/seeded_random.ts";
import { surround } from "../values/surround.ts";

/** Copies boxes byte by byte, in the order in which they come. */
export function copyByItems(
  boxes: readonly BoxCopy[],
  from: Uint8Array,
  to: Uint8Array,
): void {
  for (const { itemBytes, shape, from: source, to: target } of boxes) {
    for (const index of indices(shape)) {
      for (let byte = 0; byte < itemBytes; byte++) {
        to[position(target, index) + byte] = from[position(source, index) + byte]!;
      }
    }
  }
}

/** All places of an array, the last axis fastest. */
function indices(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (places, length) =>
      places.flatMap((place) => Array.from({ length }, (_, at) => [...place, at])),
    [[]],
  );
}

function position({ offset, strides }: BoxPlace, index: readonly number[]): number {
  return index.reduce((at, place, axis) => at + place * strides[axis]!, offset);
}

/** Boxes that together are every chunk of an array, which is dense in the target. */
interface Chunks {
  readonly itemBytes: number;
  readonly shape: readonly number[];
  readonly boxes: readonly BoxCopy[];
  /** Bytes that they are read from, and that they are written to. */
  readonly fromBytes: number;
  readonly toBytes: number;
}

/** Boxes of an array that is cut into many. */
const MANY_BOXES = 300;

/** What chunks are made of. */
interface ChunkChoices {
  /** Whether the array is cut into some hundred boxes, where its axes have items enough. */
  readonly many?: boolean;
  readonly itemBytes?: number;
  readonly mostAxes?: number;
  /** Bytes in front of the array in the target. */
  readonly before?: number;
  /** Whether the chunks may lie transposed or backwards. */
  readonly turned?: boolean;
}

/**
 * A random array that is put together from its chunks, which lie one after the other, each of full
 * size; or the other way round.
 */
export function randomChunks(random: SeededRandom, choices: ChunkChoices = {}): Chunks {
  const itemBytes = choices.itemBytes ?? random.pick([1, 2, 3, 4, 5, 8, 12, 16]);
  const numAxes = random.below((choices.mostAxes ?? 4) + 1);
  const most = [400, 400, 30, 12, 6, 4, 3, 3, 2, 2][numAxes] ?? 2;
  const shape = Array.from({ length: numAxes }, () => 1 + random.below(most));
  const cuts = MANY_BOXES ** (1 / numAxes);
  const chunk = shape.map((length) =>
    choices.many ?? false ? Math.ceil(length / cuts) : 1 + random.below(length)
  );
  const grid = shape.map((length, axis) => Math.ceil(length / chunk[axis]!));
  const chunkBytes = chunk.reduce((bytes, length) => bytes * length, itemBytes);
  const strides = denseStrides(shape, itemBytes);
  const before = choices.before ?? 0;
  const order = shape.map((_, axis) => axis);
  if (choices.turned ?? false) order.sort(() => random.next() - 0.5);
  const turned = denseStrides(order.map((axis) => chunk[axis]!), itemBytes);
  const chunkStrides = shape.map((_, axis) => turned[order.indexOf(axis)]!);
  const boxes = indices(grid).map((place, number): BoxCopy => {
    const start = place.map((at, axis) => at * chunk[axis]!);
    const size = start.map((at, axis) => Math.min(chunk[axis]!, shape[axis]! - at));
    let offset = number * chunkBytes;
    const backwards = chunkStrides.map((stride, axis) => {
      if (!(choices.turned ?? false) || !random.chance(0.2)) return stride;
      offset += (size[axis]! - 1) * stride;
      return -stride;
    });
    const from = { offset, strides: backwards };
    const to = { offset: before + position({ offset: 0, strides }, start), strides };
    return { itemBytes, shape: size, from, to };
  });
  const fromBytes = boxes.length * chunkBytes;
  const toBytes = before + shape.reduce((bytes, length) => bytes * length, itemBytes);
  return { itemBytes, shape, boxes, fromBytes, toBytes };
}

/** The same copies the other way round: the array is read, its chunks are written. */
export function reversed({ boxes, fromBytes, toBytes, ...rest }: Chunks): Chunks {
  const back = boxes.map((box) => ({ ...box, from: box.to, to: box.from }));
  return { ...rest, boxes: back, fromBytes: toBytes, toBytes: fromBytes };
}

/** The types whose items have a number of bytes. */
function typesOf(itemBytes: number): ColumnType[] {
  const bits = [8, 16, 32, 64].find((each) => each === 8 * itemBytes) as 8 | 16 | 32 | 64;
  const fixed = { kind: "fixed", byteWidth: itemBytes } as const;
  return bits === undefined ? [fixed] : [fixed, { kind: "int", bits, signed: true }];
}

/** A column of random bytes with a number of items, as values or as lists of them. */
export function randomItems(random: SeededRandom, itemBytes: number, numItems: number): HostColumn {
  const type = random.pick(typesOf(itemBytes));
  const data = junkBytes(random, itemBytes * numItems);
  const bare = { place: "host", nullCount: 0, validity: null, children: [] } as const;
  const items: HostColumn = { ...bare, type, length: numItems, data, offsets: null };
  if (random.chance(0.5)) return surround(items, { random });
  const divisors = Array.from({ length: numItems }, (_, k) => k + 1)
    .filter((rows) => numItems % rows === 0);
  const numRows = random.pick(divisors.length === 0 ? [0] : divisors);
  const offsets = Int32Array.from(
    { length: numRows + 1 },
    (_, row) => row === 0 ? 0 : row * numItems / numRows,
  );
  return {
    ...surround({
      ...bare,
      type: { kind: "list", item: type },
      length: numRows,
      data: new Uint8Array(0),
      offsets,
      children: [items],
    }, { random }),
  };
}

/** The bytes of the items of a column. */
export function itemBytesOf({ type, length, data, offsets, children }: HostColumn): Uint8Array {
  if (type.kind !== "list") return data.subarray(0, length * widthOf(type));
  const [child] = children;
  const width = widthOf(type.item);
  return child!.data.subarray(width * offsets![0]!, width * offsets![length]!);
}

function widthOf(type: ColumnType): number {
  return type.kind === "int" ? type.bits / 8 : type.kind === "fixed" ? type.byteWidth : 0;
}

/** The expected result of a request: the bytes of its items. */
export function boxesByItems(request: BoxesRequest): Uint8Array {
  const { numRows, rowItems, fill, sources } = request;
  const bytes = numRows * rowItems * fill.length;
  const result = Uint8Array.from({ length: bytes }, (_, at) => fill[at % fill.length]!);
  for (const { column, boxes } of sources) {
    if (column.place === "host") copyByItems(boxes, itemBytesOf(column), result);
  }
  return result;
}

/**
 * A random request: the chunks of an array in one column or several, put together to rows, or an array
 * that is taken apart to rows. Some boxes are left out, and some bytes that no box has are behind them.
 */
export function randomRequest(random: SeededRandom): BoxesRequest {
  const made = randomChunks(random, { mostAxes: 3, turned: random.chance(0.3) });
  const { itemBytes, boxes, fromBytes, toBytes } = random.chance(0.5) ? made : reversed(made);
  const kept = boxes.filter(() => random.chance(0.9));
  const sources = Array.from({ length: 1 + random.below(3) }, () => ({
    column: randomItems(random, itemBytes, fromBytes / itemBytes + random.below(4)),
    boxes: [] as BoxCopy[],
  }));
  for (const box of kept) random.pick(sources).boxes.push(box);
  const item = random.pick(typesOf(itemBytes));
  const rowItems = random.chance(0.5) ? 1 : 1 + random.below(40);
  return {
    type: rowItems > 1 || random.chance(0.5) ? { kind: "list", item } : item,
    numRows: Math.ceil(toBytes / itemBytes / rowItems) + random.below(3),
    rowItems,
    fill: random.chance(0.5) ? new Uint8Array(itemBytes) : junkBytes(random, itemBytes),
    sources,
  };
}
