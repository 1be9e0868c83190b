/**
 * Scratch as code. A kernel has one array of words; each operation gets a part of it for as long as
 * its code runs, and shares it with its helpers.
 *
 * A read is always a local of its own, at the place where it stands, so that nothing that is made of
 * it later can be moved behind a store.
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

/** Where the scratch of a function and of its helpers begins. */
export type ScratchPlaces = ReadonlyMap<ScratchMemory, number>;

/** The words of scratch of a kernel, given out like a stack. */
export class ScratchWords {
  /** The most that were in use at once. */
  total = 0;
  #used = 0;

  /** Runs `body` while the scratch of `fn` has its places. */
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

/** The scratch that a function has under a name, and where it begins. */
export interface ScratchPart {
  readonly start: number;
  readonly size: number;
}

/** The part of the scratch that a function calls by a name of its constants. */
export function scratchPart(fn: RowFunction, name: string, places: ScratchPlaces): ScratchPart {
  const memory = fn.consts[name];
  const start = isScratch(memory) ? places.get(memory) : undefined;
  if (!isScratch(memory) || start === undefined) {
    throw new InternalError(`${fn.name} has no scratch ${name}`);
  }
  return { start, size: memory.size };
}

/** The word at an index; 0 outside. */
export function readScratch(builder: RowBuilder, part: ScratchPart, index: Scalar): Scalar {
  const [at, isInside] = place(builder, part, index);
  if (isInside.op === "const" && isInside.value === false) return int(0);
  const word: Scalar = { op: "scratch", type: "i32", at };
  return builder.stable("word", select(isInside, word, int(0)));
}

/** Stores a word; nothing happens outside. */
export function storeScratch(
  builder: RowBuilder,
  part: ScratchPart,
  index: Scalar,
  value: Scalar,
): void {
  const [at, isInside] = place(builder, part, index);
  builder.if(isInside, () => builder.push({ do: "store", at, value }));
}

/** An index as a place in the words of the kernel, and whether it is one. */
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

/** Whether an index is some number masked to below a size: `i & 7` is below 8. */
export function isMaskedBelow(index: Scalar, size: number): boolean {
  if (index.op !== "binary" || index.fn !== "&" || index.right.op !== "const") return false;
  const mask = Number(index.right.value);
  return mask >= 0 && mask < size;
}
