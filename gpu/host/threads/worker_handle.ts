/**
 * A thread that computes parts of batches, as the main thread sees it.
 *
 * @module
 */

import type { CrewMember } from "../../../base/threads/crew.ts";
import { ThreadLife, waitForChange } from "../../../base/threads/life.ts";
import { type StartThread, type Thread, threadStarter } from "../../../base/threads/thread.ts";
import { utf8Module } from "../../wasm/utf8_functions.ts";
import { kernelProgram } from "./kernel_program.ts";
import { layout, SHARED_BYTES } from "./layout.ts";
import type { WorkerSetup } from "./worker_main.ts";

/** Starts a thread that computes parts. */
export type StartWorker = StartThread<WorkerSetup, never>;

const NUM_PAGES = SHARED_BYTES / 65_536;

/** A worker, seen from the main thread, and the memory that both share. */
export class WorkerHandle implements CrewMember {
  readonly buffer: SharedArrayBuffer;
  readonly #control: Int32Array<SharedArrayBuffer>;
  /** The number of completed parts by the number of the kernel. The worker knows these kernels. */
  readonly #numDone = new Map<number, number>();
  readonly #life: ThreadLife;
  readonly #thread: Thread<WorkerSetup>;
  #isBroken = false;
  #isClosed = false;

  /** Starts the worker; throws if none can start. */
  constructor(start: StartWorker = threadStarter(kernelProgram)) {
    const memory = new WebAssembly.Memory({ initial: NUM_PAGES, maximum: NUM_PAGES, shared: true });
    // The buffer of a shared memory is a SharedArrayBuffer.
    this.buffer = memory.buffer as unknown as SharedArrayBuffer;
    this.#control = new Int32Array(this.buffer, 0, layout.controlBytes / 4);
    this.#life = new ThreadLife(this.#control, layout.life);
    this.#thread = start({ onMessage() {}, onLost: () => this.#isBroken = true });
    this.#thread.send({ memory, utf8Module: utf8Module(true) });
  }

  /** Whether the worker failed: an uncaught error ended it, or it could not start. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Whether the worker ever ran. */
  get wasHere(): boolean {
    return this.#life.hasStarted;
  }

  /** Whether the worker has ended or failed. */
  get isGone(): boolean {
    return this.#isBroken || this.#isClosed || this.#life.isGone;
  }

  /** Whether the worker is running. */
  get isHere(): boolean {
    return !this.isGone && this.#life.hasStarted;
  }

  /** Returns the number of parts of a kernel that the worker has completed. */
  numDone(kernel: number): number {
    return this.#numDone.get(kernel) ?? 0;
  }

  /** Records that the worker has completed a part of a kernel. */
  countDone(kernel: number): void {
    this.#numDone.set(kernel, this.numDone(kernel) + 1);
  }

  /** Records that the worker did not complete a part, maybe because it has forgotten the kernel. */
  forget(kernel: number): void {
    this.#numDone.delete(kernel);
  }

  /** Returns the state of a slot. */
  state(slot: number): number {
    return Atomics.load(this.#control, layout.states + slot);
  }

  /** Drops the results of earlier work. Returns the slots that can be filled. */
  clear(): number[] {
    const slots = Array.from({ length: layout.numSlots }, (_, slot) => slot);
    return slots.filter((slot) => {
      const state = this.state(slot);
      // A worker that is late with a part keeps the slot.
      if (state === layout.taken) return false;
      if (state === layout.offered) return this.withdraw(slot);
      Atomics.store(this.#control, layout.states + slot, layout.empty);
      return true;
    });
  }

  /** Offers the part in a slot. */
  offer(slot: number): void {
    Atomics.store(this.#control, layout.states + slot, layout.offered);
    this.#ring();
  }

  /** Takes an offer back; returns false if the worker was faster. */
  withdraw(slot: number): boolean {
    const state = layout.states + slot;
    return Atomics.compareExchange(this.#control, state, layout.offered, layout.empty) ===
      layout.offered;
  }

  /**
   * Waits until a part that the worker has taken is done, at most `ms` milliseconds; returns the
   * state.
   */
  waitFor(slot: number, ms: number): number {
    const { states, taken, awakeMs } = layout;
    waitForChange(this.#control, states + slot, taken, { ms, awakeMs });
    return this.state(slot);
  }

  /** Ends the worker. */
  close(): void {
    this.#isClosed = true;
    Atomics.store(this.#control, layout.quit, 1);
    this.#ring();
    this.#thread.end();
  }

  #ring(): void {
    Atomics.add(this.#control, layout.bell, 1);
    Atomics.notify(this.#control, layout.bell);
  }
}
