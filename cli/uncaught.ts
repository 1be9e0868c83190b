/**
 * What happens on an error that nobody waits for.
 *
 * @module
 */

import { printError } from "./print.ts";
import { reportError } from "./report.ts";

/** Time for somebody else to tell of a trap. */
const GRACE_MS = 1000;

/**
 * On an error that reaches no caller, such as the trap of a decoder in WebAssembly, which leaves
 * its promise pending for ever: cleans up, tells it in one line and exits.
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
    // A trap is noticed by who reads the file as well, who knows its name.
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
