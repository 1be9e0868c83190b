/**
 * Statistics of a run, updated while it runs.
 *
 * @module
 */

import type { BackendCounters } from "../../gpu/backend.ts";
import type { Batch } from "../batch/batch.ts";

/** The batches in which the text of one column needed 64-bit offsets. */
export interface WideText {
  /** The name of the column. */
  readonly column: string;
  /** The number of batches. */
  readonly batches: number;
  /** The bytes of text in the largest of them. */
  readonly bytes: number;
}

/** Statistics of one operator, updated while the run lasts. */
export interface OperatorStats {
  /** The name of the operator, or of the source. */
  readonly name: string;
  /** The position in the pipeline as the user wrote it; the source is 1. */
  readonly step: number;
  /** Its own time in milliseconds, without that of earlier operators. */
  readonly elapsedMs: number;
  /** Rows of its input; 0 for the source. */
  readonly rowsIn: number;
  /** Rows of its output. */
  readonly rowsOut: number;
  /** Batches of its input; 0 for the source. */
  readonly batchesIn: number;
  /** Batches of its output. */
  readonly batchesOut: number;
  /** The bytes that it spilled to temporary files because they exceeded the engine's memory. */
  readonly bytesSpilled: number;
  /** The most bytes of rows that it buffered at any time until it knew which of them to return. */
  readonly bytesHeld: number;
  /** The columns with 64-bit offsets in output batches, and the number of these. */
  readonly wideText: readonly WideText[];
}

/** The size of the input of a run, as far as it is known in advance. */
export interface SourceSize {
  /** The name of the source in errors. */
  readonly name: string;
  /**
   * The number of rows that the run reads, if known from metadata; undefined for few rows by
   * position.
   */
  readonly numRows: number | undefined;
  /** The size of the source in bytes, if it has one; undefined for few rows by position. */
  readonly numBytes: number | undefined;
}

/** Statistics of one run of a plan. */
export interface RunStats {
  /** The source, then the operators in the order in which they ran. */
  readonly operators: readonly OperatorStats[];
  /** Counters of the engine's backend since its creation. */
  readonly counters: Readonly<BackendCounters>;
  /** Rows read from the source. */
  readonly numRowsIn: number;
  /** Rows of the result. */
  readonly numRowsOut: number;
  /** Bytes read from the source, its metadata included. */
  readonly bytesIn: number;
  /** The size of the source in bytes, if known. */
  readonly bytesPresent: number | undefined;
  /** Requests to the source, if it is over a network. */
  readonly numRequests: number;
  /** Bytes of the result. */
  readonly bytesOut: number;
  /** Batches of the result. */
  readonly batchesOut: number;
  /** The columns with 64-bit offsets in batches of the result, and the number of these. */
  readonly wideText: readonly WideText[];
  /** The bytes of text in one column of one batch at which its offsets become 64-bit. */
  readonly threshold: number;
  /** Warnings for the user, with the name of the operator; known when the run starts. */
  readonly warnings: readonly string[];
  /** Whether the run has ended: completed, failed or cancelled. */
  readonly ended: boolean;
  /** Returns the size of the input, from metadata. */
  sourceSize(): Promise<SourceSize>;
}

/** Counts batches in which text reaches the threshold. */
export class WideTextCounter {
  readonly #threshold: number;
  /** Counts by column index, so that `found` is in schema order. */
  readonly #found: (WideText | undefined)[] = [];

  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  /** The counts so far, by column. */
  get found(): readonly WideText[] {
    return this.#found.filter((text) => text !== undefined);
  }

  /** Counts the columns of a batch without reading its rows. */
  note({ schema, columns }: Batch): void {
    for (const [index, { textBytes }] of columns.entries()) {
      if (textBytes < this.#threshold) continue;
      const { batches = 0, bytes = 0 } = this.#found[index] ?? {};
      this.#found[index] = {
        column: schema.fields[index]!.name,
        batches: batches + 1,
        bytes: Math.max(bytes, textBytes),
      };
    }
  }
}

/** Measures one operator while it runs. */
export class Meter implements OperatorStats {
  readonly name: string;
  readonly step: number;
  rowsIn = 0;
  rowsOut = 0;
  batchesIn = 0;
  batchesOut = 0;
  bytesSpilled = 0;
  bytesHeld = 0;
  #ownMs = 0;
  #inputMs = 0;
  readonly #wideText: WideTextCounter;

  constructor(name: string, step: number, threshold: number) {
    this.name = name;
    this.step = step;
    this.#wideText = new WideTextCounter(threshold);
  }

  get wideText(): readonly WideText[] {
    return this.#wideText.found;
  }

  get elapsedMs(): number {
    return Math.max(0, this.#ownMs - this.#inputMs);
  }

  /** Counts a batch of its input. */
  countInput(batch: Batch): void {
    this.rowsIn += batch.numRows;
    this.batchesIn++;
  }

  /** Counts a batch of its output. */
  countOutput(batch: Batch): void {
    this.rowsOut += batch.numRows;
    this.batchesOut++;
    this.#wideText.note(batch);
  }

  /** Adds the time until its next batch came, including the wait for its input. */
  spend(elapsedMs: number): void {
    this.#ownMs += elapsedMs;
  }

  /** Adds the time until the next batch of its input came. */
  waitFor(elapsedMs: number): void {
    this.#inputMs += elapsedMs;
  }
}
