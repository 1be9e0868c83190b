/**
 * The loop of a thread that computes parts. It answers them in order, and leaves after some time
 * without work.
 *
 * @module
 */

import { ThreadLife } from "../../../base/threads/life.ts";
import { IdleStop, threadScope } from "../../../base/threads/scope.ts";
import {
  type FromPartWorker,
  type PartMessage,
  SKIPPED_AT,
  type ToPartWorker,
} from "./part_messages.ts";

/**
 * Milliseconds without work after which the thread leaves, and those after its last owner is gone.
 */
const IDLE_MS = 500;
const DONE_MS = 25;

/** The work of a thread. */
interface PartProgram<State, Batch, Answer> {
  /** Returns the function that computes the parts of an owner. */
  open(state: State): (batch: Batch) => Answer;
  /** Returns the buffers of an answer, which go to the main thread without a copy. */
  buffersOf(answer: Answer): Iterable<ArrayBuffer>;
}

/** Serves the main thread. */
export function serveParts<State, Batch, Answer>(
  { open, buffersOf }: PartProgram<State, Batch, Answer>,
): void {
  const scope = threadScope<ToPartWorker<State, Batch>, FromPartWorker<Answer>>();
  const owners = new Map<number, (batch: Batch) => Answer>();
  let life = new ThreadLife();
  let idle = new IdleStop(life);

  function answerPart({ part, turn, of, batch }: PartMessage<Batch>): void {
    const isSkipped = Atomics.load(life.words, SKIPPED_AT + turn) === part + 1;
    const answer = isSkipped ? null : tryPart(of, batch);
    life.finish();
    if (isSkipped) return;
    scope.postMessage({ part, answer }, answer === null ? [] : [...buffersOf(answer)]);
  }

  /**
   * Returns null after any failure: the main thread computes the part again, and throws or counts
   * the failure.
   */
  function tryPart(of: number, batch: Batch): Answer | null {
    try {
      return owners.get(of)!(batch);
    } catch {
      return null;
    }
  }

  scope.addEventListener("message", ({ data }) => {
    idle.stop();
    let waitMs = IDLE_MS;
    if ("control" in data) {
      life = new ThreadLife(data.control);
      idle = new IdleStop(life);
      life.start();
    } else if ("owner" in data) {
      if (data.state !== null) owners.set(data.owner, open(data.state));
      else {
        owners.delete(data.owner);
        if (owners.size === 0) waitMs = DONE_MS;
      }
    } else answerPart(data);
    idle.restart(waitMs);
  });
}
