/** @module */

import type { HostColumn } from "../../column.ts";
import { MAX_NARROW_OFFSET } from "../offsets.ts";
import { copyFromShared } from "./copy_from_shared.ts";
import type { Desk } from "./desk.ts";
import { bytesOf, fillSlot, resultOf, type SplitWork } from "./fill_slot.ts";
import { layout } from "./layout.ts";
import { partArray, type Rows } from "./part_array.ts";

/** Parts that a worker has in front of it: one that it computes, and one so that it need not wait. */
const AHEAD = 2;
/** How long a part may take, in times of the one that main did last, and milliseconds besides. */
const PATIENCE = 1.5;
const PATIENCE_MS = 0.1;
const SPARE_BYTES = 256;

/** A part that was offered. */
interface Offer {
  readonly desk: Desk;
  readonly slot: number;
}

/** How a batch is divided. */
export interface Split {
  /** Rows of a part, a multiple of 8. */
  readonly partRows: number;
  /** Bytes of text that a row of the result is expected to have. */
  readonly bytesPerRow: number;
}

/**
 * Runs a kernel over the rows of a batch, part by part, on this thread and on workers.
 *
 * This thread takes parts from the front, one after the other, and writes them to their place in
 * the result. Between them it keeps some parts from the back on offer. When no part is left it
 * takes back what no worker has begun; a part that one has begun it waits for about as long as the
 * part would take here, and then does it itself. What the worker then still writes lies in its
 * slot, and nobody looks at it.
 *
 * So it always ends: each part is done here after at most one wait, every wait has a limit, and no
 * step depends on what a worker does or whether there is one. The result does not depend on it
 * either: a kernel gives the same bytes wherever it runs. See `layout.ts` for who may touch what.
 */
export class SplitRun {
  readonly #work: SplitWork;
  readonly #split: Split;
  readonly #desks: readonly Desk[];
  readonly #offers = new Map<number, Offer>();
  readonly #offsets: Int32Array | null;
  readonly #validity: Uint8Array | null;
  /** The text so far, and room for more. */
  #text: Uint8Array;
  #size = 0;
  #nulls = 0;
  #partMs = 0;
  /** Parts that workers did, and parts that they began and this thread did. */
  numTheirs = 0;
  numLate = 0;

  constructor(work: SplitWork, split: Split, desks: readonly Desk[]) {
    const { numRows, result, pieces: { kernel } } = work;
    this.#work = work;
    this.#split = split;
    this.#desks = desks;
    const isText = result === null;
    this.#offsets = isText ? new Int32Array(numRows + 1) : null;
    this.#validity = kernel.canBeNull ? new Uint8Array((numRows + 7) >> 3) : null;
    const estimate = Math.ceil(split.bytesPerRow * numRows) + SPARE_BYTES;
    this.#text = new Uint8Array(isText ? Math.min(estimate, MAX_NARROW_OFFSET) : 0);
  }

  /** Gives the result. Throws what the kernel throws, of a row of some part. */
  run(): HostColumn {
    const { numRows, result, pieces: { kernel } } = this.#work;
    const numParts = Math.ceil(numRows / this.#split.partRows);
    // The slots hold results until it is their turn: a round is what fits.
    const perRound = layout.numSlots * (this.#desks.length + 1);
    try {
      for (let first = 0; first < numParts; first += perRound) {
        this.#runRound(first, Math.min(first + perRound, numParts));
      }
    } finally {
      for (const { desk, slot } of this.#offers.values()) desk.withdraw(slot);
    }
    const validity = this.#nulls === 0 ? null : this.#validity;
    if (validity !== null && numRows % 8 !== 0) {
      validity[validity.length - 1]! &= (1 << numRows % 8) - 1;
    }
    return {
      place: "host",
      type: kernel.type,
      length: numRows,
      nullCount: this.#nulls,
      validity,
      offsets: this.#offsets,
      data: result === null ? this.#usedText() : bytesOf(result),
      children: [],
    };
  }

  #runRound(first: number, stop: number): void {
    const free = this.#desks.flatMap((desk) => desk.clear().map((slot) => ({ desk, slot })))
      // One of each worker first.
      .sort((left, right) => left.slot - right.slot);
    let front = first;
    let back = stop;
    while (front < back) {
      for (let open = this.#numOpen(); open < AHEAD * this.#desks.length; open++) {
        const offer = back - front > 1 ? free.shift() : undefined;
        if (offer === undefined || !this.#tryOffer(offer, back - 1)) break;
        this.#offers.set(--back, offer);
      }
      this.#computePart(front++);
    }
    const mine = new Set<number>();
    for (const [part, { desk, slot }] of this.#offers) if (desk.withdraw(slot)) mine.add(part);
    for (let part = back; part < stop; part++) {
      const offer = this.#offers.get(part);
      if (offer === undefined || mine.has(part) || !this.#takePart(offer, part)) {
        this.#computePart(part);
      }
    }
    this.#offers.clear();
  }

  /** Offers that no worker has done yet. */
  #numOpen(): number {
    let count = 0;
    for (const { desk, slot } of this.#offers.values()) {
      const state = desk.state(slot);
      if (state === layout.offered || state === layout.taken) count++;
    }
    return count;
  }

  #tryOffer({ desk, slot }: Offer, part: number): boolean {
    const rows = this.#rowsOf(part);
    const isKnown = desk.numDone(this.#work.number) > 0;
    const textBytes = Math.ceil((rows.stop - rows.start) * this.#split.bytesPerRow);
    if (!fillSlot(slotBytes(desk, slot), this.#work, rows, isKnown, textBytes)) return false;
    desk.offer(slot);
    return true;
  }

  /** Runs the kernel over a part here and writes the result to its place. */
  #computePart(part: number): void {
    const { pieces, columns, arrays, numRows, result } = this.#work;
    const start = performance.now();
    const rows = this.#rowsOf(part);
    const parts = pieces.emitted.arrays.map((wanted, index) => {
      const type = "column" in wanted ? columns[wanted.column]?.type : undefined;
      return partArray(wanted, type, arrays[index] ?? null, rows, numRows);
    });
    const { nulls, size } = pieces.call({
      $rows: rows.stop - rows.start,
      $result: result === null
        ? this.#text.subarray(this.#size)
        : resultOf(this.#work, rows, result),
      $offsets: this.#offsets?.subarray(rows.start, rows.stop + 1) ?? null,
      $validity: this.#validity?.subarray(rows.start >> 3, (rows.stop + 7) >> 3).fill(0xff) ?? null,
      $grow: (_: Uint8Array, written: number, wanted: number) => {
        this.#makeRoom(this.#size + written, this.#size + wanted);
        return this.#text.subarray(this.#size);
      },
    }, parts);
    if (this.#offsets !== null && this.#size > 0) shift(this.#offsets, rows, this.#size);
    this.#size += size;
    this.#nulls += nulls;
    this.#partMs = performance.now() - start;
  }

  /** Copies the result of a worker to its place; false where there is none. */
  #takePart({ desk, slot }: Offer, part: number): boolean {
    const state = desk.waitFor(slot, this.#partMs * PATIENCE + PATIENCE_MS);
    if (state !== layout.done) {
      if (state === layout.failed) desk.forget(this.#work.number);
      else this.numLate++;
      return false;
    }
    const rows = this.#rowsOf(part);
    const { buffer, byteOffset } = slotBytes(desk, slot);
    const header = new Int32Array(buffer, byteOffset, layout.headerBytes / 4);
    const at = (word: number) => byteOffset + header[word]!;
    const { result } = this.#work;
    if (result !== null) {
      const target = bytesOf(resultOf(this.#work, rows, result));
      target.set(new Uint8Array(buffer, at(layout.resultAt), target.length));
    } else if (this.#offsets !== null) {
      const size = header[layout.size]!;
      this.#makeRoom(this.#size, this.#size + size);
      copyFromShared(this.#text, this.#size, buffer, at(layout.resultAt), size);
      const ends = new Int32Array(buffer, at(layout.offsetsAt), rows.stop - rows.start + 1);
      copyShifted(this.#offsets, rows, ends, this.#size);
      this.#size += size;
    }
    if (this.#validity !== null) {
      const bytes = (rows.stop - rows.start + 7) >> 3;
      this.#validity.set(new Uint8Array(buffer, at(layout.validityAt), bytes), rows.start >> 3);
    }
    this.#nulls += header[layout.nulls]!;
    this.numTheirs++;
    desk.countDone(this.#work.number);
    return true;
  }

  /** Makes room for `size` bytes of text, of which `kept` are to be kept. */
  #makeRoom(kept: number, size: number): void {
    if (size <= this.#text.length) return;
    // Alone, the kernel raises the error that names the row.
    if (size > MAX_NARROW_OFFSET) throw new RangeError("The result does not fit into its offsets");
    const grown = new Uint8Array(
      Math.min(Math.max(size, 2 * this.#text.length) + SPARE_BYTES, MAX_NARROW_OFFSET),
    );
    grown.set(this.#text.subarray(0, kept));
    this.#text = grown;
  }

  #usedText(): Uint8Array {
    const used = this.#text.subarray(0, this.#size);
    return this.#text.length - this.#size > this.#size / 4 + 4096 ? used.slice() : used;
  }

  #rowsOf(part: number): Rows {
    const start = part * this.#split.partRows;
    return { start, stop: Math.min(start + this.#split.partRows, this.#work.numRows) };
  }
}

function slotBytes({ buffer }: Desk, slot: number): Uint8Array {
  const { controlBytes, slotBytes } = layout;
  return new Uint8Array(buffer, controlBytes + slot * slotBytes, slotBytes);
}

/** Adds `by` to the ends of some rows. */
function shift(offsets: Int32Array, { start, stop }: Rows, by: number): void {
  for (let row = start + 1; row <= stop; row++) offsets[row]! += by;
}

function copyShifted(
  offsets: Int32Array,
  { start, stop }: Rows,
  ends: Int32Array,
  by: number,
): void {
  for (let row = start + 1; row <= stop; row++) offsets[row] = ends[row - start]! + by;
}
