/**
 * Several batches in flight, results in order.
 *
 * @module
 */

import type { Batch } from "./batch.ts";
import type { StageContext } from "./node.ts";

/** How one batch becomes some: a generator, started as soon as the batch is taken. */
export type BatchWork = (batch: Batch) => AsyncGenerator<Batch, void, void>;

interface Started {
  readonly outputs: AsyncGenerator<Batch, void, void>;
  readonly first: Promise<IteratorResult<Batch, void>>;
  readonly numBytes: number;
}

/**
 * Runs `work` over the batches of `input`. The backend's depth says how many are started before
 * the first has ended, the memory of the context how many bytes they may hold; at least one is
 * always taken. The results come in the order of the input.
 */
export async function* inFlight(
  input: AsyncIterable<Batch>,
  { backend, memory }: StageContext,
  work: BatchWork,
): AsyncGenerator<Batch, void, void> {
  if (backend.depth <= 1) {
    for await (const batch of input) yield* work(batch);
    return;
  }
  const batches = input[Symbol.asyncIterator]();
  const started: Started[] = [];
  let numBytes = 0;
  let ended = false;
  try {
    for (;;) {
      while (!ended && hasRoom(started.length, numBytes, backend.depth, memory)) {
        const next = await batches.next();
        if (next.done) ended = true;
        else {
          started.push(start(work, next.value));
          numBytes += started.at(-1)!.numBytes;
        }
      }
      const oldest = started.shift();
      if (oldest === undefined) return;
      numBytes -= oldest.numBytes;
      let next = await oldest.first;
      while (!next.done) {
        yield next.value;
        next = await oldest.outputs.next();
      }
    }
  } finally {
    await Promise.allSettled(started.map(discard));
    await batches.return?.();
  }
}

function hasRoom(count: number, numBytes: number, depth: number, memory: number): boolean {
  return count === 0 || (count < depth && numBytes < memory);
}

function start(work: BatchWork, batch: Batch): Started {
  const numBytes = batch.numBytes;
  const outputs = work(batch);
  const first = outputs.next();
  // It is awaited in its turn; until then a failure must not count as unhandled.
  first.catch(() => {});
  return { outputs, first, numBytes };
}

async function discard({ outputs, first }: Started): Promise<void> {
  const next = await first;
  if (!next.done) next.value.release();
  await outputs.return();
}
