/**
 * Makes a failure of what a thread failed at. The host computes such a part of a batch again, so that
 * the result is right and no other test would see it. `deno task test` preloads this module into
 * every test and every command that a test runs, so that none can forget it.
 */

import { HostThreads } from "../../gpu/host/threads/host_threads.ts";

let numExpecting = 0;

/** Lets threads fail until the end of a block, which a test has where its workers are meant to. */
export function expectFailedParts(): Disposable {
  numExpecting++;
  return { [Symbol.dispose]: () => numExpecting-- };
}

const { run } = HostThreads.prototype;

HostThreads.prototype.run = function (work, runAll) {
  const before = this.numFailed;
  const result = run.call(this, work, runAll);
  if (this.numFailed > before && numExpecting === 0) {
    throw new Error("A part of a batch failed on a thread, and not where it was computed again");
  }
  return result;
};
