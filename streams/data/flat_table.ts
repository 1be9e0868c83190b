/**
 * Reads flatbuffers with every offset checked.
 *
 * A table begins with the distance back to its vtable, which holds its own size, the size of the
 * table, and the offset of each field (https://flatbuffers.dev/internals).
 *
 * @module
 */

import { BrokenPartError } from "../../base/errors/data_error.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the root table of a flatbuffer. */
export function rootTable(bytes: Uint8Array): FlatTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Every table takes at least the four bytes of its vtable distance.
  const budget = { tables: Math.ceil(bytes.length / 4) };
  return new FlatTable(view, view.getUint32(0, true), budget);
}

/** The position and the lengths of a message in a file. */
export interface FlatBlock {
  readonly offset: number;
  readonly metaDataLength: number;
  readonly bodyLength: number;
}

/** A table of a flatbuffer. The DataView throws at every offset outside its bytes. */
export class FlatTable {
  readonly #view: DataView;
  readonly #position: number;
  readonly #vtable: number;
  /**
   * The number of tables that may still be visited: shared tables could otherwise multiply
   * exponentially.
   */
  readonly #budget: { tables: number };

  constructor(view: DataView, position: number, budget: { tables: number }) {
    if (budget.tables-- === 0) throw new BrokenPartError("its tables contain each other");
    this.#view = view;
    this.#position = position;
    this.#vtable = position - view.getInt32(position, true);
    this.#budget = budget;
    const tableBytes = view.getUint16(this.#vtable + 2, true);
    if (position + tableBytes > view.byteLength) throw new BrokenPartError("a table is cut off");
    const isAligned = position % 4 === 0 && this.#vtable % 2 === 0;
    if (!isAligned || view.getUint16(this.#vtable, true) % 2 !== 0) {
      throw new BrokenPartError("a table lies between two words");
    }
  }

  /** Returns a field of one byte; 0 if absent. */
  byte(field: number): number {
    const place = this.placeOf(field);
    return place === 0 ? 0 : this.#view.getUint8(place);
  }

  /** Returns a field of two bytes; 0 if absent. */
  short(field: number): number {
    const place = this.placeOf(field);
    return place === 0 ? 0 : this.#view.getInt16(place, true);
  }

  /** Returns a field of eight bytes, rounded to a double; 0 if absent. */
  long(field: number): number {
    const place = this.placeOf(field);
    return place === 0 ? 0 : this.#longAt(place);
  }

  /** Returns the numbers of a vector of structs, each of `ofElement` fields of eight bytes. */
  longs(field: number, ofElement: number): number[] {
    const { start, length } = this.vector(field, 8 * ofElement);
    const longs: number[] = [];
    for (let i = 0; i < length * ofElement; i++) longs.push(this.#longAt(start + 8 * i));
    return longs;
  }

  /** Returns the blocks of a footer: structs of a long, an int and a long. */
  blocks(field: number): FlatBlock[] {
    const { start, length } = this.vector(field, 24);
    const blocks = new Array<FlatBlock>(length);
    for (let i = 0; i < length; i++) {
      const place = start + 24 * i;
      blocks[i] = {
        offset: this.#longAt(place),
        metaDataLength: this.#view.getInt32(place + 8, true),
        bodyLength: this.#longAt(place + 16),
      };
    }
    return blocks;
  }

  #longAt(place: number): number {
    return this.#view.getInt32(place + 4, true) * 2 ** 32 + this.#view.getUint32(place, true);
  }

  table(field: number): FlatTable | undefined {
    const place = this.placeOf(field);
    return place === 0 ? undefined : this.#tableAt(place);
  }

  string(field: number): string | undefined {
    const { start, length } = this.vector(field, 1);
    if (start === 0) return undefined;
    const bytes = new Uint8Array(this.#view.buffer, this.#view.byteOffset + start, length);
    // Strings are zero-terminated.
    if (this.#view.getUint8(start + length) !== 0) throw new BrokenPartError("a text does not end");
    try {
      return decoder.decode(bytes);
    } catch {
      throw new BrokenPartError("a name or other text in it is not UTF-8");
    }
  }

  /** Returns the offset of a vector's first element, and its length; both 0 if absent. */
  vector(field: number, elementBytes: number): { start: number; length: number } {
    const place = this.placeOf(field);
    if (place === 0) return { start: 0, length: 0 };
    const vector = place + this.#view.getUint32(place, true);
    if (vector % 4 !== 0) throw new BrokenPartError("a list lies between two words");
    const length = this.#view.getUint32(vector, true);
    const start = vector + 4;
    if (start + length * elementBytes > this.#view.byteLength) {
      throw new BrokenPartError(`a list claims ${length} entries`);
    }
    return { start, length };
  }

  /** Yields the elements of a vector of tables. */
  *tables(field: number): Generator<FlatTable, void, void> {
    const { start, length } = this.vector(field, 4);
    for (let i = 0; i < length; i++) yield this.#tableAt(start + 4 * i);
  }

  /**
   * Follows a reference to a table. References are unsigned and point forward, so there are no
   * cycles.
   */
  #tableAt(place: number): FlatTable {
    const position = place + this.#view.getUint32(place, true);
    if (position <= place) throw new BrokenPartError("a table contains itself");
    return new FlatTable(this.#view, position, this.#budget);
  }

  /** Returns the byte offset of a field; 0 if absent. */
  placeOf(field: number): number {
    const entry = 4 + 2 * field;
    if (entry >= this.#view.getUint16(this.#vtable, true)) return 0;
    const offset = this.#view.getUint16(this.#vtable + entry, true);
    if (offset === 0) return 0;
    if (offset >= this.#view.getUint16(this.#vtable + 2, true)) {
      throw new BrokenPartError("a field lies outside its table");
    }
    return this.#position + offset;
  }
}
