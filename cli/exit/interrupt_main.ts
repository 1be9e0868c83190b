/**
 * The program of a thread that ends the process on a signal, even if the main thread receives no events
 * because it is busy with endless code of a plugin or a kernel over a large batch.
 *
 * @module
 */

import { removeQuietly } from "../../base/partial_paths.ts";
import { threadScope } from "../../base/threads/scope.ts";
import { eraseLine } from "../print/terminal.ts";

/** A message of the main thread: a path to remove on a signal, or to keep. */
export interface PathMessage {
  readonly path: string;
  readonly isNoted: boolean;
}

/** The first message of the main thread: the signals, and whether to erase its progress line. */
export interface WatchMessage {
  readonly signals: readonly Deno.Signal[];
  readonly erases: boolean;
  /** One integer: the first signal that arrived, counted from 1 in `signals`. */
  readonly shared: SharedArrayBuffer;
}

/** A message of this thread: that it listens, or the first signal. */
export type WatchAnswer = "ready" | Deno.Signal;

/** The time in which the main thread may end the process, and then the signal. */
const mainMs = 300;
const signalMs = 200;

/** The number of attempts to remove a folder that does not become empty. */
const mostTries = 100;

const paths = new Set<string>();

/** Removes a file, or a folder in which the main thread may still create files. */
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

/** Listens for signals. Reports the first to the main thread, and ends the process if that does not. */
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
    // Without a listener, the signal ends the process as usual.
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
