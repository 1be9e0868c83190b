/**
 * From bytes to lines.
 *
 * @module
 */

import type { FileInput } from "../file_input.ts";

const lineFeed = 0x0a;

/**
 * The lines of an input without their line feeds, those together that end in one piece of it. What
 * follows the last line feed is a line where it has any bytes. Nothing is read ahead: who stops
 * taking lines leaves no read behind that a later reader of the same input would miss.
 */
export async function* splitLines(input: FileInput): AsyncGenerator<Uint8Array[], void, void> {
  let begun: Uint8Array[] = [];
  for (;;) {
    const bytes = await input.readSome();
    if (bytes.length === 0) break;
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let stop; (stop = bytes.indexOf(lineFeed, start)) >= 0; start = stop + 1) {
      const line = bytes.subarray(start, stop);
      lines.push(begun.length === 0 ? line : joined([...begun, line]));
      begun = [];
    }
    if (start < bytes.length) begun.push(bytes.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (begun.length > 0) yield [joined(begun)];
}

/** The pieces of a line, which may be in many. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let position = 0;
  for (const piece of pieces) {
    bytes.set(piece, position);
    position += piece.length;
  }
  return bytes;
}
