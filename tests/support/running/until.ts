/**
 * Waits for other threads, processes and servers. A busy machine runs them late, so tests set no limit
 * of time: they count turns of the event loop.
 */

/** After this many turns, of a millisecond or more, even a busy machine has run each thread often. */
const MAX_TURNS = 60_000;
/** The same in ticks, which come late as well, and which keep the event loop awake. */
const MAX_TICKS = 6000;
const TICK_MS = 10;

/** Waits until something holds, while it does some work again and again. */
export async function until(
  holds: () => boolean,
  what: string,
  work: () => unknown = () => {},
): Promise<void> {
  for (let turn = 0; !holds(); turn++) {
    if (turn === MAX_TURNS) throw new Error(`Gave up waiting until ${what}`);
    await work();
    await turns(1);
  }
}

/** Lets the event loop turn a number of times, so that everything runs that is or becomes ready. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve));
}

/** Returns the result of some work, or of `late` where the work has not ended after a minute's ticks. */
export async function endOf<T>(work: Promise<T>, late: () => T): Promise<T> {
  const hang = Promise.withResolvers<T>();
  let ticks = 0;
  const timer = setInterval(() => {
    if (++ticks === MAX_TICKS) hang.resolve(Promise.try(late));
  }, TICK_MS);
  try {
    return await Promise.race([work, hang.promise]);
  } finally {
    clearInterval(timer);
  }
}
