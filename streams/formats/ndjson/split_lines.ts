/**
 * Splits bytes into lines.
 *
 * @module
 */

import type { FileInput } from "../../bytes/file_input.ts";
import type { GrowingBytes } from "../../bytes/growing_bytes.ts";
import { joinBytes, joinSeveral } from "../../bytes/join_bytes.ts";

const lineFeed = 0x0a;
/** The bytes from which a line is long, and that are read of it at a time. */
const longLineBytes = 1 << 20;

/** Limits for the lengths of lines. */
interface LineLimits {
  /** The bytes from which a line is long. Default: 1 MiB. */
  readonly leastBytes?: number;
  /** The most bytes of a line. */
  readonly mostBytes: number;
  /** Creates the error of a longer line. */
  readonly tooLong: () => Error;
}

/**
 * Yields the lines of an input without their line feeds, grouped by the chunk in which they end.
 * Bytes after the last line feed are a line too. A long line is yielded alone and lives in `long`
 * until that is freed or the next lines are requested. Nothing is read ahead, so a consumer that
 * stops early leaves the rest of the input to later readers.
 */
export async function* splitLines(
  input: FileInput,
  long: GrowingBytes,
  { leastBytes = longLineBytes, ...limit }: LineLimits,
): AsyncGenerator<Uint8Array[], void, void> {
  let begun: Uint8Array[] = [];
  let numBegun = 0;
  let next: Uint8Array = new Uint8Array(0);
  for (;;) {
    const bytes = next.length > 0 ? next : await input.readSome();
    next = new Uint8Array(0);
    if (bytes.length === 0) break;
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let stop; (stop = bytes.indexOf(lineFeed, start)) >= 0; start = stop + 1) {
      const line = bytes.subarray(start, stop);
      lines.push(begun.length === 0 ? line : joinBytes([...begun, line]));
      begun = [];
      numBegun = 0;
    }
    if (start < bytes.length) begun.push(bytes.subarray(start));
    numBegun += bytes.length - start;
    if (lines.length > 0) yield lines;
    if (numBegun < leastBytes) continue;
    begun.forEach((part) => long.append(part));
    begun = [];
    numBegun = 0;
    const stop = await fillLine(input, long, { leastBytes, ...limit });
    next = long.bytes.slice(stop + 1);
    yield [long.bytes.subarray(0, stop)];
    long.free();
  }
  if (begun.length > 0) yield [joinSeveral(begun)];
}

/** Reads the rest of a line, and maybe some bytes after it. Returns the end of the line. */
async function fillLine(
  input: FileInput,
  line: GrowingBytes,
  { leastBytes, mostBytes, tooLong }: Required<LineLimits>,
): Promise<number> {
  for (;;) {
    const from = line.length;
    if (from > mostBytes) throw tooLong();
    if (await line.fill(input, leastBytes) === 0) return from;
    const stop = line.bytes.indexOf(lineFeed, from);
    if (stop > mostBytes) throw tooLong();
    if (stop >= 0) return stop;
  }
}
