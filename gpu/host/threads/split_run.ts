/**
 * Runs the parts of one batch on this thread and on workers.
 *
 * @module
 */

import { computePart } from "../executors/compute_part.ts";
import type { KernelResult, KernelStop } from "../kernels/kernel_result.ts";
import { bytesOf, type Rows } from "../kernels/kernel_arrays.ts";
import { PartedResult } from "../kernels/parted_result.ts";
import type { WorkerHandle } from "./worker_handle.ts";
import { fillSlot, type SplitWork } from "./fill_slot.ts";
import { layout } from "./layout.ts";

/** The parts offered to each worker: one that it computes, and one that waits for it. */
const AHEAD = 2;
/**
 * The time to wait for a part: a multiple of the time of the last part on this thread, plus
 * milliseconds.
 */
const PATIENCE = 1.5;
const PATIENCE_MS = 0.1;

/** An offered part. */
interface Offer {
  readonly worker: WorkerHandle;
  readonly slot: number;
}

/** The division of a batch into parts. */
export interface Split {
  /** The rows of a part, a multiple of 8. */
  readonly partRows: number;
  /** The expected bytes of text of a row of the result. */
  readonly bytesPerRow: number;
}

/**
 * Runs a kernel over the rows of a batch, part by part, on this thread and on workers.
 *
 * This thread computes parts from the front into their place in the result, and offers parts from
 * the back. When no part is left, it takes back the offers that no worker has begun. For a part
 * that a worker has begun, it waits about as long as the part would take here, and then computes
 * it, too; what the worker still writes to its slot is ignored.
 *
 * So it always ends: each part is computed here after at most one wait, every wait has a limit, and
 * no step depends on a worker. Nor does the result: a kernel returns the same bytes everywhere.
 * `layout.ts` says who may touch which memory.
 */
export class SplitRun {
  readonly #work: SplitWork;
  readonly #split: Split;
  readonly #workers: readonly WorkerHandle[];
  readonly #offers = new Map<number, Offer>();
  readonly #result: PartedResult;
  #partMs = 0;
  /**
   * The number of parts that workers computed, that they began but this thread computed, and that
   * failed only there.
   */
  numTheirs = 0;
  numLate = 0;
  numFailed = 0;

  constructor(work: SplitWork, split: Split, workers: readonly WorkerHandle[]) {
    this.#work = work;
    this.#split = split;
    this.#workers = workers;
    const { code: { ir, convention }, numRows } = work;
    const textBytes = split.bytesPerRow * numRows;
    this.#result = new PartedResult(ir, numRows, convention.writesFloats, textBytes);
  }

  /** Returns the result. Throws what the kernel throws for a row of some part. */
  run(): KernelResult {
    const numParts = Math.ceil(this.#work.numRows / this.#split.partRows);
    // A slot keeps its result until its turn, so a round has only as many parts as there are slots.
    const perRound = layout.numSlots * (this.#workers.length + 1);
    try {
      for (let first = 0; first < numParts; first += perRound) {
        const stop = this.#runRound(first, Math.min(first + perRound, numParts));
        if (stop !== null) return stop;
      }
    } finally {
      for (const { worker, slot } of this.#offers.values()) worker.withdraw(slot);
    }
    return { kind: "column", column: this.#result.finish() };
  }

  #runRound(first: number, stop: number): KernelStop | null {
    const free = this.#workers.flatMap((worker) => worker.clear().map((slot) => ({ worker, slot })))
      // The first slot of each worker first.
      .sort((left, right) => left.slot - right.slot);
    let front = first;
    let back = stop;
    while (front < back) {
      for (let open = this.#numOpen(); open < AHEAD * this.#workers.length; open++) {
        const offer = back - front > 1 ? free.shift() : undefined;
        if (offer === undefined || !this.#tryOffer(offer, back - 1)) break;
        this.#offers.set(--back, offer);
      }
      const stopped = this.#computePart(front++);
      if (stopped !== null) return stopped;
    }
    const mine = new Set<number>();
    for (const [part, { worker, slot }] of this.#offers) if (worker.withdraw(slot)) mine.add(part);
    for (let part = back; part < stop; part++) {
      const offer = this.#offers.get(part);
      const state = offer === undefined || mine.has(part)
        ? layout.empty
        : this.#takePart(offer, part);
      if (state === layout.done) continue;
      const stopped = this.#computePart(part);
      if (stopped !== null) return stopped;
      if (state === layout.failed) this.numFailed++;
    }
    this.#offers.clear();
    return null;
  }

  /** Returns the number of offers that no worker has completed. */
  #numOpen(): number {
    let count = 0;
    for (const { worker, slot } of this.#offers.values()) {
      const state = worker.state(slot);
      if (state === layout.offered || state === layout.taken) count++;
    }
    return count;
  }

  #tryOffer({ worker, slot }: Offer, part: number): boolean {
    const rows = this.#rowsOf(part);
    const isKnown = worker.numDone(this.#work.number) > 0;
    const textBytes = Math.ceil((rows.stop - rows.start) * this.#split.bytesPerRow);
    if (
      !fillSlot(slotBytes(worker, slot), this.#work, rows, {
        isKnown,
        textBytes,
        values: this.#result.valuesOf(rows),
      })
    ) return false;
    worker.offer(slot);
    return true;
  }

  /** Computes a part on this thread; returns null, or the reason why it stopped. */
  #computePart(part: number): KernelStop | null {
    const start = performance.now();
    const stop = computePart(this.#work, this.#rowsOf(part), this.#result);
    this.#partMs = performance.now() - start;
    return stop;
  }

  /** Copies the result of a worker to its place. Returns the state of the slot. */
  #takePart({ worker, slot }: Offer, part: number): number {
    const state = worker.waitFor(slot, this.#partMs * PATIENCE + PATIENCE_MS);
    if (state !== layout.done) {
      if (state === layout.failed || state === layout.unfit) worker.forget(this.#work.number);
      else this.numLate++;
      return state;
    }
    const rows = this.#rowsOf(part);
    const result = this.#result;
    const { buffer, byteOffset } = slotBytes(worker, slot);
    const header = new Int32Array(buffer, byteOffset, layout.headerBytes / 4);
    const at = (word: number) => byteOffset + header[word]!;
    const values = result.valuesOf(rows);
    if (values !== null) {
      bytesOf(values).set(new Uint8Array(buffer, at(layout.resultAt), values.byteLength));
    } else if (result.offsets !== null) {
      const size = header[layout.size]!;
      // This thread computes the part then, and finds the row at which the column is full.
      if (!result.makeRoom(0, size)) return layout.empty;
      copyFromShared(result.room, 0, buffer, at(layout.resultAt), size);
      const ends = new Int32Array(buffer, at(layout.offsetsAt), rows.stop - rows.start + 1);
      copyShifted(result.offsets, rows, ends, result.size);
      result.size += size;
    }
    const validity = result.validityOf(rows);
    validity?.set(new Uint8Array(buffer, at(layout.validityAt), validity.length));
    result.nulls += header[layout.nulls]!;
    this.numTheirs++;
    worker.countDone(this.#work.number);
    return state;
  }

  #rowsOf(part: number): Rows {
    const start = part * this.#split.partRows;
    return { start, stop: Math.min(start + this.#split.partRows, this.#work.numRows) };
  }
}

function slotBytes({ buffer }: WorkerHandle, slot: number): Uint8Array {
  const { controlBytes, slotBytes } = layout;
  return new Uint8Array(buffer, controlBytes + slot * slotBytes, slotBytes);
}

/** Copies the ends of some rows, with `by` added. */
function copyShifted(
  offsets: Int32Array,
  { start, stop }: Rows,
  ends: Int32Array,
  by: number,
): void {
  for (let row = start + 1; row <= stop; row++) offsets[row] = ends[row - start]! + by;
}

/**
 * Copies `size` bytes of shared memory from `start` to `target` from `at`, word by word: the
 * engine's own copy goes byte by byte unless both lie at the same place in a word.
 */
function copyFromShared(
  target: Uint8Array,
  at: number,
  source: ArrayBufferLike,
  start: number,
  size: number,
): void {
  const to = new DataView(target.buffer, target.byteOffset + at, size);
  const from = new DataView(source, start, size);
  let i = 0;
  for (const last = size - 32; i <= last; i += 32) {
    to.setBigInt64(i, from.getBigInt64(i, true), true);
    to.setBigInt64(i + 8, from.getBigInt64(i + 8, true), true);
    to.setBigInt64(i + 16, from.getBigInt64(i + 16, true), true);
    to.setBigInt64(i + 24, from.getBigInt64(i + 24, true), true);
  }
  for (; i < size; i++) to.setUint8(i, from.getUint8(i));
}
