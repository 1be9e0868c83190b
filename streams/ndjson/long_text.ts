/**
 * Texts of JSON that are too long to make strings of them.
 *
 * @module
 */

const backslash = 0x5c;
const unitEscape = 0x75;
const replacement = 0xfffd;
/** Bytes of `\u` and four digits. */
const unitBytes = 6;
/** Bytes of a character at most. */
const mostCharBytes = 4;

/** What the byte behind a backslash stands for; 0 where it is the first of none of these escapes. */
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

  /** Number of its bytes. */
  get length(): number {
    return this.#bytes.length;
  }

  /** Writes it to the start of a target. */
  copyTo(target: Uint8Array): void {
    target.set(this.#bytes);
  }

  /** Its first UTF-16 units. */
  slice(_start: 0, stop: number): string {
    const bytes = this.#bytes.subarray(0, mostCharBytes * (stop + 1));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).slice(0, stop);
  }
}

/** Text as a string of JSON in UTF-8. */
export class LongString extends LongText {
  /** The string as it stands, quotes included. */
  readonly json: LongText;
  readonly #content: Uint8Array;
  readonly #isEscaped: boolean;
  #measures: Measures | undefined;

  /** The bytes of a string of JSON, quotes included. */
  constructor(bytes: Uint8Array) {
    super(bytes.subarray(1, -1));
    this.json = new LongText(bytes);
    this.#content = bytes.subarray(1, -1);
    this.#isEscaped = this.#content.includes(backslash);
  }

  override get length(): number {
    return this.#isEscaped ? this.#measure().length : super.length;
  }

  /** Whether it has no half of a surrogate pair, which only an escape can be. */
  isWellFormed(): boolean {
    return !this.#isEscaped || this.#measure().isWellFormed;
  }

  /** Writes it without escapes to the start of a target, U+FFFD for half of a surrogate pair. */
  override copyTo(target: Uint8Array): void {
    if (this.#isEscaped) unescape(this.#content, target);
    else super.copyTo(target);
  }

  #measure(): Measures {
    return this.#measures ??= unescape(this.#content);
  }
}

/** What is found out about escaped text. */
interface Measures {
  readonly length: number;
  readonly isWellFormed: boolean;
}

/** Whether bytes are what may stand between the quotes of a string of JSON, but for their UTF-8. */
export function isStringContent(bytes: Uint8Array): boolean {
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

/** Measures text without its escapes, and writes it where there is a target. */
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

/** The character of an escape, or of two that are a surrogate pair. */
function codeAt(bytes: Uint8Array, at: number): number {
  const high = unitAt(bytes, at);
  const low = high >= 0xd800 && high < 0xdc00 ? unitAt(bytes, at + unitBytes) : -1;
  return low >= 0xdc00 && low < 0xe000 ? 0x10000 + (high - 0xd800) * 0x400 + low - 0xdc00 : high;
}

/** The UTF-16 unit of an escape; -1 where there is none. */
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

/** Writes a character where there is a target; gives the number of its bytes. */
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
