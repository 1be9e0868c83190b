/**
 * The terminal: the width of text, the status line, and the output to stdout and stderr.
 *
 * All printed text goes through here. Names, values and paths come from files, so control characters
 * in them are made visible instead of being obeyed.
 *
 * @module
 */

import { toFileError } from "../../base/errors/wrap_error.ts";
import { showControls } from "../../base/show_controls.ts";

/** Returns the width of the terminal of stdout or stderr; Infinity if unknown. */
export function terminalColumns(output: { isTerminal(): boolean }): number {
  const columns = output.isTerminal() ? Deno.consoleSize().columns : 0;
  return columns === 0 ? Infinity : columns;
}

const combining = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

// Wide and full-width characters (Unicode East Asian Width); ranges include unassigned code points.
const wideRanges: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f], // Hangul letters
  [0x2e80, 0x303e], // CJK radicals and punctuation
  [0x3041, 0xa4cf], // kana, CJK, Yi
  [0xa960, 0xa97f], // more Hangul letters
  [0xac00, 0xd7a3], // Hangul syllables
  [0xf900, 0xfaff], // CJK compatibility
  [0xfe30, 0xfe6f], // CJK forms
  [0xff00, 0xff60], // full-width forms
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f], // pictographs
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd], // more CJK
];

/** Estimates the number of terminal columns that a text takes. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Cuts a text to a width; an ellipsis marks the cut. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let cut = "";
  let left = width - 1;
  for (const character of text) {
    left -= characterWidth(character);
    if (left < 0) break;
    cut += character;
  }
  return cut + "…";
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x300) return 1;
  if (combining.test(character)) return 0;
  return wideRanges.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

const encoder = new TextEncoder();
const clearLine = "\r\x1b[K";
/** The width of terminals that do not report it. */
const usualColumns = 80;
const consoleMethods = ["log", "info", "debug", "warn", "error"] as const;

/**
 * A line that is redrawn in place. Other output must clear it first; the methods of `console`, which
 * plugins may call, are wrapped to do so.
 */
class StatusLine {
  #isDrawn = false;
  #closed = true;
  #own: Pick<Console, typeof consoleMethods[number]> | undefined;

  open(): void {
    this.#closed = false;
    this.#own ??= this.#guardConsole();
  }

  /** Draws a text in place of the line, cut to the width of the terminal. */
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

  /** Erases the line, and moves the cursor to its start. */
  clear(): void {
    if (this.#isDrawn) write(clearLine);
    this.#isDrawn = false;
  }

  /** Clears the line and stops drawing. */
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

/** The status line of this process. */
export const statusLine = new StatusLine();

/** Erases the line of the cursor on stderr, for a thread that has no status line. */
export function eraseLine(): void {
  write(clearLine);
}

function write(text: string): void {
  Deno.stderr.writeSync(encoder.encode(text));
}

/**
 * Writes a text to stdout, line by line, with visible control characters. Throws an error whose cause is a
 * `Deno.errors.BrokenPipe` if the pipe is closed.
 */
export function print(text: string): void {
  try {
    writeAll(Deno.stdout, text.split("\n").map(showControls).join("\n"));
  } catch (error) {
    throw toFileError("standard output", error);
  }
}

/** Writes lines to stderr; control characters become visible. Ignores failures. */
export function printError(lines: readonly string[]): void {
  try {
    writeAll(Deno.stderr, lines.map((line) => `${showControls(line)}\n`).join(""));
  } catch {
    // There is nowhere left to report it; the exit status still tells how the command ended.
  }
}

function writeAll(output: typeof Deno.stdout, text: string): void {
  statusLine.clear();
  let rest = encoder.encode(text);
  while (rest.length > 0) rest = rest.subarray(output.writeSync(rest));
}
