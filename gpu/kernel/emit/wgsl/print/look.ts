/**
 * Prints how a search reads 16 bytes of a text at a time, for the places that begin in them at
 * which the needle is, or a byte of a set.
 *
 * @module
 */

import { type ByteSet, printInSet } from "./byte_sets.ts";
import { type PrintedSpace, spaceName } from "./scalar.ts";
import type { Seek, Space } from "../../../ir/ir.ts";

/** A needle or a set of bytes that a search looks for in a column. */
export type Sought = Seek | ByteSet;

/** The longest needle that the code contains; longer ones are read from their buffer. */
const MAX_INLINE_BYTES = 16;

/** Returns the bytes of a needle that the code contains; null for others. */
export function inlineNeedle({ bytes }: Seek): Uint8Array | null {
  return bytes !== null && bytes.length <= MAX_INLINE_BYTES ? bytes : null;
}

/** Whether the code contains the bytes that a search looks for. */
export function isInCode(sought: Sought): boolean {
  return sought.does === "bytes" || inlineNeedle(sought) !== null;
}

/**
 * Returns the further parameters and arguments of functions for a needle that is not in the code.
 */
export function needleOf(sought: Sought): { parameters: string; args: string } {
  return isInCode(sought)
    ? { parameters: "", args: "" }
    : { parameters: ", needle: u32, size: u32", args: ", needle, size" };
}

/** Prints up to 4 bytes of a needle as a word, and a mask of their bits. */
function patternOf(known: Uint8Array, from: number): { pattern: string; mask: string } {
  const bytes = known.subarray(from, from + 4);
  const word = bytes.reduce((sum, byte, k) => sum + byte * 2 ** (8 * k), 0);
  const mask = 2 ** (8 * bytes.length) - 1;
  return { pattern: `0x${word.toString(16)}u`, mask: `0x${mask.toString(16)}u` };
}

/** Prints the function that tests the bytes of a known needle from the fifth on. */
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

/** Prints the function that tests the bytes of any needle from the fifth on. */
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
 * Prints `look` of a number, which returns the nearest place in 16 bytes of the text from `lowest`
 * to `highest`, or 0xffffffff; `round` is a statement for each place with the first bytes of the
 * needle.
 */
export function printLook(
  sought: Sought,
  number: number,
  spaceOf: (space: Space) => PrintedSpace,
  round = "",
): string {
  const space = spaceOf({ space: "column", column: sought.column });
  if (sought.does === "bytes") {
    return printInSet(sought, number) + printSetStarts(number) +
      printPart(sought, number, space, { usesNext: false, needleWord: "", args: "", rest: null });
  }
  const known = inlineNeedle(sought);
  const rest = known === null ? printRest(sought, number) : printKnownRest(sought, known, number);
  return rest + printStarts(known, number) + printPart(sought, number, space, {
    usesNext: known === null || known.length > 1,
    needleWord: known === null ? printNeedleWord(sought) : "",
    args: known === null ? ", pattern, mask" : "",
    rest: known === null || known.length > 4 ? round : null,
  });
}

/** Options for reading a part of 16 bytes. */
interface PartOptions {
  /** Whether a place depends on the bytes after the word in which it begins. */
  readonly usesNext: boolean;
  /** Statements before the test, and further arguments of `starts`. */
  readonly needleWord: string;
  readonly args: string;
  /**
   * A statement for each place at which the rest of the needle is compared; null if there is no
   * rest.
   */
  readonly rest: string | null;
}

/** Prints the function that returns the nearest place in 16 bytes of the text. */
function printPart(
  sought: Sought,
  number: number,
  { word, quad }: PrintedSpace,
  { usesNext, needleWord, args, rest }: PartOptions,
): string {
  const needle = needleOf(sought);
  const nearest = sought.backward
    ? "31u - countLeadingZeros(places)"
    : "countTrailingZeros(places)";
  const choice = rest === null
    ? `  return select(place + ${nearest}, 0xffffffffu, places == 0u);`
    : `  while (places != 0u) {
${rest}\
    let nearest = ${nearest};
    if (rest_follows${number}(place + nearest${needle.args})) { return place + nearest; }
    places &= ~(1u << nearest);
  }
  return 0xffffffffu;`;
  const lines = (quad === undefined ? [] : [`  let words = ${quad("part")};\n`]).concat(
    [0, 1, 2, 3, ...(usesNext ? [4] : [])].map((k) => {
      const isHere = quad !== undefined && k < 4;
      return `  let word${k} = ${isHere ? `words[${k}]` : word(`(part * 4u + ${k}u)`)};\n`;
    }),
  );
  const places = [0, 1, 2, 3].map((k) => {
    const next = usesNext ? `, word${k + 1}` : "";
    const starts = `starts${number}(word${k}${next}${args})`;
    return k === 0 ? starts : `(${starts} << ${4 * k}u)`;
  });
  return `
fn look${number}(part: u32, lowest: u32, highest: u32${needle.parameters}) -> u32 {
  let place = part * 16u;
  if (place > highest || place + 15u < lowest) { return 0xffffffffu; }
${needleWord}${lines.join("")}  var places = ${places.join(" | ")};
  places &= 0xffffu << select(0u, lowest - place, place < lowest);
  places &= 0xffffu >> select(0u, place + 15u - highest, place + 15u > highest);
${choice}
}
`;
}

/** Prints the first bytes of a needle that is not in the code. */
function printNeedleWord({ needle: { space } }: Seek): string {
  return `  // Nothing is asked of an empty needle.
  let mask = select(0xffffffffu >> ((8u * (4u - min(4u, size))) & 31u), 0u, size == 0u);
  let pattern = four_bytes${spaceName(space)}(needle);
`;
}

/**
 * Prints the function that finds the first bytes of a needle; they are a parameter unless known.
 */
function printStarts(known: Uint8Array | null, number: number): string {
  const { pattern, mask } = known === null
    ? { pattern: "pattern", mask: "mask" }
    : patternOf(known, 0);
  const usesNext = known === null || known.length > 1;
  const parameters = (usesNext ? ", high: u32" : "") +
    (known === null ? ", pattern: u32, mask: u32" : "");
  return `
// The places in a word at which the first bytes are those of the needle, up to 4, as bits.
fn starts${number}(low: u32${parameters}) -> u32 {
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
`;
}

/** The product puts the highest bits of all bytes side by side; no two of them collide. */
function printSetStarts(number: number): string {
  return `
// The bytes of a word that are in the set, as bits.
fn starts${number}(bytes: u32) -> u32 {
  return ((in_set${number}(bytes) >> 7u) * 0x10204080u) >> 28u;
}
`;
}
