/**
 * What a run did so far: updated while it runs.
 *
 * @module
 */

import type { BackendCounters } from "../../gpu/backend.ts";
import type { Batch } from "../batch/batch.ts";

/** The batches in which the text of one column had so many bytes that its offsets have 64 bits. */
export interface WideText {
  /** Name of the column. */
  readonly column: string;
  /** How many batches. */
  readonly batches: number;
  /** Bytes of its text in the largest of them. */
  readonly bytes: number;
}

/** What one operator did; times are its own, without those of the operators before it. */
export interface OperatorStats {
  /** Name of the operator, or of the source. */
  readonly name: string;
  /** Place in the pipeline as the user wrote it; the source is 1. */
  readonly step: number;
  /** Time that it took, in milliseconds. */
  readonly elapsedMs: number;
  /** Rows that it was given; 0 for the source. */
  readonly rowsIn: number;
  /** Rows that it gave. */
  readonly rowsOut: number;
  /** Batches that it was given; 0 for the source. */
  readonly batchesIn: number;
  /** Batches that it gave. */
  readonly batchesOut: number;
  /** Columns whose text had 64-bit offsets in batches that it gave, and in how many. */
  readonly wideText: readonly WideText[];
}

/** What a source gives in all, as far as it can be known before. */
export interface SourceSize {
  /** What errors call it. */
  readonly name: string;
  /** Rows that the run takes from it, where metadata tells. */
  readonly numRows: number | undefined;
  /** Size in bytes, where it has one. */
  readonly numBytes: number | undefined;
}

/** What one run of a plan did. */
export interface RunStats {
  /** The source, then the operators in the order in which they ran. */
  readonly operators: readonly OperatorStats[];
  /** What the backend of the engine did since it was made. */
  readonly counters: Readonly<BackendCounters>;
  /** Rows that the source gave. */
  readonly numRowsIn: number;
  /** Rows that came out. */
  readonly numRowsOut: number;
  /** Bytes read from the source. */
  readonly bytesIn: number;
  /** Bytes of the batches that came out. */
  readonly bytesOut: number;
  /** Batches that came out. */
  readonly batchesOut: number;
  /** Columns whose text had 64-bit offsets in batches that came out, and in how many. */
  readonly wideText: readonly WideText[];
  /** Bytes of text in one column of one batch from which its offsets have 64 bits. */
  readonly threshold: number;
  /** Whether the run is over: complete, failed or cancelled. */
  readonly ended: boolean;
  /** What the source gives in all; reads metadata. */
  sourceSize(): Promise<SourceSize>;
}

/** Counts batches in which text has the threshold or more. */
export class WideTextCounter {
  readonly #threshold: number;
  /** By the number of the column, so that they come out in the order of the schema. */
  readonly #found: (WideText | undefined)[] = [];

  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  /** What was counted so far, column by column. */
  get found(): readonly WideText[] {
    return this.#found.filter((text) => text !== undefined);
  }

  /** Counts the columns of a batch; it has to look at no row for that. */
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

/** The stats of one operator, while it runs. */
export class Meter implements OperatorStats {
  readonly name: string;
  readonly step: number;
  rowsIn = 0;
  rowsOut = 0;
  batchesIn = 0;
  batchesOut = 0;
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

  /** Counts what an operator takes. */
  async *input(batches: AsyncIterable<Batch>): AsyncGenerator<Batch, void, void> {
    for await (const batch of timed(batches, (ms) => this.#inputMs += ms)) {
      this.rowsIn += batch.numRows;
      this.batchesIn++;
      yield batch;
    }
  }

  /** Counts what an operator gives. */
  async *output(batches: AsyncIterable<Batch>): AsyncGenerator<Batch, void, void> {
    for await (const batch of timed(batches, (ms) => this.#ownMs += ms)) {
      this.rowsOut += batch.numRows;
      this.batchesOut++;
      this.#wideText.note(batch);
      yield batch;
    }
  }
}

/** The same items; `spent` is told how long each wait for the next one took. */
async function* timed<T>(
  items: AsyncIterable<T>,
  spent: (elapsedMs: number) => void,
): AsyncGenerator<T, void, void> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const start = performance.now();
      const next = await iterator.next().finally(() => spent(performance.now() - start));
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
