/** An array of Zarr in memory, which counts reads and writes. */

import { type Grid, product } from "../../../streams/formats/zarr/grid/grid.ts";
import { ArrayInfo } from "../../../streams/formats/zarr/items/array_info.ts";
import type {
  FixedArray,
  FixedReader,
  FixedWriter,
} from "../../../streams/formats/zarr/items/array.ts";

/** What a `MemoryZarr` is; the rest has defaults. */
export interface MemoryZarrOptions extends Grid {
  readonly name?: string;
  /** Items of a shard along each axis, where chunks lie in shards. */
  readonly shard?: readonly number[] | undefined;
  readonly dataType?: string;
  /** One item. Default: four bytes of 0. */
  readonly fill?: Uint8Array<ArrayBuffer>;
  readonly dimensionNames?: readonly (string | null)[] | undefined;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly scratchBytes?: number;
}

/**
 * An array whose chunks lie in a map: reader and writer in one. Every item is moved separately, by
 * the arithmetic of whole arrays, so that it can judge those who move boxes.
 */
export class MemoryZarr extends ArrayInfo<FixedArray> implements FixedReader, FixedWriter {
  readonly scratchBytes: number;
  bytesRead = 0;
  bytesWritten = 0;
  /** The places that were read and written, in their order: "0,3,1". */
  readonly reads: string[] = [];
  readonly writes: string[] = [];
  /** What lies at each place of `writeGrid`; missing where nothing was written. */
  readonly chunks = new Map<string, Uint8Array<ArrayBuffer>>();

  constructor(options: MemoryZarrOptions) {
    const { shape, chunk, shard = chunk, fill = new Uint8Array(4) } = options;
    super({
      name: options.name ?? "memory.zarr",
      grid: { shape, chunk },
      writeGrid: { shape, chunk: shard },
      dataType: options.dataType ?? "float32",
      itemBytes: fill.length,
      fill,
      dimensionNames: options.dimensionNames,
      attributes: options.attributes ?? {},
    });
    this.scratchBytes = options.scratchBytes ?? 0;
  }

  /** The array with the items of a whole one in C order; a chunk of fill values is not there. */
  static of(options: MemoryZarrOptions, items: Uint8Array): MemoryZarr {
    const array = new MemoryZarr(options);
    const { shape } = array.grid;
    for (const [at, place] of everyPlace(shape)) {
      const from = at * array.itemBytes;
      array.#put(place, items.subarray(from, from + array.itemBytes));
    }
    for (const [key, chunk] of array.chunks) if (array.#isFill(chunk)) array.chunks.delete(key);
    return array;
  }

  /** The items of the whole array in C order. */
  items(): Uint8Array<ArrayBuffer> {
    const { shape } = this.grid;
    const items = new Uint8Array(product(shape) * this.itemBytes);
    for (const [at, place] of everyPlace(shape)) items.set(this.#item(place), at * this.itemBytes);
    return items;
  }

  readChunk(index: readonly number[], into: Uint8Array): Promise<boolean> {
    const { chunk } = this.grid;
    if (into.length !== product(chunk) * this.itemBytes) {
      return Promise.reject(new RangeError(`${this.name}: a chunk is not of ${into.length} bytes`));
    }
    this.reads.push(index.join());
    const first = index.map((place, axis) => place * chunk[axis]!);
    if (!this.chunks.has(this.#keyOf(first))) return Promise.resolve(false);
    for (const [at, place] of everyPlace(chunk)) {
      const whole = place.map((step, axis) => first[axis]! + step);
      into.set(this.#item(whole), at * this.itemBytes);
    }
    this.bytesRead += into.length;
    return Promise.resolve(true);
  }

  writeChunk(index: readonly number[], items: Uint8Array): Promise<void> {
    if (items.length !== product(this.writeGrid.chunk) * this.itemBytes) {
      return Promise.reject(new RangeError(`${this.name}: ${items.length} bytes are no chunk`));
    }
    this.writes.push(index.join());
    if (this.#isFill(items)) this.chunks.delete(index.join());
    else {
      this.chunks.set(index.join(), items.slice() as Uint8Array<ArrayBuffer>);
      this.bytesWritten += items.length;
    }
    return Promise.resolve();
  }

  hasChunk(index: readonly number[]): Promise<boolean> {
    return Promise.resolve(this.chunks.has(index.join()));
  }

  /** The place in `writeGrid` of what has an item. */
  #keyOf(place: readonly number[]): string {
    return place.map((at, axis) => Math.floor(at / this.writeGrid.chunk[axis]!)).join();
  }

  /** Where an item lies in its chunk or shard, in bytes. */
  #offsetOf(place: readonly number[]): number {
    const { chunk } = this.writeGrid;
    const at = place.reduce((sum, step, axis) => sum * chunk[axis]! + step % chunk[axis]!, 0);
    return at * this.itemBytes;
  }

  #item(place: readonly number[]): Uint8Array {
    const offset = this.#offsetOf(place);
    return this.chunks.get(this.#keyOf(place))?.subarray(offset, offset + this.itemBytes) ??
      this.fill;
  }

  #put(place: readonly number[], item: Uint8Array): void {
    const key = this.#keyOf(place);
    let chunk = this.chunks.get(key);
    if (chunk === undefined) {
      chunk = new Uint8Array(product(this.writeGrid.chunk) * this.itemBytes);
      for (let at = 0; at < chunk.length; at += this.itemBytes) chunk.set(this.fill, at);
      this.chunks.set(key, chunk);
    }
    chunk.set(item, this.#offsetOf(place));
  }

  #isFill(items: Uint8Array): boolean {
    return items.every((byte, at) => byte === this.fill[at % this.itemBytes]);
  }
}

/** The places of a shape in C order, each with its number. */
function* everyPlace(shape: readonly number[]): Generator<[number, number[]]> {
  for (let at = 0; at < product(shape); at++) {
    const place: number[] = [];
    let left = at;
    for (const length of shape.toReversed()) {
      place.unshift(left % length);
      left = Math.floor(left / length);
    }
    yield [at, place];
  }
}
