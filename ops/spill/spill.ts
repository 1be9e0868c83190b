/**
 * The memory of an operator whose rows may exceed it, and the files that take the rest.
 *
 * @module
 */

import type { ResultLimits } from "../../gpu/backend.ts";
import type { TempFolder } from "../../streams/formats/arrow/temp_folder.ts";
import { RowFile } from "./row_file.ts";
import { divideMemory, type SpillSizes } from "./sizes.ts";

/** The resources of an operator. */
interface SpillContext {
  /** The number of bytes that the operator may occupy. */
  readonly memory: number;
  /** The limits of a batch of the result. */
  readonly limits: ResultLimits;
  /** The folder of the files. */
  readonly folder: TempFolder;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

/** The divided memory of an operator, and its files. */
export class Spill {
  readonly memory: number;
  readonly sizes: SpillSizes;
  /** The limits of a batch of the result while rows are in files. */
  readonly limits: ResultLimits;
  readonly signal: AbortSignal;
  readonly #folder: TempFolder;
  #numRuns = 0;

  /** `maxTableBytes` is the greatest number of bytes that a backend has for tables. */
  constructor({ memory, limits, folder, signal }: SpillContext, maxTableBytes?: number) {
    this.memory = memory;
    this.sizes = divideMemory(memory, maxTableBytes);
    this.limits = { rows: limits.rows, bytes: Math.min(limits.bytes, 2 * this.sizes.block) };
    this.signal = signal;
    this.#folder = folder;
  }

  /** Returns a file without rows. */
  newFile(): RowFile {
    return new RowFile(this.#folder, this.sizes.batch);
  }

  /** Returns the number of the next sorted run. */
  nextRun(): number {
    return this.#numRuns++;
  }

  /** Throws the reason of the signal once it is aborted. */
  checkSignal(): void {
    this.signal.throwIfAborted();
  }
}
