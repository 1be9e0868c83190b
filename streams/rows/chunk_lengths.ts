/** @module */

/** Lengths of the chunks of a source, in order: batches, row groups, files. */
export interface ChunkLengths {
  readonly numChunks: number;
  /** Rows of a chunk, if known by now. */
  known(chunk: number): number | undefined;
  /** Makes those of [start, stop) known; reads each once. */
  learn(start: number, stop: number): Promise<void>;
}

/** Lengths that are known. */
export function knownLengths(lengths: readonly number[]): ChunkLengths {
  return {
    numChunks: lengths.length,
    known: (chunk) => lengths[chunk],
    learn: () => Promise.resolve(),
  };
}

/** What reading more lengths will take; told once, before it takes long. */
export interface ProbeEstimate {
  readonly chunks: number;
  readonly bytes: number;
  readonly elapsedMs: number;
  /** Whether the chunks are those of a stream, which has no footer. Default: false. */
  readonly isStream?: boolean;
}
