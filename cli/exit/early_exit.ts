/**
 * Exits early: on a signal, or on an uncaught error.
 *
 * @module
 */

import { reportError } from "../print/report.ts";
import { printError } from "../print/terminal.ts";

const statuses = Deno.build.os === "windows"
  ? { SIGINT: 130 } as const
  : { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The signals that end a command. */
export const interruptSignals = Object.keys(statuses) as readonly Deno.Signal[];

/** On a terminating signal, cleans up and exits immediately with the status that shells expect. */
export function exitOnInterrupt(cleanUp: () => void): void {
  for (const signal of interruptSignals) {
    Deno.addSignalListener(signal, () => exitAfter(signal, cleanUp));
  }
}

/** Cleans up after a signal, and exits with the status that shells expect. */
export function exitAfter(signal: Deno.Signal, cleanUp: () => void): never {
  cleanUp();
  Deno.exit((statuses as Partial<Record<Deno.Signal, number>>)[signal]);
}

/** The time in which the reader of the file may report a trap first. */
const GRACE_MS = 1000;

/**
 * On an uncaught error, cleans up, reports the error in one line and exits. Such an error is the trap of a
 * WebAssembly decoder, which leaves its promise pending forever.
 */
export function exitOnUncaught(cleanUp: () => void): void {
  const exit = (error: unknown): void => {
    cleanUp();
    const { lines, status } = reportError(describe(error));
    printError(lines);
    Deno.exit(status);
  };
  const notice = (event: Event, error: unknown): void => {
    event.preventDefault();
    // The reader of the file detects a trap too, and knows the name of the file.
    if (error instanceof WebAssembly.RuntimeError) setTimeout(exit, GRACE_MS, error);
    else exit(error);
  };
  globalThis.addEventListener("error", (event) => notice(event, event.error));
  globalThis.addEventListener("unhandledrejection", (event) => notice(event, event.reason));
}

function describe(error: unknown): unknown {
  if (!(error instanceof WebAssembly.RuntimeError)) return error;
  return new Error(`A file is corrupt, or of a kind that cannot be read (${error.message})`);
}
