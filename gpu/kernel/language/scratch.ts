/**
 * The scratch memory that row functions may use within a row.
 *
 * @module
 */

import type { Scratch } from "./row_function.ts";

/** The most words of scratch of a kernel, for all its operations together. */
export const MAX_SCRATCH_WORDS = 4096;

/** Scratch in the memory of the host, for constant folding. */
export class ScratchMemory implements Scratch {
  /** Identifies it to another copy of this library, which a plugin may import. */
  readonly isScratch = true;
  readonly #words: Int32Array;

  constructor(size: number) {
    this.#words = new Int32Array(size);
  }

  get size(): number {
    return this.#words.length;
  }

  at(index: number): number {
    return this.#words[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.#words[index] = value;
  }
}

/** Whether a constant of a row function is scratch. */
export function isScratch(value: unknown): value is ScratchMemory {
  return typeof value === "object" && value !== null && "isScratch" in value;
}

/**
 * Creates scratch for the `consts` of a row function: `size` integers, 1 to 4096. Throws a
 * RangeError for another size.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { defineStringOp, scratch } from "../../../mod.ts";
 *
 * const fibonacci = defineStringOp({
 *   name: "fibonacci",
 *   kind: "measure",
 *   consts: { numbers: scratch(40) },
 *   row(text, { numbers }) {
 *     numbers.set(0, 0);
 *     numbers.set(1, 1);
 *     for (let i = 2; i <= text.size; i++) {
 *       numbers.set(i, numbers.at(i - 1) + numbers.at(i - 2));
 *     }
 *     return numbers.at(text.size);
 *   },
 * });
 * assertEquals(fibonacci.returns, "i32");
 * ```
 */
export function scratch(size: number): Scratch {
  if (!Number.isInteger(size) || size < 1 || size > MAX_SCRATCH_WORDS) {
    throw new RangeError(`scratch(size) takes 1 to ${MAX_SCRATCH_WORDS} words, not ${size}`);
  }
  return new ScratchMemory(size);
}
