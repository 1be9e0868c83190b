/**
 * Batches that come one by one, joined as far as they are there.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import type { SmallBatches } from "./arrow.ts";

// Held here, so that a program may put clocks of its own in their place.
const { clearTimeout, setTimeout } = globalThis;

/** Rows are held for about so long, in milliseconds, while more come without a pause. */
const MAX_HELD_MS = 10;

/**
 * The batches that `read` gives one after the other, small ones joined. What is held is given as
 * soon as the next batch is not there when the event loop turns, and before a failure.
 */
export async function* joinArriving(
  read: () => Promise<ReadableStreamReadResult<RecordBatch>>,
  small: SmallBatches,
): AsyncGenerator<RecordBatch, void, void> {
  let turn: Turn | undefined;
  let heldSince = 0;
  try {
    for (;;) {
      const reading = read();
      if (small.holdsRows && !await (turn ??= new Turn()).isAfter(reading)) yield* small.take();
      const { done, value } = await reading;
      if (done) break;
      if (!small.holdsRows) {
        turn?.cancel();
        turn = undefined;
        heldSince = performance.now();
      }
      yield* small.pushBatch(value);
      if (performance.now() - heldSince > MAX_HELD_MS) yield* small.take();
    }
  } catch (error) {
    yield* small.take();
    throw error;
  } finally {
    turn?.cancel();
  }
  yield* small.take();
}

/** The next turn of the event loop, which comes when nothing is left to do at once. */
class Turn {
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #comes: Promise<boolean>;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#comes = promise;
    this.#timer = setTimeout(resolve, 0, false);
  }

  /** Whether a promise settles first. */
  isAfter(promise: Promise<unknown>): Promise<boolean> {
    return Promise.race([promise.then(() => true, () => true), this.#comes]);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}
