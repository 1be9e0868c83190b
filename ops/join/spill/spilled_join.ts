/**
 * What the parts of a join in bounded memory have in common: what is joined, and with what.
 *
 * @module
 */

import type { Backend, KeyType, ResultLimits } from "../../../gpu/backend.ts";
import type { Column, HostColumn } from "../../../gpu/column/column.ts";
import { givesProbeRows, type JoinHow, type JoinKind, joinKinds } from "../../../gpu/join_kind.ts";
import type { TempFolder } from "../../../streams/formats/arrow/temp_folder.ts";
import type { HostRows } from "./host_rows.ts";
import { divideMemory, type SpillSizes } from "./sizes.ts";

/** What is joined. Columns are named by their places in the rows of their side. */
export interface JoinShape {
  readonly how: JoinHow;
  /** Whether the result has the order of the probe side, or any. */
  readonly order: "probe" | "none";
  readonly keyType: KeyType;
  readonly nullsEqual: boolean;
  readonly build: {
    /** The key of rows, which may have one column more than its side. It is called several times. */
    keyOf(rows: HostRows): HostColumn;
    readonly payload: readonly number[];
    readonly lastPayload: readonly number[];
  };
  readonly probe: {
    /** See that of the build side. */
    keyOf(rows: HostRows): HostColumn;
    /** The columns that come out. */
    readonly output: readonly number[];
  };
}

/** What a join works with. */
export interface JoinContext {
  readonly backend: Backend;
  /** Bytes that the join may occupy. */
  readonly memory: number;
  /** The most that a batch of the result has. */
  readonly limits: ResultLimits;
  /** Where rows go that memory has no room for. */
  readonly folder: TempFolder;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

/** Rows of the result. */
export interface JoinedRows {
  /**
   * `probe`: columns of the probe side, then the payload; `build`: rows that the build side gives by
   * itself, the payload and then the last payload.
   */
  readonly side: "probe" | "build";
  readonly columns: readonly Column[];
  readonly numRows: number;
}

/** Rows of the result before they are ordered. */
export interface RunRows extends JoinedRows {
  /**
   * The number of their run: each run is sorted, and rows of one probe row follow each other in the
   * order of their runs.
   */
  readonly run: number;
  /** The row of the probe side, or of the build side, that each row comes from; absent: any order. */
  readonly numbers?: Float64Array;
}

/** A join that does not fit into memory: its shape and context, and what follows from them. */
export class SpilledJoin {
  readonly shape: JoinShape;
  readonly context: JoinContext;
  readonly sizes: SpillSizes;
  readonly kind: JoinKind;
  /** Whether the rows of a side carry their number as their last column. */
  readonly numbersProbe: boolean;
  readonly numbersBuild: boolean;
  #numRuns = 0;

  constructor(shape: JoinShape, context: JoinContext) {
    this.shape = shape;
    this.context = context;
    this.sizes = divideMemory(context.memory, context.backend.maxTableBytes);
    this.kind = joinKinds[shape.how];
    const { output } = shape.probe;
    const { payload, lastPayload } = shape.build;
    // Rows without columns are only counted.
    const isOrdered = shape.order === "probe" &&
      output.length + payload.length + lastPayload.length > 0;
    this.numbersProbe = isOrdered && givesProbeRows(this.kind);
    this.numbersBuild = isOrdered && this.kind.lastRows !== "none";
  }

  /** Limits of the pieces that tables give. */
  get limits(): ResultLimits {
    const { limits } = this.context;
    return { rows: limits.rows, bytes: Math.min(limits.bytes, 2 * this.sizes.block) };
  }

  /** The number of the next run. */
  nextRun(): number {
    return this.#numRuns++;
  }

  /** Ends what nobody needs any more. */
  checkSignal(): void {
    this.context.signal.throwIfAborted();
  }
}
