/**
 * Plans of rechunking: what is read, kept in between and written, stage by stage. All chunks lie on
 * regular grids over the array, and all lengths count items.
 *
 * @module
 */

/** What is rechunked, and within which limits. */
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
