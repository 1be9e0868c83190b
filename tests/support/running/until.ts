/**
 * Waits for what other threads, processes and servers do in the end. A busy machine gives them their turn
 * late, so no test asks for a time: what is counted are turns of the event loop.
 */

/** Turns in which even a busy machine gives each thread many; each takes a millisecond or more. */
const MAX_TURNS = 60_000;
/** The same in ticks, which come late as well; each of them wakes up who waits for nothing else. */
const MAX_TICKS = 6000;
const TICK_MS = 10;

/** Waits until something holds, while it does some work again and again. */
export async function until(
  holds: () => boolean,
  what: string,
  work: () => unknown = () => {},
): Promise<void> {
  for (let turn = 0; !holds(); turn++) {
    if (turn === MAX_TURNS) throw new Error(`Waited in vain until ${what}`);
    await work();
    await turns(1);
  }
}

/** Lets the event loop turn so many times, and with it all that is ready or becomes so meanwhile. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve));
}

/** What some work gives; what `late` gives, or throws, where it has no end in as many ticks as a minute has. */
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
