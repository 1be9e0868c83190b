/**
 * The members of an object in JSON text, as they stand.
 *
 * @module
 */

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const space = 0x20;
/** Codes of [ and {, and of ] and }, once the bit by which they differ is set. */
const opening = 0x7b;
const closing = 0x7d;
const braceBit = 0x20;

/** A member of an object: its key, and where its value stands in the text. */
export interface Member {
  readonly key: string;
  readonly start: number;
  readonly stop: number;
}

/** The members of an object, in order, those of one key too. The text is one that JSON.parse takes. */
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

/** A value without the spaces between its parts, which stay as they are: no digit is lost. */
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
 * Whether one of the objects in a text might have a key twice; false is certain. `numKeys` are their
 * keys without those that repeat another.
 */
export function mayRepeatKeys(text: string, numKeys: number): boolean {
  let numEnds = 0;
  // Each key ends so, unless there are spaces; text that looks alike only adds to them.
  for (let at = 0; (at = text.indexOf('":', at)) >= 0; at += 2) numEnds++;
  return numEnds !== numKeys || /"\s+:/.test(text);
}

function skipSpace(text: string, position: number): number {
  let at = position;
  while (text.charCodeAt(at) <= space) at++;
  return at;
}

/** The position behind the string that begins at `position`. */
function skipString(text: string, position: number): number {
  for (let at = text.indexOf('"', position + 1);; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
}

/** The position behind the value that begins at `position`. */
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
