/**
 * The lengths of the chunks of a source, as far as they are known.
 *
 * @module
 */

/** Lengths of the chunks of a source, in order: batches, row groups, files. */
export interface ChunkLengths {
  readonly numChunks: number;
  /** Returns the number of rows of a chunk, if it is known. */
  known(chunk: number): number | undefined;
  /** Learns those of [start, stop); each is read once. */
  learn(start: number, stop: number): Promise<void>;
}

/** Returns chunk lengths that are all known. */
export function knownLengths(lengths: readonly number[]): ChunkLengths {
  return {
    numChunks: lengths.length,
    known: (chunk) => lengths[chunk],
    learn: () => Promise.resolve(),
  };
}

/** An estimate of reading more lengths, given once before that takes long. */
export interface ProbeEstimate {
  readonly chunks: number;
  readonly bytes: number;
  readonly elapsedMs: number;
  /** Whether the chunks are those of a stream, which has no footer. Default: false. */
  readonly isStream?: boolean;
}
