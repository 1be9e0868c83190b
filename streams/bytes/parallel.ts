/**
 * Runs several jobs at the same time, up to a limit.
 *
 * @module
 */

/**
 * Runs a job for each item, at most `most` at a time, and returns the results in the order of the items.
 * The first failure aborts the other jobs, and is thrown when all have ended.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  most: number,
  job: (item: Item, signal: AbortSignal) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result[]> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const results = new Array<Result>(items.length);
  let next = 0;
  const work = async () => {
    while (next < items.length && !stop.signal.aborted) {
      const index = next++;
      try {
        results[index] = await job(items[index]!, stop.signal);
      } catch (error) {
        // Later failures follow from the abort: the first one stays the reason.
        stop.abort(error);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
  } finally {
    signal?.removeEventListener("abort", abort);
  }
  stop.signal.throwIfAborted();
  return results;
}
