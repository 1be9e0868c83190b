/**
 * JSON strings that are too long to become JavaScript strings. They are cut out of their lines,
 * kept as bytes, and unescaped straight into the column.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import { joinSeveral } from "../../bytes/join_bytes.ts";
import type { InvalidText } from "../../text/valid_utf8.ts";

const backslash = 0x5c;
const unitEscape = 0x75;
const replacement = 0xfffd;
/** Bytes of `\u` and four digits. */
const unitBytes = 6;
/** The most bytes of a character. */
const mostCharBytes = 4;

/** The character of each one-letter escape, by the byte after the backslash; 0 for other bytes. */
const escaped = new Uint8Array(256);
for (const [byte, text] of Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" })) {
  escaped[byte.charCodeAt(0)] = text.charCodeAt(0);
}
for (const byte of [0x22, 0x2f, backslash]) escaped[byte] = byte;

/** Text as bytes in UTF-8. */
export class LongText {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** Writes the text to the start of `target`. */
  copyTo(target: Uint8Array): void {
    target.set(this.#bytes);
  }

  /** Returns the first `stop` UTF-16 units. */
  slice(_start: 0, stop: number): string {
    const bytes = this.#bytes.subarray(0, mostCharBytes * (stop + 1));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).slice(0, stop);
  }
}

/** A JSON string in UTF-8. */
export class LongString extends LongText {
  /** The string as it is in the file, with quotes and escapes. */
  readonly json: LongText;
  readonly #content: Uint8Array;
  readonly #isEscaped: boolean;
  #measures: Measures | undefined;

  /** Takes the bytes of a JSON string, quotes included. */
  constructor(bytes: Uint8Array) {
    super(bytes.subarray(1, -1));
    this.json = new LongText(bytes);
    this.#content = bytes.subarray(1, -1);
    this.#isEscaped = this.#content.includes(backslash);
  }

  override get length(): number {
    return this.#isEscaped ? this.#measure().length : super.length;
  }

  /** Whether the text has no lone surrogate; only an escape can be one. */
  isWellFormed(): boolean {
    return !this.#isEscaped || this.#measure().isWellFormed;
  }

  /** Writes the unescaped text to the start of `target`, with U+FFFD for lone surrogates. */
  override copyTo(target: Uint8Array): void {
    if (this.#isEscaped) unescape(this.#content, target);
    else super.copyTo(target);
  }

  #measure(): Measures {
    return this.#measures ??= unescape(this.#content);
  }
}

interface Measures {
  readonly length: number;
  readonly isWellFormed: boolean;
}

/** Whether bytes may stand between the quotes of a JSON string; does not check that they are UTF-8. */
function isStringContent(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < 0x20) return false;
    if (bytes[at] !== backslash) continue;
    const byte = bytes[++at];
    if (byte === undefined) return false;
    if (byte === unitEscape) {
      if (unitAt(bytes, at - 1) < 0) return false;
    } else if (escaped[byte] === 0) return false;
  }
  return true;
}

/** Unescapes text into `target`, if there is one, and measures it. */
function unescape(bytes: Uint8Array, target?: Uint8Array): Measures {
  let length = 0;
  let isWellFormed = true;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    if (byte !== backslash) {
      if (target !== undefined) target[length] = byte;
      length++;
      at++;
    } else if (bytes[at + 1] !== unitEscape) {
      if (target !== undefined) target[length] = escaped[bytes[at + 1]!]!;
      length++;
      at += 2;
    } else {
      const code = codeAt(bytes, at);
      if (isSurrogate(code)) isWellFormed = false;
      length += putCode(isSurrogate(code) ? replacement : code, target, length);
      at += code > 0xffff ? 2 * unitBytes : unitBytes;
    }
  }
  return { length, isWellFormed };
}

/** Returns the character of an escape, or of two escapes that form a surrogate pair. */
function codeAt(bytes: Uint8Array, at: number): number {
  const high = unitAt(bytes, at);
  const low = high >= 0xd800 && high < 0xdc00 ? unitAt(bytes, at + unitBytes) : -1;
  return low >= 0xdc00 && low < 0xe000 ? 0x10000 + (high - 0xd800) * 0x400 + low - 0xdc00 : high;
}

/** Returns the UTF-16 unit of the `\u` escape at `at`; -1 if there is none. */
function unitAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== backslash || bytes[at + 1] !== unitEscape) return -1;
  let unit = 0;
  for (let i = at + 2; i < at + unitBytes; i++) {
    const digit = hexDigit(bytes[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000;
}

/** Writes a character as UTF-8 if there is a target; returns its number of bytes. */
function putCode(code: number, target: Uint8Array | undefined, at: number): number {
  const numBytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  if (target === undefined) return numBytes;
  let rest = code;
  for (let i = numBytes - 1; i > 0; i--) {
    target[at + i] = 0x80 | (rest & 0x3f);
    rest >>= 6;
  }
  const firstByteMarks = [0, 0xc0, 0xe0, 0xf0];
  target[at] = firstByteMarks[numBytes - 1]! | rest;
  return numBytes;
}

const quote = 0x22;
const colon = 0x3a;
const comma = 0x2c;
/** The codes of { and }, which [ and ] equal once the bit by which they differ is set. */
const opening = 0x7b;
const closing = 0x7d;
const braceBit = 0x20;
/**
 * A byte that is never valid in UTF-8, and a control character, which is never valid in a JSON
 * string.
 */
const noUtf8 = 0xff;
const control = 0x01;

/**
 * The prefix of the placeholders for strings that were cut out. It is random, so that no input can
 * forge it.
 */
const placePrefix = `${crypto.randomUUID()}:`;

/** A line, and the strings cut out of it. */
interface CutLine {
  readonly bytes: Uint8Array;
  readonly strings: readonly LongString[];
}

/**
 * Cuts string values of at least `leastBytes` bytes out of a line that is an object, and leaves
 * short placeholders. The placeholder of an invalid string is invalid in the same way, so that
 * parsing the short line reports the same error.
 */
export function cutLongStrings(
  line: Uint8Array,
  { leastBytes, invalid }: { readonly leastBytes: number; readonly invalid: InvalidText },
): CutLine {
  const parts: Uint8Array[] = [];
  const strings: LongString[] = [];
  let from = 0;
  for (const { start, stop, isClosed } of longValues(line, leastBytes)) {
    const bytes = line.subarray(start, stop);
    const isInvalid = !isUtf8(bytes);
    const isFaulty = !isClosed || !isStringContent(bytes.subarray(1, -1));
    parts.push(line.subarray(from, start));
    from = stop;
    if (isFaulty || (isInvalid && invalid === "error")) {
      parts.push(faultyString(isInvalid, isFaulty));
    } else {
      parts.push(new TextEncoder().encode(`"${placePrefix}${strings.length}"`));
      strings.push(new LongString(isInvalid ? replaced(bytes) : bytes));
    }
  }
  parts.push(line.subarray(from));
  return { bytes: joinSeveral(parts), strings };
}

/** Replaces the placeholders in a parsed row with their long strings. */
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
  /** Whether it has a closing quote. */
  readonly isClosed: boolean;
}

/** Yields the values of an object that are long strings, and any long string without an end. */
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

/** Returns the position after the string that begins at `position`; -1 if it has no end. */
function behindString(line: Uint8Array, position: number): number {
  for (let at = position; (at = line.indexOf(quote, at + 1)) >= 0;) {
    let before = at - 1;
    while (line[before] === backslash) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return -1;
}

function faultyString(isInvalid: boolean, isFaulty: boolean): Uint8Array {
  return Uint8Array.of(quote, ...isInvalid ? [noUtf8] : [], ...isFaulty ? [control] : [], quote);
}

function replaced(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return new TextEncoder().encode(text);
}
