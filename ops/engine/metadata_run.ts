/**
 * The statistics of a run that metadata alone answered.
 *
 * @module
 */

import { type BackendCounters, zeroCounters } from "../../gpu/backend.ts";
import type { Source } from "../../streams/plan/source.ts";
import type { OperatorStats, RunStats, SourceSize } from "./run_stats.ts";
import type { SourceCount } from "./source_count.ts";

/** A finished run that read only metadata, since only the number of rows was wanted. */
export class MetadataRun implements RunStats {
  readonly #source: Source;
  readonly operators: readonly OperatorStats[];
  readonly counters: Readonly<BackendCounters> = noCounters;
  readonly numRowsIn = 0;
  readonly numRowsOut = 0;
  readonly bytesIn: number;
  readonly numRequests: number;
  readonly bytesOut = 0;
  readonly batchesOut = 0;
  readonly wideText = [];
  readonly threshold: number;
  readonly warnings = [];
  readonly ended = true;

  constructor(source: Source, count: SourceCount, elapsedMs: number, threshold: number) {
    this.#source = source;
    this.bytesIn = count.bytes;
    this.numRequests = count.requests;
    this.threshold = threshold;
    this.operators = [{ ...emptyStats, name: `read ${source.name}`, elapsedMs }];
  }

  get bytesPresent(): number | undefined {
    return this.#source.numBytes;
  }

  sourceSize(): Promise<SourceSize> {
    const { name, numBytes } = this.#source;
    return Promise.resolve({ name, numRows: 0, numBytes });
  }
}

const emptyStats: Omit<OperatorStats, "name" | "elapsedMs"> = {
  step: 1,
  rowsIn: 0,
  rowsOut: 0,
  batchesIn: 0,
  batchesOut: 0,
  bytesSpilled: 0,
  bytesHeld: 0,
  wideText: [],
};

/** The counters of no device, since none was chosen. */
const noCounters: Readonly<BackendCounters> = Object.freeze(zeroCounters());
