/**
 * Text files as other writers leave them: a file of ours, written again byte by byte. Quotes are told by
 * their number alone, since our writers use no others than those that the formats have.
 */

import type { FileFormat } from "./file_format.ts";
import type { TextDialect } from "./fuzz_case.ts";

/** The dialects that files of a format have. */
export function dialectsOf(format: FileFormat): readonly TextDialect[] {
  if (format === "ndjson") return ["windows", "spaced", "unended"];
  return format === "csv" || format === "tsv" ? ["windows", "quoted", "unended"] : [];
}

const [quote, lineFeed, carriageReturn, space] = [0x22, 0x0a, 0x0d, 0x20];
const [comma, colon, backslash, tab] = [0x2c, 0x3a, 0x5c, 0x09];

/** The bytes of a file of ours in a dialect. */
export function inDialect(bytes: Uint8Array, format: FileFormat, dialect: TextDialect): Uint8Array {
  switch (dialect) {
    case "windows":
      return Uint8Array.from([
        ...[0xef, 0xbb, 0xbf],
        ...outsideQuotes(
          bytes,
          format,
          (byte) => byte === lineFeed ? [carriageReturn, lineFeed] : [byte],
        ),
      ]);
    case "spaced":
      return Uint8Array.from(
        outsideQuotes(
          bytes,
          format,
          (byte) => byte === comma || byte === colon ? [byte, space] : [byte],
        ),
      );
    case "quoted":
      return quoted(bytes, format === "tsv" ? tab : comma);
    case "unended":
      return bytes.at(-1) === lineFeed ? bytes.subarray(0, -1) : bytes;
  }
}

/** Replaces each byte that is not within quotes. */
function outsideQuotes(
  bytes: Uint8Array,
  format: FileFormat,
  replace: (byte: number) => readonly number[],
): number[] {
  const written: number[] = [];
  let isInside = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isInside && format === "ndjson" && byte === backslash) {
      written.push(byte, bytes[++at]!);
      continue;
    }
    if (byte === quote) isInside = !isInside;
    written.push(...(isInside || byte === quote ? [byte] : replace(byte)));
  }
  return written;
}

/** Puts quotes around each field that has none, but for empty ones, which are null. */
function quoted(bytes: Uint8Array, delimiter: number): Uint8Array {
  const written: number[] = [];
  let isInside = false;
  let isBare = false;
  let isStart = true;
  for (const byte of bytes) {
    const isEnd = !isInside && (byte === delimiter || byte === lineFeed);
    if (isEnd && isBare) written.push(quote);
    if (isStart && !isEnd && byte !== quote) {
      isBare = true;
      written.push(quote);
    }
    if (byte === quote) isInside = !isInside;
    written.push(byte);
    if (isEnd) isBare = false;
    isStart = isEnd;
  }
  return Uint8Array.from(written);
}
