/**
 * The program of a thread that computes parts of batches. It computes offers until it is told to
 * leave, or had no work for a while; it waits for nothing else. `kernel_program.ts` has its bundled
 * text.
 *
 * @module
 */

import { ThreadLife, waitForChange } from "../../../base/threads/life.ts";
import { threadScope } from "../../../base/threads/scope.ts";
import { layout } from "./layout.ts";
import { OfferedParts } from "./offered_parts.ts";

/** The first message to a thread. */
export interface WorkerSetup {
  /** The memory that it shares with the main thread. */
  readonly memory: WebAssembly.Memory;
  /** The WebAssembly module that checks text. */
  readonly utf8Module: Uint8Array;
}

const scope = threadScope<WorkerSetup, never>();

scope.addEventListener("message", ({ data }) => {
  computeOffers(data);
  scope.close();
});

function computeOffers({ memory, utf8Module }: WorkerSetup): void {
  const control = new Int32Array(memory.buffer, 0, layout.controlBytes / 4);
  const life = new ThreadLife(control, layout.life);
  const parts = new OfferedParts(memory, utf8Module);
  const { idleMs: ms, awakeMs } = layout;
  life.start();
  while (Atomics.load(control, layout.quit) === 0) {
    // Read before the slots: a later offer changes it, so no offer is missed.
    const bell = Atomics.load(control, layout.bell);
    if (parts.compute()) continue;
    if (!waitForChange(control, layout.bell, bell, { ms, awakeMs })) break;
  }
  life.leave();
}
