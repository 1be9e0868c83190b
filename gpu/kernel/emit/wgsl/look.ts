/**
 * Prints how a search looks at 16 bytes of a text at once: for the places that begin in them at which
 * the needle stands.
 *
 * @module
 */

import { type PrintedSpace, spaceName } from "./scalar.ts";
import type { Seek, Space } from "../../ir/ir.ts";

/** Longest needle whose bytes stand in the code; others are read where they lie. */
const MAX_INLINE_BYTES = 16;

/** The bytes of a needle that stands in the code; null for others. */
export function inlineNeedle({ bytes }: Seek): Uint8Array | null {
  return bytes !== null && bytes.length <= MAX_INLINE_BYTES ? bytes : null;
}

/** Further parameters and arguments of functions where the needle is not in the code. */
export function needleOf(known: Uint8Array | null): { parameters: string; args: string } {
  return known === null
    ? { parameters: ", needle: u32, size: u32", args: ", needle, size" }
    : { parameters: "", args: "" };
}

/** Up to 4 bytes of a needle as a word, and which of its bits count. */
function patternOf(known: Uint8Array, from: number): { pattern: string; mask: string } {
  const bytes = known.subarray(from, from + 4);
  const word = bytes.reduce((sum, byte, k) => sum + byte * 2 ** (8 * k), 0);
  const mask = 2 ** (8 * bytes.length) - 1;
  return { pattern: `0x${word.toString(16)}u`, mask: `0x${mask.toString(16)}u` };
}

/** Whether the bytes of a known needle from the fifth on follow. */
function printKnownRest({ column }: Seek, known: Uint8Array, number: number): string {
  const tests: string[] = [];
  for (let from = 4; from < known.length; from += 4) {
    const { pattern, mask } = patternOf(known, from);
    tests.push(`((four_bytes${column}(at + ${from}u) ^ ${pattern}) & ${mask}) == 0u`);
  }
  if (tests.length === 0) return "";
  return `
fn rest_follows${number}(at: u32) -> bool {
  return ${tests.join(" && ")};
}
`;
}

/** Whether the bytes of any needle from the fifth on follow. */
function printRest({ column, needle: { space } }: Seek, number: number): string {
  return `
fn rest_follows${number}(at: u32, needle: u32, size: u32) -> bool {
  for (var k = 4u; k < size; k += 4u) {
    let mask = 0xffffffffu >> (8u * (4u - min(4u, size - k)));
    let differs = four_bytes${column}(at + k) ^ four_bytes${spaceName(space)}(needle + k);
    if ((differs & mask) != 0u) { return false; }
  }
  return true;
}
`;
}

/**
 * Prints `look` of a number, the nearest place in 16 bytes of the text from `lowest` to `highest`, or
 * 0xffffffff; `round` is a statement for each place at which the first bytes of the needle stand.
 */
export function printLook(
  seek: Seek,
  number: number,
  spaceOf: (space: Space) => PrintedSpace,
  round = "",
): string {
  const known = inlineNeedle(seek);
  const rest = known === null ? printRest(seek, number) : printKnownRest(seek, known, number);
  return rest + printPart(seek, number, spaceOf({ space: "column", column: seek.column }), round);
}

/** The nearest place in 16 bytes of the text. */
function printPart(
  seek: Seek,
  number: number,
  { word }: PrintedSpace,
  round: string,
): string {
  const known = inlineNeedle(seek);
  const { parameters, args } = needleOf(known);
  const { pattern, mask } = known === null
    ? { pattern: "pattern", mask: "mask" }
    : patternOf(known, 0);
  const usesNext = known === null || known.length > 1;
  const nearest = seek.backward ? "31u - countLeadingZeros(places)" : "countTrailingZeros(places)";
  const hasRest = known === null || known.length > 4;
  const choice = hasRest
    ? `  while (places != 0u) {
${round}\
    let nearest = ${nearest};
    if (rest_follows${number}(place + nearest${args})) { return place + nearest; }
    places &= ~(1u << nearest);
  }
  return 0xffffffffu;`
    : `  return select(place + ${nearest}, 0xffffffffu, places == 0u);`;
  const needleWord = known === null
    ? `  // Nothing is asked of an empty needle.
  let mask = select(0xffffffffu >> ((8u * (4u - min(4u, size))) & 31u), 0u, size == 0u);
  let pattern = four_bytes${spaceName(seek.needle.space)}(needle);
`
    : "";
  const words = [0, 1, 2, 3, ...(usesNext ? [4] : [])].map((k) =>
    `  let word${k} = ${word(`(part * 4u + ${k}u)`)};\n`
  );
  const places = [0, 1, 2, 3].map((k) => {
    const starts = `starts${number}(word${k}, ${usesNext ? `word${k + 1}` : "0u"}${
      known === null ? ", pattern, mask" : ""
    })`;
    return k === 0 ? starts : `(${starts} << ${4 * k}u)`;
  });
  return `
// The places in a word at which the first bytes are those of the needle, up to 4, as bits.
fn starts${number}(low: u32, high: u32${known === null ? ", pattern: u32, mask: u32" : ""}) -> u32 {
  var places = select(0u, 1u, ((low ^ ${pattern}) & ${mask}) == 0u);
${
    [1, 2, 3].map((skip) => {
      const low = `(low >> ${8 * skip}u)`;
      const value = usesNext ? `(${low} | (high << ${32 - 8 * skip}u))` : low;
      const differs = `(${value} ^ ${pattern}) & ${mask}`;
      return `  places |= select(0u, ${1 << skip}u, (${differs}) == 0u);\n`;
    }).join("")
  }  return places;
}

fn look${number}(part: u32, lowest: u32, highest: u32${parameters}) -> u32 {
  let place = part * 16u;
  if (place > highest || place + 15u < lowest) { return 0xffffffffu; }
${needleWord}${words.join("")}  var places = ${places.join(" | ")};
  places &= 0xffffu << select(0u, lowest - place, place < lowest);
  places &= 0xffffu >> select(0u, place + 15u - highest, place + 15u > highest);
${choice}
}
`;
}
