/**
 * The last line of the terminal behind stderr, while it tells how far the work is.
 *
 * @module
 */

import { showControls } from "../streams/show_controls.ts";
import { cutToWidth } from "./display_width.ts";
import { terminalColumns } from "./terminal.ts";

const encoder = new TextEncoder();
const clearLine = "\r\x1b[K";
/** Where a terminal does not tell its width. */
const usualColumns = 80;
const consoleMethods = ["log", "info", "debug", "warn", "error"] as const;

/**
 * A line that is drawn over itself. Whatever else is written to the terminal has to clear it first;
 * what goes through the console, as a plugin's words do, does so by itself.
 */
class StatusLine {
  #isDrawn = false;
  #closed = true;
  #own: Pick<Console, typeof consoleMethods[number]> | undefined;

  /** Begins. */
  open(): void {
    this.#closed = false;
    this.#own ??= this.#guardConsole();
  }

  /** Draws a text in place of the one before, as much of it as the terminal is wide. */
  draw(text: string): void {
    if (this.#closed) return;
    const columns = terminalColumns(Deno.stderr);
    // A line that wraps could not be cleared.
    write(
      clearLine +
        cutToWidth(showControls(text), (columns === Infinity ? usualColumns : columns) - 1),
    );
    this.#isDrawn = true;
  }

  /** Leaves the line empty, and the cursor at its start. */
  clear(): void {
    if (this.#isDrawn) write(clearLine);
    this.#isDrawn = false;
  }

  /** Clears the line, and draws no more. */
  close(): void {
    this.clear();
    this.#closed = true;
    if (this.#own !== undefined) Object.assign(console, this.#own);
    this.#own = undefined;
  }

  #guardConsole(): Pick<Console, typeof consoleMethods[number]> {
    const { log, info, debug, warn, error } = console;
    const own = { log, info, debug, warn, error };
    for (const name of consoleMethods) {
      console[name] = (...values: unknown[]) => {
        this.clear();
        own[name].apply(console, values);
      };
    }
    return own;
  }
}

/** The one of this process. */
export const statusLine = new StatusLine();

function write(text: string): void {
  Deno.stderr.writeSync(encoder.encode(text));
}
