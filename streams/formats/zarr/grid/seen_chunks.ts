/**
 * Records the chunks of an array that came as rows: that each comes once, and that they form a box.
 *
 * @module
 */

import {
  chunkBox,
  type ChunkRange,
  type Grid,
  gridShape,
  numChunks,
  placesIn,
  rangeBox,
  rangeSize,
} from "./grid.ts";

/** The chunks of one array that have come so far. */
export class SeenChunks {
  readonly #name: string;
  readonly #grid: Grid;
  readonly #counts: readonly number[];
  readonly #places = new PlaceSet();
  #size = 0;
  /** The smallest range that contains them all. */
  #first: number[] = [];
  #end: number[] = [];

  /** `name` is the name of the array, for errors. */
  constructor(name: string, grid: Grid) {
    this.#name = name;
    this.#grid = grid;
    this.#counts = gridShape(grid);
  }

  /** Records the chunk at an index of the grid. Throws a RangeError for one that came before. */
  add(index: readonly number[]): void {
    if (!this.#places.add(this.#numberOf(index))) {
      const start = showList(chunkBox(this.#grid, index).start);
      throw new RangeError(`the chunk of ${this.#name} at ${start} occurs twice`);
    }
    if (this.#size++ === 0) {
      this.#first = [...index];
      this.#end = index.map((place) => place + 1);
      return;
    }
    for (let axis = 0; axis < index.length; axis++) {
      const place = index[axis]!;
      if (place < this.#first[axis]!) this.#first[axis] = place;
      if (place >= this.#end[axis]!) this.#end[axis] = place + 1;
    }
  }

  /**
   * Returns the range of the chunks that came; undefined for the whole array. Throws a RangeError where
   * chunks in between are missing, and where none of the array's chunks came.
   */
  part(): ChunkRange | undefined {
    const all = numChunks(this.#grid);
    if (this.#size === all) return undefined;
    if (this.#size === 0) {
      throw new RangeError(`none of the ${all} chunks of ${this.#name} arrived`);
    }
    const range = { first: this.#first, end: this.#end };
    if (this.#size === rangeSize(range)) return range;
    const missing = placesIn(range).find((index) => !this.#places.has(this.#numberOf(index)))!;
    const { start, stop } = rangeBox(this.#grid, range);
    throw new RangeError(
      `the ${this.#size} chunks of ${this.#name} that arrived do not form a box: the one at ` +
        `${showList(chunkBox(this.#grid, missing).start)} is missing between ${showList(start)} ` +
        `and ${showList(stop)}; keep a box of chunks, or write them to Arrow or Parquet`,
    );
  }

  /** Throws a RangeError, with the name of the step, unless the whole array came. */
  checkAll(step: string): void {
    const all = numChunks(this.#grid);
    if (this.#size === all) return;
    throw new RangeError(
      `${this.#size} of the ${all} chunks of ${this.#name} arrived, but ${step} needs the whole array: ` +
        "first write the part to Zarr, as an array of its own, and read that",
    );
  }

  #numberOf(index: readonly number[]): number {
    return index.reduce((sum, place, axis) => sum * this.#counts[axis]! + place, 0);
  }
}

function showList(lengths: readonly number[]): string {
  return `[${lengths.join(", ")}]`;
}

const pageBits = 2 ** 18;

/** A set of numbers from 0 on, in pages of bits, since a grid may have very many chunks. */
class PlaceSet {
  readonly #pages = new Map<number, Uint8Array>();

  /** Adds a number; false if the set has it already. */
  add(number: number): boolean {
    const page = Math.floor(number / pageBits);
    let bits = this.#pages.get(page);
    if (bits === undefined) this.#pages.set(page, bits = new Uint8Array(pageBits / 8));
    const at = number % pageBits;
    const bit = 1 << (at % 8);
    if ((bits[at >> 3]! & bit) !== 0) return false;
    bits[at >> 3]! |= bit;
    return true;
  }

  has(number: number): boolean {
    const bits = this.#pages.get(Math.floor(number / pageBits));
    const at = number % pageBits;
    return bits !== undefined && (bits[at >> 3]! & 1 << (at % 8)) !== 0;
  }
}
