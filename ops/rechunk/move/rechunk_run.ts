/**
 * The request for a run of rechunking, and its progress.
 *
 * @module
 */

import type { ArrayReader, ArrayWriter } from "../../../streams/formats/zarr/items/array.ts";
import type { ItemSizes } from "../plan/item_sizes.ts";
import type { RechunkPlan } from "../plan/rechunk_plan.ts";

/** The progress of a run. */
export interface RechunkProgress {
  /** The number of the current pass, from 1; each pass reads and writes the whole array. */
  readonly stage: number;
  /** The number of passes, one more than the plan's intermediate stores. */
  readonly numStages: number;
  /** Bytes of items that all passes have read and written so far, chunks of earlier runs included. */
  readonly bytes: number;
  /** The same for the whole run. */
  readonly totalBytes: number;
}

/** The arrays, the plan and the options of a run. */
export interface RechunkRun {
  readonly source: ArrayReader;
  /** An array of the same shape, type and fill value. Without `resume` it has no chunks. */
  readonly target: ArrayWriter;
  readonly plan: RechunkPlan;
  /** The greatest number of bytes that boxes, chunks and codecs may take. */
  readonly maxMem: number;
  /**
   * The folder for intermediate stores and the journal, for this run alone. The run creates it and
   * removes it at the end, but keeps it after a failure. A plan without intermediate stores does not
   * need one, but keeps a journal in it.
   */
  readonly temp?: string;
  /**
   * Whether to resume a run that was interrupted, if there is one. Chunks that it wrote are not written
   * again.
   */
  readonly resume?: boolean;
  /**
   * Whether completed work must survive a crash of the machine: the journal then records it only after
   * it is on disk.
   */
  readonly isDurable?: boolean;
  /**
   * The number of threads that share each box, including this one, as far as `maxMem` allows. Default:
   * the environment variable `SLUICE_THREADS`, else one for each processor, at most 8. Workers join
   * once they have started; for less than 64 MiB of items there are none.
   */
  readonly threads?: number;
  /** Whether to write chunks whose items are all missing. Default: false. */
  readonly writesMissing?: boolean;
  /** The sizes of variable items. Default: a sample, for which some chunks are read. */
  readonly sizes?: ItemSizes;
  /** Called after each chunk. */
  readonly onProgress?: (progress: RechunkProgress) => void;
  /** Called with the number of bytes that a pass has written to a store. */
  readonly onStored?: (numBytes: number) => void;
  readonly signal?: AbortSignal;
}
