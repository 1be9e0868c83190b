/**
 * Lowers scratch. A kernel has one array of words; each operation gets a part of it for as long as
 * its code runs, and shares that part with its helpers.
 *
 * A read always becomes a local, declared where the read is, so that no later use of it can move
 * past a store.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import { KernelError } from "../../../base/errors/expr_error.ts";
import type { Scalar } from "../ir/ir.ts";
import type { RowBuilder } from "./row_builder.ts";
import type { RowFunction } from "../language/row_function.ts";
import { binary, bool, int, select } from "../ir/scalar.ts";
import { isScratch, MAX_SCRATCH_WORDS, type ScratchMemory } from "../language/scratch.ts";
import { isParsedHelper } from "../parse/row_code.ts";

/** Where the scratch of a function and of its helpers starts. */
export type ScratchPlaces = ReadonlyMap<ScratchMemory, number>;

/** The words of scratch of a kernel, allocated like a stack. */
export class ScratchWords {
  /** The most words that were in use at once. */
  total = 0;
  #used = 0;

  /** Runs `body` while scratch is allocated for `fn`. */
  during<T>(fn: RowFunction, body: (places: ScratchPlaces) => T): T {
    const before = this.#used;
    const places = new Map<ScratchMemory, number>();
    for (const memory of scratchOf(fn)) {
      places.set(memory, this.#used);
      this.#used += memory.size;
    }
    if (this.#used > MAX_SCRATCH_WORDS) {
      throw new KernelError(
        `${fn.name}: the operations of one kernel need ${this.#used} words of scratch, ` +
          `over ${MAX_SCRATCH_WORDS}`,
      );
    }
    this.total = Math.max(this.total, this.#used);
    const result = body(places);
    this.#used = before;
    return result;
  }
}

function scratchOf(fn: RowFunction, found: Set<ScratchMemory> = new Set()): Set<ScratchMemory> {
  for (const constant of Object.values(fn.consts)) {
    if (isScratch(constant)) found.add(constant);
    else if (isParsedHelper(constant)) scratchOf(constant, found);
  }
  return found;
}

/** One scratch memory of a function, as a range of the kernel's words. */
export interface ScratchPart {
  readonly start: number;
  readonly size: number;
}

/** Returns the scratch that a function knows by this name among its constants. */
export function scratchPart(fn: RowFunction, name: string, places: ScratchPlaces): ScratchPart {
  const memory = fn.consts[name];
  const start = isScratch(memory) ? places.get(memory) : undefined;
  if (!isScratch(memory) || start === undefined) {
    throw new InternalError(`${fn.name} has no scratch ${name}`);
  }
  return { start, size: memory.size };
}

/** Reads the word at an index; 0 if the index is out of range. */
export function readScratch(builder: RowBuilder, part: ScratchPart, index: Scalar): Scalar {
  const [at, isInside] = place(builder, part, index);
  if (isInside.op === "const" && isInside.value === false) return int(0);
  const word: Scalar = { op: "scratch", type: "i32", at };
  return builder.stable("word", select(isInside, word, int(0)));
}

/** Stores a word; does nothing if the index is out of range. */
export function storeScratch(
  builder: RowBuilder,
  part: ScratchPart,
  index: Scalar,
  value: Scalar,
): void {
  const [at, isInside] = place(builder, part, index);
  builder.if(isInside, () => builder.push({ do: "store", at, value }));
}

/**
 * Returns the position of an index in the words of the kernel, and whether the index is in range.
 */
function place(
  builder: RowBuilder,
  { start, size }: ScratchPart,
  index: Scalar,
): [at: Scalar, isInside: Scalar] {
  const at = builder.stable("index", index);
  const isInside = isMaskedBelow(index, size)
    ? bool(true)
    : builder.facts.knows(int(0), at)
    ? builder.facts.decide(binary("<", at, int(size)))
    : binary("<u", at, int(size));
  return [binary("+", at, int(start)), isInside];
}

/** Whether an index is masked to less than a size, as `i & 7` is for 8. */
export function isMaskedBelow(index: Scalar, size: number): boolean {
  if (index.op !== "binary" || index.fn !== "&" || index.right.op !== "const") return false;
  const mask = Number(index.right.value);
  return mask >= 0 && mask < size;
}
