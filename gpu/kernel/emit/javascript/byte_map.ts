/**
 * Prints maps of bytes as JavaScript.
 *
 * @module
 */

import { rangesOf } from "../../ir/map_ranges.ts";
import type { JavaScriptKernel } from "./emit.ts";

/** The most ranges for which four bytes are computed at once. */
const MAX_RANGES = 4;

/**
 * Prints a map of bytes below 0x80 as JavaScript: a `ByteMapRun`. It maps words of four bytes.
 * Bytes of 0x80 and more, which occur around the rows and below nulls, stay unchanged, or become
 * the entry of the table, and do not affect the other three.
 */
export function emitJavaScriptByteMap(map: Uint8Array): JavaScriptKernel {
  return { parameters: ["words", "result", "table"], body: bodyOf(map) };
}

function bodyOf(map: Uint8Array): string {
  const ranges = rangesOf(map);
  if (ranges.length > MAX_RANGES) {
    return `let seen = 0;
for (let i = 0; i < words.length; i++) {
  const word = words[i];
  seen |= word;
  result[i] = table[word & 255] | table[word >> 8 & 255] << 8 |
    table[word >> 16 & 255] << 16 | table[word >>> 24] << 24;
}
return seen;
`;
  }
  // Once the top bit of each byte is cleared, one sum sets it in all bytes that reach a bound.
  const inEach = (byte: number) => Math.imul(byte, 0x01010101);
  const steps = ranges.map(({ first, last, by }) => {
    const reaches = (bound: number) => `low + ${inEach(0x80 - bound)}`;
    const inside = last === 127
      ? `(${reaches(first)}) & ascii`
      : `(${reaches(first)}) & ~(${reaches(last + 1)}) & ascii`;
    return `  flags = ${inside};
  mapped ${by > 0 ? "+" : "-"}= Math.imul(flags >>> 7, ${Math.abs(by)});
`;
  });
  return `let flags = 0, seen = 0;
for (let i = 0; i < words.length; i++) {
  const word = words[i];
  const low = word & ${inEach(0x7f)};
  const ascii = ~word & ${inEach(0x80)};
  let mapped = word;
  seen |= word;
${steps.join("")}  result[i] = mapped;
}
return seen;
`;
}
