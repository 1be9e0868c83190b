/**
 * Totals that the host must know before it can go on: how many bytes, how many rows. A wait costs
 * 10 ms however little it brings, so the totals of a whole batch share one small buffer.
 *
 * @module
 */

import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import { Staging } from "./staging.ts";

/** Slots for the totals of one batch. */
export class Totals {
  readonly buffer: PooledBuffer;
  readonly #context: WebGpuContext;
  readonly #slots: number;

  private constructor(context: WebGpuContext, buffer: PooledBuffer, slots: number) {
    this.#context = context;
    this.buffer = buffer;
    this.#slots = slots;
  }

  /** Makes room for `slots` totals, at word 0 to `slots - 1` of `buffer`. Release it. */
  static async create(context: WebGpuContext, slots: number): Promise<Totals> {
    const buffer = await context.pool.acquire("storage", 4 * slots, "totals");
    return new Totals(context, buffer, slots);
  }

  /** Submits `commands`, waits for them and returns the totals: one readback. */
  async read(commands: Commands): Promise<Uint32Array> {
    if (this.#slots === 0) {
      commands.submit();
      return new Uint32Array(0);
    }
    const staging = new Staging(this.#context);
    staging.add(this.buffer, 0, this.#slots);
    this.#context.device.counters.readbacks++;
    const [totals] = await staging.read(commands);
    return new Uint32Array(totals!);
  }

  release(): void {
    this.buffer.release();
  }
}
