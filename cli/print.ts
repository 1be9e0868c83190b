/**
 * The one door to the terminal: what goes to stdout and stderr as text passes here. Names, values and
 * paths come from files, and a terminal would obey the control characters in them.
 *
 * @module
 */

import { toFileError } from "../streams/errors.ts";
import { showControls } from "../streams/show_controls.ts";
import { statusLine } from "./status_line.ts";

const encoder = new TextEncoder();

/**
 * Writes all of a text to stdout, line by line; control characters become visible. A closed pipe
 * throws an error whose cause is a `Deno.errors.BrokenPipe`.
 */
export function print(text: string): void {
  try {
    writeAll(Deno.stdout, text.split("\n").map(showControls).join("\n"));
  } catch (error) {
    throw toFileError("standard output", error);
  }
}

/** Writes lines to stderr; control characters become visible. Where that fails, nobody can be told. */
export function printError(lines: readonly string[]): void {
  try {
    writeAll(Deno.stderr, lines.map((line) => `${showControls(line)}\n`).join(""));
  } catch {
    // The exit status still tells how it ended.
  }
}

function writeAll(output: typeof Deno.stdout, text: string): void {
  statusLine.clear();
  let rest = encoder.encode(text);
  while (rest.length > 0) rest = rest.subarray(output.writeSync(rest));
}
