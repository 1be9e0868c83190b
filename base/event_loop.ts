/** @module */

// Captured, so that fake timers of a program do not replace them. Browsers have no setImmediate.
const { setImmediate, setTimeout } = globalThis as {
  setImmediate?: (then: () => void) => unknown;
  setTimeout: (then: () => void) => unknown;
};

/** Whether a turn takes microseconds; a timer of 0 ms takes one millisecond or two. */
export const hasShortTurns: boolean = setImmediate !== undefined;

/**
 * Lets the event loop turn: timers that are due, signals, errors that the runtime reports and all else
 * that is ready come to their turn.
 */
export async function turnOfEventLoop(): Promise<void> {
  if (setImmediate === undefined) {
    await new Promise<void>((resolve) => setTimeout(resolve));
    return;
  }
  // The first may come at the end of a turn that had begun before.
  for (let turn = 0; turn < 2; turn++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
