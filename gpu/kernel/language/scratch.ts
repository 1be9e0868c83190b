import type { i32 } from "./row_function.ts";

/** The most words of scratch that a kernel has, those of all its operations together. */
export const MAX_SCRATCH_WORDS = 4096;

/**
 * Private 32-bit integers of a row, which a row function reads and writes by index:
 * `c.registers.at(i)`, `c.registers.set(i, value)`. What they hold when a row begins is not
 * defined. A helper that has the same scratch in its constants shares it with its caller.
 */
export interface Scratch {
  /** The number of integers. */
  readonly size: i32;
  /** The integer at an index; 0 outside of the scratch. */
  at(index: i32): i32;
  /** Stores an integer; outside of the scratch nothing happens. */
  set(index: i32, value: i32): void;
}

/** Scratch in the memory of the host, as constant folding uses it. */
export class ScratchMemory implements Scratch {
  /** Tells what it is to another copy of this library, from which a plugin may have it. */
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
 * Scratch for the `consts` of a row function: `size` integers, 1 to 4096.
 *
 * Raises a RangeError for another size.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { defineStringOp, type i32, scratch, type Scratch, type View } from "../../../mod.ts";
 *
 * const fibonacci = defineStringOp({
 *   name: "fibonacci",
 *   kind: "measure",
 *   consts: { numbers: scratch(40) },
 *   row(text: View, c: { numbers: Scratch }): i32 {
 *     c.numbers.set(0, 0);
 *     c.numbers.set(1, 1);
 *     for (let i = 2; i <= text.size; i++) {
 *       c.numbers.set(i, c.numbers.at(i - 1) + c.numbers.at(i - 2));
 *     }
 *     return c.numbers.at(text.size);
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
