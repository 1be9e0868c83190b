/**
 * Keeps several batches in flight and their results in order.
 *
 * @module
 */

import type { Batch } from "../batch/batch.ts";
import type { StageContext } from "./node.ts";

/**
 * A function that turns one batch into any number of batches. The generator owns the batch, and
 * starts as soon as the batch is taken. `firstRow` is the batch's first row in the input.
 */
type BatchWork = (batch: Batch, firstRow: number) => AsyncGenerator<Batch, void, void>;

interface Started {
  readonly outputs: AsyncGenerator<Batch, void, void>;
  readonly first: Promise<IteratorResult<Batch, void>>;
  readonly numBytes: number;
}

/** The most bytes of batches that a device has in flight in one stage. */
export const IN_FLIGHT_BYTES = 256 << 20;
/** The fewest bytes that a batch counts for, since its buffers and its work cost something too. */
export const LEAST_BATCH_BYTES = 1 << 20;

/** The limits of the batches in flight. */
interface InFlightLimit {
  readonly depth: () => number;
  readonly bytes: number;
  /** The fewest bytes that a batch counts for. */
  readonly leastBytes: number;
}

/**
 * Runs `work` over the batches of `input`. `depth` limits the number of batches in flight, by
 * default to that of the backend. The context's memory limits their bytes, and on a device
 * `IN_FLIGHT_BYTES` does too; at least one batch is always taken. Results come in input order, each
 * as soon as it is ready: a slow input does not delay them, and its failure follows the results of
 * the batches before it.
 */
export function inFlight(
  input: AsyncIterable<Batch>,
  { backend, memory }: StageContext,
  work: BatchWork,
  depth?: () => number,
): AsyncGenerator<Batch, void, void> {
  if (depth === undefined && backend.depth === 1) return oneByOne(input, work);
  const isHost = backend.kind === "host";
  return several(input, work, {
    depth: depth ?? (() => backend.depth),
    bytes: isHost ? memory : Math.min(memory, IN_FLIGHT_BYTES),
    leastBytes: isHost ? 0 : LEAST_BATCH_BYTES,
  });
}

/** Runs `work` with one batch in flight, without the cost of waiting for one of several. */
async function* oneByOne(
  input: AsyncIterable<Batch>,
  work: BatchWork,
): AsyncGenerator<Batch, void, void> {
  let numRows = 0;
  for await (const batch of input) {
    const firstRow = numRows;
    numRows += batch.numRows;
    yield* work(batch, firstRow);
  }
}

async function* several(
  input: AsyncIterable<Batch>,
  work: BatchWork,
  limit: InFlightLimit,
): AsyncGenerator<Batch, void, void> {
  const batches = input[Symbol.asyncIterator]();
  const started: Started[] = [];
  let arriving: Promise<IteratorResult<Batch, void>> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let isOpen = true;
  let numRows = 0;
  let numBytes = 0;
  try {
    for (;;) {
      if (isOpen && arriving === undefined && fits(started, numBytes, limit)) {
        arriving = quiet(batches.next());
      }
      const oldest = started[0];
      if (arriving !== undefined && (oldest === undefined || await isFirst(arriving, oldest))) {
        try {
          const next = await arriving;
          if (next.done) isOpen = false;
          else {
            started.push(start(work, next.value, numRows, limit));
            numRows += next.value.numRows;
            numBytes += started.at(-1)!.numBytes;
          }
        } catch (error) {
          isOpen = false;
          failure = { error };
        }
        arriving = undefined;
      } else if (oldest !== undefined) {
        started.shift();
        numBytes -= oldest.numBytes;
        yield* resultsOf(oldest);
      } else break;
    }
    if (failure !== undefined) throw failure.error;
  } finally {
    await Promise.allSettled([...started.map(discard), arriving?.then(releaseNext)]);
    await batches.return?.();
  }
}

function fits(
  { length }: readonly Started[],
  numBytes: number,
  { depth, bytes }: InFlightLimit,
): boolean {
  return length === 0 || (length < depth() && numBytes < bytes);
}

function start(
  work: BatchWork,
  batch: Batch,
  firstRow: number,
  { leastBytes }: InFlightLimit,
): Started {
  const numBytes = Math.max(batch.numBytes, leastBytes);
  const outputs = work(batch, firstRow);
  return { outputs, first: quiet(outputs.next()), numBytes };
}

/** Keeps a promise that is awaited only later from counting as an unhandled rejection. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Whether the next batch arrives before the first result of the oldest batch in flight. */
function isFirst(arriving: Promise<unknown>, { first }: Started): Promise<boolean> {
  const settled = (promise: Promise<unknown>, answer: boolean) =>
    promise.then(() => answer, () => answer);
  return Promise.race([settled(arriving, true), settled(first, false)]);
}

async function* resultsOf({ outputs, first }: Started): AsyncGenerator<Batch, void, void> {
  try {
    for (let next = await first; !next.done; next = await outputs.next()) yield next.value;
  } finally {
    await outputs.return();
  }
}

async function discard({ outputs, first }: Started): Promise<void> {
  releaseNext(await first);
  await outputs.return();
}

function releaseNext(next: IteratorResult<Batch, void>): void {
  if (!next.done) next.value.release();
}
