/**
 * Parses JSON without losing a digit, and locates the members of objects in JSON text.
 *
 * @module
 */

import { isExactly, losesDigits, sureDigits } from "../../text/exact_number.ts";

/** A number that no JavaScript value represents exactly, as text. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the nearest double. */
  valueOf(): number {
    return Number(this.text);
  }
}

/**
 * How numbers are parsed: "values" returns a number wherever a double holds it; "types" returns a
 * JsonNumber for 1.0 too, which tells columns of floats from columns of integers.
 */
export type NumberMode = "values" | "types";

/**
 * Finds numbers that a double may not hold. Fractions of up to 17 digits do not match, because a
 * reviver for every value takes several times as long as JSON.parse. The exception are fractions
 * that a double may round to a whole number, such as 99999999999999.999: all digits after the
 * point, within the first 16 digits, are zeros or nines.
 */
const longNumber =
  /[:,[ \t\r]-?(?:0\.(?:0*[1-9]\d{17}|0{300})|[1-9](?:\d{15}|[\d.]{18})|\d[\d.]*[eE](?:\+?\d|-\d{3})|\d+\.(?:0+|9+)(?<=[\d.]{17}))/;
/**
 * Finds whole numbers that may be written as floats, and fractions that a double may round to whole
 * numbers.
 */
const wholeFloat = /[:,[ \t\r]-?\d(?:\d*(?:\.0+(?!\d)|[\d.]*[eE])|[\d.]{16})/;
const integer = /^-?\d+$/;

/**
 * Like JSON.parse, but integers that a double would round become bigints, and other numbers that a
 * double would round or cannot hold become JsonNumbers. So do fractions that a double rounds to a
 * whole number, since they are not integers.
 */
export function parseJson(text: string, mode: NumberMode): unknown {
  if (mode === "types" && (wholeFloat.test(text) || longNumber.test(text))) {
    return JSON.parse(text, typedNumber as Reviver);
  }
  return longNumber.test(text) ? JSON.parse(text, exactNumber as Reviver) : JSON.parse(text);
}

type Reviver = (key: string, value: unknown) => unknown;
/** V8 passes revivers the source text of primitive values. */
type Context = { readonly source?: string };

function exactNumber(_key: string, value: unknown, { source }: Context): unknown {
  if (typeof value !== "number" || source === undefined) return value;
  if (integer.test(source)) return Number.isSafeInteger(value) ? value : BigInt(source);
  const isShort = source.length <= sureDigits && !/e/i.test(source);
  if (isShort) return value;
  const isRounded = Number.isSafeInteger(value) && !isExactly(source, value);
  return isRounded || losesDigits(source) ? new JsonNumber(source) : value;
}

function typedNumber(key: string, value: unknown, context: Context): unknown {
  const { source } = context;
  const isWholeFloat = Number.isSafeInteger(value) && source !== undefined && !integer.test(source);
  return isWholeFloat ? new JsonNumber(source) : exactNumber(key, value, context);
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const space = 0x20;
/** The codes of { and }, which [ and ] equal once the bit by which they differ is set. */
const opening = 0x7b;
const closing = 0x7d;
const braceBit = 0x20;

/** A member of an object: its key, and the range of its value in the text. */
export interface Member {
  readonly key: string;
  readonly start: number;
  readonly stop: number;
}

/** Returns the members of an object in order, including duplicates. The text must be valid JSON. */
export function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let at = text.indexOf("{") + 1;
  for (;;) {
    at = skipSpace(text, at);
    if (text.charCodeAt(at) !== quote) return members;
    const behindKey = skipString(text, at);
    const key = text.slice(at + 1, behindKey - 1);
    const start = skipSpace(text, text.indexOf(":", behindKey) + 1);
    const stop = skipValue(text, start);
    members.push({ key: key.includes("\\") ? JSON.parse(`"${key}"`) : key, start, stop });
    at = skipSpace(text, stop) + 1;
  }
}

/** Returns the text of a value without the whitespace between its tokens. */
export function compactText(
  text: string,
  { start, stop }: Pick<Member, "start" | "stop">,
): string {
  let compact = "";
  let from = start;
  for (let at = start; at < stop;) {
    const code = text.charCodeAt(at);
    if (code === quote) at = skipString(text, at);
    else if (code > space) at++;
    else {
      compact += text.slice(from, at);
      from = at = skipSpace(text, at);
    }
  }
  return compact + text.slice(from, stop);
}

/**
 * Whether an object in a text may have duplicate keys; false is certain. `numKeys` is the sum of
 * the distinct keys of each object.
 */
export function mayRepeatKeys(text: string, numKeys: number): boolean {
  let numEnds = 0;
  // Every key ends this way unless whitespace follows; the same characters inside a string only
  // raise the count.
  for (let at = 0; (at = text.indexOf('":', at)) >= 0; at += 2) numEnds++;
  return numEnds !== numKeys || /"\s+:/.test(text);
}

function skipSpace(text: string, position: number): number {
  let at = position;
  while (text.charCodeAt(at) <= space) at++;
  return at;
}

/** Returns the position after the string that begins at `position`. */
function skipString(text: string, position: number): number {
  for (let at = text.indexOf('"', position + 1);; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
}

/** Returns the position after the value that begins at `position`. */
function skipValue(text: string, position: number): number {
  const first = text.charCodeAt(position);
  if (first === quote) return skipString(text, position);
  if ((first | braceBit) !== opening) return skipWord(text, position);
  let depth = 0;
  for (let at = position;;) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = skipString(text, at);
      continue;
    }
    at++;
    if ((code | braceBit) === opening) depth++;
    else if ((code | braceBit) === closing && --depth === 0) return at;
  }
}

/** Skips a number, true, false or null. */
function skipWord(text: string, position: number): number {
  for (let at = position;; at++) {
    const code = text.charCodeAt(at);
    if (!(code > space) || code === comma || (code | braceBit) === closing) return at;
  }
}
