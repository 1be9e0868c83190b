/**
 * The program of a thread that ends the process on a signal, whatever the main thread does: that may
 * run code of a plugin which never ends, or a kernel over a large batch, and hears of nothing meanwhile.
 *
 * @module
 */

import { removeQuietly } from "../../base/partial_paths.ts";
import { threadScope } from "../../base/threads/scope.ts";
import { eraseLine } from "../print/terminal.ts";

/** What the main thread tells: a path to be removed on a signal, or no longer. */
export interface PathMessage {
  readonly path: string;
  readonly isNoted: boolean;
}

/** What the main thread tells first: the signals, and whether to erase its line of progress. */
export interface WatchMessage {
  readonly signals: readonly Deno.Signal[];
  readonly erases: boolean;
  /** One integer: the first signal, counted from 1 in `signals`, once it has come. */
  readonly shared: SharedArrayBuffer;
}

/** What this thread tells: that it listens, and the first signal. */
export type WatchAnswer = "ready" | Deno.Signal;

/** Time for the main thread to end the process itself, and then for the signal to do so. */
const mainMs = 300;
const signalMs = 200;

/** How often a folder is removed that does not become empty. */
const mostTries = 100;

const paths = new Set<string>();

/** Removes a file or a folder, in which the main thread may still create files. */
function removeBusy(path: string): void {
  for (let left = mostTries; left > 0 && exists(path); left--) removeQuietly(path);
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Listens for signals; the main thread, which is told of the first, is waited for a moment. */
function watch({ signals, erases, shared }: WatchMessage): void {
  const first = new Int32Array(shared);
  const listeners = signals.map((signal): [Deno.Signal, () => void] => [signal, () => {
    if (Atomics.compareExchange(first, 0, 0, 1 + signals.indexOf(signal)) !== 0) return;
    thread.postMessage(signal);
    setTimeout(end, mainMs, signal);
  }]);
  const end = (signal: Deno.Signal) => {
    for (const path of paths) removeBusy(path);
    if (erases) eraseLine();
    // Once nobody listens, the signal does what it does to any process.
    for (const [signal, listener] of listeners) Deno.removeSignalListener(signal, listener);
    Deno.kill(Deno.pid, signal);
    setTimeout(() => Deno.kill(Deno.pid, "SIGKILL"), signalMs);
  };
  for (const [signal, listener] of listeners) Deno.addSignalListener(signal, listener);
}

const thread = threadScope<PathMessage | WatchMessage, WatchAnswer>();

thread.addEventListener("message", ({ data }) => {
  if ("signals" in data) {
    watch(data);
    thread.postMessage("ready");
  } else if (data.isNoted) paths.add(data.path);
  else paths.delete(data.path);
});
