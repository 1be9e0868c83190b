/**
 * Copies ranges of device buffers to the host. They are packed into a few mappable buffers, so that
 * one wait is enough. Among them are the totals of bytes and rows that the host has to know before
 * it can go on.
 *
 * @module
 */

import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { Scope } from "../memory/scope.ts";

/** The bytes that ranges share in a mappable buffer; a larger range has a buffer of its own. */
const STAGING_BYTES = 64 * 2 ** 20;

interface Range {
  readonly source: PooledBuffer;
  readonly firstWord: number;
  readonly words: number;
  /** The index of the mappable buffer, and the place in it. */
  readonly staging: number;
  readonly byteStart: number;
}

/** Ranges to read. */
export class Staging {
  readonly #context: WebGpuContext;
  readonly #ranges: Range[] = [];
  /** The bytes of each mappable buffer. */
  readonly #sizes: number[] = [];

  constructor(context: WebGpuContext) {
    this.#context = context;
  }

  /** The number of ranges. */
  get size(): number {
    return this.#ranges.length;
  }

  /** Adds a range of words; returns its index in the results of `read`. */
  add(source: PooledBuffer, firstWord: number, words: number): number {
    // A mapped range has to begin at a multiple of 8.
    const bytes = 4 * (words + words % 2);
    const last = this.#sizes.length - 1;
    const fits = last >= 0 && this.#sizes[last]! + bytes <= STAGING_BYTES;
    const staging = fits ? last : last + 1;
    const byteStart = fits ? this.#sizes[last]! : 0;
    this.#sizes[staging] = byteStart + bytes;
    return this.#ranges.push({ source, firstWord, words, staging, byteStart }) - 1;
  }

  /**
   * Submits `commands` and copies all ranges to the host in one wait. Returns a buffer for each
   * range.
   */
  async read(commands: Commands): Promise<ArrayBuffer[]> {
    const { device, pool } = this.#context;
    using scope = new Scope();
    const buffers: PooledBuffer[] = [];
    for (const bytes of this.#sizes) {
      buffers.push(scope.own(await pool.acquire("staging", bytes, "download")));
    }
    for (const { source, firstWord, words, staging, byteStart } of this.#ranges) {
      commands.copy(source, firstWord, buffers[staging]!, byteStart / 4, words);
    }
    commands.submit();
    return await device.reads.read(this.#ranges.map(({ words, staging, byteStart }) => {
      return { buffer: buffers[staging]!.buffer, byteStart, bytes: 4 * words };
    }));
  }
}

/** The totals of one batch. They share one small buffer, so that one wait returns them all. */
export class Totals {
  readonly buffer: PooledBuffer;
  readonly #context: WebGpuContext;
  readonly #slots: number;

  private constructor(context: WebGpuContext, buffer: PooledBuffer, slots: number) {
    this.#context = context;
    this.buffer = buffer;
    this.#slots = slots;
  }

  /** Creates `slots` totals, the words 0 to `slots - 1` of `buffer`. The caller releases it. */
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
