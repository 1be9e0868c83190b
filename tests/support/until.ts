/** Waits for what other threads and servers do in the end; a busy machine gives them their turn late. */

/** Milliseconds in which even a busy machine gives each thread many turns. */
const MAX_MS = 60_000;

/** Waits until something holds, while it does some work again and again. */
export async function until(
  holds: () => boolean,
  work: () => void | Promise<void>,
  what: string,
): Promise<void> {
  for (const end = performance.now() + MAX_MS; !holds();) {
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}`);
    await work();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
