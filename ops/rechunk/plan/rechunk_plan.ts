/**
 * Plans of rechunking: the reads, the intermediate stores and the writes, stage by stage. All chunks lie
 * on regular grids over the array, and all lengths count items. A plan with two stages has three passes:
 *
 *     source chunks
 *        |  pass 1 reads boxes of stages[0].read into memory,
 *        v  and writes each as chunks of stages[0].intermediate
 *     store 1
 *        |  pass 2 reads boxes of stages[0].write, which is stages[1].read,
 *        v  and writes each as chunks of stages[1].intermediate
 *     store 2
 *        |  pass 3 reads boxes of stages[1].write
 *        v
 *     target chunks
 *
 * Each box consists of whole output chunks. Where boundaries nest from grid to grid, each chunk of a
 * store is written once and read once. A plan without stages has one pass, with boxes of `direct`.
 *
 *     time axis of a plan for ERA5    31 -> 120 | 120 -> 1680 | 1680 -> 25200 | 25200 -> 350640
 *     latitude                       721 -> 721 | 150 ->  150 |   10 ->    10 |    10 ->     10
 *
 * `plan_rechunk.ts` finds the plan of least cost for shapes, and `plan_arrays.ts` that for two arrays
 * with their codecs. `move/run_rechunk.ts` runs it, pass by pass, and `store/journal.ts` records the
 * complete passes.
 *
 * @module
 */

/** The array to rechunk, and the limits of its plan. */
export interface PlanRechunkOptions {
  /** The number of items of the array along each axis. */
  readonly shape: readonly number[];
  /** The number of bytes of an item. */
  readonly itemsize: number;
  /** The number of items of a source chunk along each axis. */
  readonly source: readonly number[];
  /** The number of items of a target chunk along each axis. */
  readonly target: readonly number[];
  /** The least number of bytes that a read, a write or an intermediate chunk should have. Default: 0. */
  readonly minMem?: number;
  /** The greatest number of bytes that any of them may have. */
  readonly maxMem: number;
  /** The number of intermediate stores. Default: the number with the least cost. */
  readonly stages?: number;
}

/** One stage: boxes of `read` are split into `intermediate` chunks, which boxes of `write` combine. */
export interface RechunkStage {
  /** The number of items of a box in memory, along each axis. */
  readonly read: readonly number[];
  /**
   * The chunks of the intermediate store: the shorter of both lengths along each axis. Where `read` is
   * not a multiple of it, the length is that of `read`, and boxes of `write` may share chunks.
   */
  readonly intermediate: readonly number[];
  /** The number of items of a box that combines pieces, along each axis: the `read` of the next stage. */
  readonly write: readonly number[];
  /** The number of pieces that are written and read again. */
  readonly operations: number;
}

/**
 * The stages between the source and the target, one for each intermediate store. Each stage reads the
 * store that the one before it wrote. Without stages, boxes of `direct` are read from the source and
 * written to the target.
 */
export interface RechunkPlan {
  /** The stages, from first to last. */
  readonly stages: readonly RechunkStage[];
  /** The boxes of a plan without stages; else undefined. */
  readonly direct?: readonly number[];
  /** The number of reads of chunks of the source and of intermediate stores. */
  readonly reads: number;
  /** The number of writes of chunks of intermediate stores and of the target. */
  readonly writes: number;
  /** The number of bytes that all stages together read and write. */
  readonly bytes: number;
  /** A lower bound for the pieces between the stages of any plan on grids with this number of stages. */
  readonly lowerBound: number;
  /** The number of bytes of the largest box. */
  readonly peakMemory: number;
  /** The seconds that the plan takes, by the model of the planner. */
  readonly cost: number;
}
