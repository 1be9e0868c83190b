/** An array of text or bytes in memory, which counts reads and writes. */

import { allChunks, type Grid, product } from "../../../streams/formats/zarr/grid/grid.ts";
import { toFileError } from "../../../base/errors/wrap_error.ts";
import { TooLargeError } from "../../../base/errors/data_error.ts";
import type {
  VariableItems,
  VariableReader,
  VariableWriter,
} from "../../../streams/formats/zarr/items/array.ts";
import type { SeededRandom } from "../random/seeded_random.ts";

/** What a `MemoryText` is; the rest has defaults. */
interface MemoryTextOptions extends Grid {
  readonly name?: string;
  /** Items of a shard along each axis, where chunks lie in shards. */
  readonly shard?: readonly number[] | undefined;
  readonly dataType?: "string" | "bytes";
  readonly fill?: Uint8Array<ArrayBuffer>;
  readonly dimensionNames?: readonly (string | null)[] | undefined;
}

/** One item: bytes that tests compare as text with a character for each. */
export type Item = string;

function toItem(bytes: Uint8Array): Item {
  return String.fromCharCode(...bytes);
}

function bytesOf(item: Item): Uint8Array {
  return Uint8Array.from(item, (character) => character.charCodeAt(0));
}

/**
 * An array whose chunks lie in a map: reader and writer in one. Items are moved one by one, by their
 * places in the whole array, so that it can judge those who move boxes.
 */
export class MemoryText implements VariableReader, VariableWriter {
  readonly name: string;
  readonly grid: Grid;
  readonly writeGrid: Grid;
  readonly dataType: "string" | "bytes";
  readonly fill: Uint8Array<ArrayBuffer>;
  readonly dimensionNames: readonly (string | null)[] | undefined;
  readonly attributes = {};
  bytesRead = 0;
  bytesWritten = 0;
  /** The places that were read and written, in their order: "0,3,1". */
  readonly reads: string[] = [];
  readonly writes: string[] = [];
  /** The items at each place of `writeGrid`, in C order; missing where nothing was written. */
  readonly chunks = new Map<string, readonly Item[]>();

  constructor(options: MemoryTextOptions) {
    const { shape, chunk, shard = chunk } = options;
    this.name = options.name ?? "memory.zarr";
    this.grid = { shape, chunk };
    this.writeGrid = { shape, chunk: shard };
    this.dataType = options.dataType ?? "string";
    this.fill = options.fill ?? new Uint8Array(0);
    this.dimensionNames = options.dimensionNames;
  }

  /** The array with the items of a whole one in C order; a chunk of fill values is not there. */
  static of(options: MemoryTextOptions, items: readonly Item[]): MemoryText {
    const array = new MemoryText(options);
    const { shape, chunk } = array.writeGrid;
    const fill = toItem(array.fill);
    for (const index of allChunks(array.writeGrid)) {
      const first = index.map((place, axis) => place * chunk[axis]!);
      const inside = placesOf(chunk).map((place) => place.map((at, axis) => first[axis]! + at));
      const chunkItems = inside.map((place) =>
        place.every((at, axis) => at < shape[axis]!) ? items[rankIn(shape, place)]! : fill
      );
      if (chunkItems.some((item) => item !== fill)) array.chunks.set(index.join(), chunkItems);
    }
    return array;
  }

  /** The items of the whole array in C order. */
  items(): Item[] {
    return placesOf(this.grid.shape).map((place) => this.#item(place));
  }

  /** Chunks that were refused as too large. */
  numRefused = 0;

  readChunk(index: readonly number[], mostBytes = Infinity): Promise<VariableItems | undefined> {
    const { chunk } = this.grid;
    this.reads.push(index.join());
    const first = index.map((place, axis) => place * chunk[axis]!);
    if (!this.chunks.has(this.#keyOf(first))) return Promise.resolve(undefined);
    const items = placesOf(chunk).map((place) =>
      this.#item(place.map((at, axis) => first[axis]! + at))
    );
    const numBytes = items.reduce((sum, { length }) => sum + 4 + length, 4);
    if (numBytes > mostBytes) {
      this.numRefused++;
      const cause = new TooLargeError("decodes to too many bytes");
      return Promise.reject(toFileError(`${this.name}/${index.join()}`, cause));
    }
    // What is before the first item belongs to nobody.
    return Promise.resolve(textItems(["before", ...items]).behindFirst);
  }

  writeChunk(index: readonly number[], { offsets, data }: VariableItems): Promise<void> {
    const { chunk } = this.writeGrid;
    if (offsets.length !== product(chunk) + 1) {
      return Promise.reject(
        new RangeError(`${this.name}: ${offsets.length} offsets are no chunk's`),
      );
    }
    this.writes.push(index.join());
    const items = Array.from(
      { length: product(chunk) },
      (_, at) => toItem(data.subarray(offsets[at], offsets[at + 1])),
    );
    if (items.every((item) => item === toItem(this.fill))) this.chunks.delete(index.join());
    else this.chunks.set(index.join(), items);
    return Promise.resolve();
  }

  hasChunk(index: readonly number[]): Promise<boolean> {
    return Promise.resolve(this.chunks.has(index.join()));
  }

  /** The place in `writeGrid` of what has an item. */
  #keyOf(place: readonly number[]): string {
    return place.map((at, axis) => Math.floor(at / this.writeGrid.chunk[axis]!)).join();
  }

  #item(place: readonly number[]): Item {
    const { chunk } = this.writeGrid;
    const items = this.chunks.get(this.#keyOf(place));
    return items?.[rankIn(chunk, place.map((at, axis) => at % chunk[axis]!))] ?? toItem(this.fill);
  }
}

/** Items as those who move chunks have them; and all but the first, without a copy. */
function textItems(
  items: readonly Item[],
): VariableItems & { readonly behindFirst: VariableItems } {
  const offsets = new Int32Array(items.length + 1);
  items.forEach((item, at) => offsets[at + 1] = offsets[at]! + item.length);
  const data = new Uint8Array(offsets.at(-1)!);
  items.forEach((item, at) => data.set(bytesOf(item), offsets[at]));
  return { offsets, data, behindFirst: { offsets: offsets.subarray(1), data } };
}

/** An item of 0 to `most` bytes; half of them are short. */
function randomItem(random: SeededRandom, most: number): Item {
  const length = random.below(random.chance(0.5) ? Math.min(4, most + 1) : most + 1);
  return String.fromCharCode(...Array.from({ length }, () => random.below(256)));
}

/** An array with 0 to 4 axes, some of whose chunks are missing. */
export function randomText(random: SeededRandom, mostBytes: number): MemoryText {
  const numAxes = random.below(5);
  const most = [1, 40, 12, 6, 4][numAxes]!;
  const shape = Array.from({ length: numAxes }, () => 1 + random.below(most));
  if (numAxes > 0 && random.chance(0.04)) shape[random.below(numAxes)] = 0;
  const chunk = randomChunk(random, shape);
  const shard = random.chance(0.3)
    ? chunk.map((length) => length * (1 + random.below(3)))
    : undefined;
  const fill = bytesOf(random.chance(0.5) ? "" : randomItem(random, 9)) as Uint8Array<ArrayBuffer>;
  const dataType = random.pick(["string", "bytes"] as const);
  const items = placesOf(shape).map(() => randomItem(random, mostBytes));
  const array = MemoryText.of({ name: "t", shape, chunk, shard, fill, dataType }, items);
  for (const key of [...array.chunks.keys()]) if (random.chance(0.2)) array.chunks.delete(key);
  return array;
}

/** Lengths of chunks, some longer than the array. */
export function randomChunk(random: SeededRandom, shape: readonly number[]): number[] {
  return shape.map((length) => 1 + random.below(Math.max(1, length + 2)));
}

/** The places of a shape in C order. */
function placesOf(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (places, length) =>
      places.flatMap((place) => Array.from({ length }, (_, at) => [...place, at])),
    [[]],
  );
}

function rankIn(shape: readonly number[], place: readonly number[]): number {
  return place.reduce((rank, at, axis) => rank * shape[axis]! + at, 0);
}
