/**
 * Plans of rechunking: what is read, stored between passes and written, stage by stage. All chunks lie on
 * regular grids over the array, and all lengths count items. A plan with two stages has three passes:
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
 * Each box has whole chunks of what is written. Where boundaries nest from grid to grid, each chunk of a
 * store is written once and read once. A plan without stages has one pass, with boxes of `direct`.
 *
 *     time axis of a plan for ERA5    31 -> 120 | 120 -> 1680 | 1680 -> 25200 | 25200 -> 350640
 *     latitude                       721 -> 721 | 150 ->  150 |   10 ->    10 |    10 ->     10
 *
 * `plan_rechunk.ts` finds the plan of least cost for shapes, `plan_arrays.ts` the one for two arrays and their
 * codecs; `move/run_rechunk.ts` runs it, pass by pass, and `store/journal.ts` notes the passes that are done.
 *
 * @module
 */

/** The array to rechunk, and the limits of its plan. */
export interface PlanRechunkOptions {
  /** Items of the array along each axis. */
  readonly shape: readonly number[];
  /** Bytes of an item. */
  readonly itemsize: number;
  /** Items of a chunk along each axis, now. */
  readonly source: readonly number[];
  /** Items of a chunk along each axis, then. */
  readonly target: readonly number[];
  /** Bytes that each read, write and intermediate chunk should have at least. Default: 0. */
  readonly minMem?: number;
  /** Bytes that none of them exceeds. */
  readonly maxMem: number;
  /** The number of intermediate stores. Default: that of the least cost. */
  readonly stages?: number;
}

/** One stage: boxes of `read` are split to `intermediate`, and combined to boxes of `write`. */
export interface RechunkStage {
  /** Items of a box that is read at once, along each axis. */
  readonly read: readonly number[];
  /**
   * The chunks of the store in between: the least of both along each axis. Where `read` is no multiple
   * of that it is `read`, written at once, and boxes of `write` read some of its chunks together.
   */
  readonly intermediate: readonly number[];
  /** Items of a box that the pieces are combined to: the `read` of the next stage. */
  readonly write: readonly number[];
  /** Pieces that are written and read again. */
  readonly operations: number;
}

/**
 * The stages between the source and the target, one for each intermediate store. What is written by
 * one is read by the next. Without stages, boxes of `direct` are read from the source and written to
 * the target.
 */
export interface RechunkPlan {
  /** First to last. */
  readonly stages: readonly RechunkStage[];
  /** The boxes of a plan without stages; else undefined. */
  readonly direct?: readonly number[];
  /** Chunks of source and intermediate stores that are read, as often as they are read. */
  readonly reads: number;
  /** Chunks of intermediate stores and target that are written, as often as they are written. */
  readonly writes: number;
  /** Bytes read and written by all stages together. */
  readonly bytes: number;
  /** No plan of as many stages on grids has fewer pieces between its stages. */
  readonly lowerBound: number;
  /** Bytes of the largest box that is held. */
  readonly peakMemory: number;
  /** Seconds that it takes by the model of the planner. */
  readonly cost: number;
}
