/**
 * What a run of rechunking is asked for, and how far it has come.
 *
 * @module
 */

import type { ArrayReader, ArrayWriter } from "../../../streams/formats/zarr/items/array.ts";
import type { ItemSizes } from "../plan/item_sizes.ts";
import type { RechunkPlan } from "../plan/rechunk_plan.ts";

/** How far a run has come. */
export interface RechunkProgress {
  /** The pass that runs, counted from 1: each reads and writes the whole array. */
  readonly stage: number;
  /** One more than the plan has intermediate stores. */
  readonly numStages: number;
  /** Bytes of items that all passes have read and written so far; what was there counts too. */
  readonly bytes: number;
  /** Those of the whole run. */
  readonly totalBytes: number;
}

/** The arrays, the plan and the options of a run. */
export interface RechunkRun {
  readonly source: ArrayReader;
  /** An array of the same shape, type and fill value. Without `resume` it has no chunks. */
  readonly target: ArrayWriter;
  readonly plan: RechunkPlan;
  /** Bytes that boxes, chunks and codecs take at most. */
  readonly maxMem: number;
  /**
   * The folder for intermediate stores and the journal, for this run alone. It is created, gone at the
   * end, and stays when the run fails. A plan without stages needs none: it keeps a journal where one
   * is given.
   */
  readonly temp?: string;
  /**
   * Goes on with a run that ended in the middle, if there is one: chunks that are there are not
   * written again.
   */
  readonly resume?: boolean;
  /**
   * Whether what is complete has to survive the end of the machine: the journal then says so only
   * after it is on the disk.
   */
  readonly isDurable?: boolean;
  /**
   * Threads that share each box, this one included, as far as `maxMem` has room for them. Default: the
   * environment variable `SLUICE_THREADS`, else one for each processor, at most 8; workers begin when
   * they have started, and there are none for less than 64 MiB of items.
   */
  readonly threads?: number;
  /** Whether chunks of which all items are missing are written too. Default: no. */
  readonly writesMissing?: boolean;
  /** The sizes of the items, where they are variable. Default: those of some chunks, which are read. */
  readonly sizes?: ItemSizes;
  /** Called after each chunk. */
  readonly onProgress?: (progress: RechunkProgress) => void;
  /** Called with the bytes that a pass has written to a store. */
  readonly onStored?: (numBytes: number) => void;
  readonly signal?: AbortSignal;
}
