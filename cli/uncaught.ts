/**
 * What happens on an error that nobody waits for.
 *
 * @module
 */

import { reportError } from "./report.ts";

/**
 * On an error that reaches no caller, such as the trap of a decoder in WebAssembly, which leaves
 * its promise pending for ever: cleans up, tells it in one line and exits.
 */
export function exitOnUncaught(cleanUp: () => void): void {
  const exit = (event: Event, error: unknown): void => {
    event.preventDefault();
    cleanUp();
    const { lines, status } = reportError(describe(error));
    for (const line of lines) console.error(line);
    Deno.exit(status);
  };
  globalThis.addEventListener("error", (event) => exit(event, event.error));
  globalThis.addEventListener("unhandledrejection", (event) => exit(event, event.reason));
}

function describe(error: unknown): unknown {
  if (!(error instanceof WebAssembly.RuntimeError)) return error;
  return new Error(`A file is corrupt, or of a kind that cannot be read (${error.message})`);
}
