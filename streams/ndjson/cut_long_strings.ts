/**
 * Lines without their long strings.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import { joinBytes } from "../growing_bytes.ts";
import type { InvalidText } from "../sound_text.ts";
import { isStringContent, LongString } from "./long_text.ts";

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
/** Codes of [ and {, and of ] and }, once the bit by which they differ is set. */
const opening = 0x7b;
const closing = 0x7d;
const braceBit = 0x20;
/** A byte that no UTF-8 has, and a control character, which no string of JSON has. */
const noUtf8 = 0xff;
const control = 0x01;

/** What strings begin with that stand for those that were cut out. No line can know it. */
const placePrefix = `${crypto.randomUUID()}:`;

/** A line, and what was cut out of it. */
interface CutLine {
  readonly bytes: Uint8Array;
  readonly strings: readonly LongString[];
}

/**
 * Cuts the values of an object that are strings of `leastBytes` or more out of its line. A short
 * string is put in the place of each: one that is as wrong, where the long one is not UTF-8 or no
 * JSON, so that the line without them shows what is wrong with the line.
 */
export function cutLongStrings(
  line: Uint8Array,
  { leastBytes, invalid }: { readonly leastBytes: number; readonly invalid: InvalidText },
): CutLine {
  const pieces: Uint8Array[] = [];
  const strings: LongString[] = [];
  let from = 0;
  for (const { start, stop, isClosed } of longValues(line, leastBytes)) {
    const bytes = line.subarray(start, stop);
    const isUnsound = !isUtf8(bytes);
    const isFaulty = !isClosed || !isStringContent(bytes.subarray(1, -1));
    pieces.push(line.subarray(from, start));
    from = stop;
    if (isFaulty || (isUnsound && invalid === "error")) {
      pieces.push(faultyString(isUnsound, isFaulty));
    } else {
      pieces.push(new TextEncoder().encode(`"${placePrefix}${strings.length}"`));
      strings.push(new LongString(isUnsound ? replaced(bytes) : bytes));
    }
  }
  pieces.push(line.subarray(from));
  return { bytes: joinBytes(pieces), strings };
}

/** Puts the long strings of a line into the row that was made of the line without them. */
export function putLongStrings(
  row: Record<string, unknown>,
  strings: readonly LongString[],
): void {
  for (const [key, value] of Object.entries(row)) {
    if (typeof value !== "string" || !value.startsWith(placePrefix)) continue;
    row[key] = strings[Number(value.slice(placePrefix.length))];
  }
}

/** A string in a line, its quotes included. */
interface StringPlace {
  readonly start: number;
  readonly stop: number;
  /** Whether it has a quote at its end. */
  readonly isClosed: boolean;
}

/** The values of an object that are long strings, and a long string that does not end. */
function* longValues(line: Uint8Array, leastBytes: number): Generator<StringPlace, void, void> {
  let depth = 0;
  let isValue = false;
  for (let at = 0; at < line.length;) {
    const byte = line[at]!;
    if (byte === quote) {
      const end = behindString(line, at);
      const isClosed = end >= 0;
      const place = { start: at, stop: isClosed ? end : line.length, isClosed };
      const isCut = !isClosed || (depth === 1 && isValue);
      if (isCut && place.stop - at >= leastBytes) yield place;
      at = place.stop;
      isValue = false;
      continue;
    }
    at++;
    if (byte === colon) isValue = true;
    else if (byte === comma) isValue = false;
    else if ((byte | braceBit) === opening) depth++;
    else if ((byte | braceBit) === closing) depth--;
  }
}

/** The position behind the string that begins at `position`; -1 where it does not end. */
function behindString(line: Uint8Array, position: number): number {
  for (let at = position; (at = line.indexOf(quote, at + 1)) >= 0;) {
    let before = at - 1;
    while (line[before] === backslash) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return -1;
}

function faultyString(isUnsound: boolean, isFaulty: boolean): Uint8Array {
  return Uint8Array.of(quote, ...isUnsound ? [noUtf8] : [], ...isFaulty ? [control] : [], quote);
}

function replaced(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return new TextEncoder().encode(text);
}
