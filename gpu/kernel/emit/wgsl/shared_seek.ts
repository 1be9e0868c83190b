/**
 * Prints searches that a workgroup makes together, for kernels in which one row has a workgroup. The
 * text is looked at 16 bytes at a time, for the places that begin in them. The next few all
 * invocations look at alike, since a near hit needs no barrier then. After them each invocation takes
 * every 64th; the nearest hit of all is found by an atomic minimum. The first round takes one of each
 * invocation, later ones up to 16: the farther the hit, the fewer the barriers for its distance.
 *
 * All invocations must come to a search with the same values. They do, since they compute the same
 * row: `workgroupUniformLoad` gives all of them the same hit.
 *
 * @module
 */

import { LONG_ROW_LANES } from "./pass.ts";
import { addSteps, addStepsOrBreak, type Steps } from "./steps.ts";
import { localName, type PrintedSpace, printScalar, printUnsigned, spaceName } from "./scalar.ts";
import type { Seek, Space } from "../../ir/ir.ts";
import { binary } from "../../ir/scalar.ts";

/** Longest needle whose bytes stand in the code; others are read where they lie. */
const MAX_INLINE_BYTES = 16;

/** Parts of 16 bytes that all invocations look at. */
const NEAR_PARTS = 2;

/** The most parts of an invocation in one round. */
const MAX_REACH = 16;

/** The bytes of a needle that stands in the code; null for others. */
export function inlineNeedle({ bytes }: Seek): Uint8Array | null {
  return bytes !== null && bytes.length <= MAX_INLINE_BYTES ? bytes : null;
}

/** The searches of a kernel; those that look for the same in the same way share a function. */
export class SharedSeeks {
  readonly #seeks = new Map<string, Seek>();
  readonly #steps: Steps | null;

  /** `steps` as in `BodyOptions`. */
  constructor(steps: Steps | null) {
    this.#steps = steps;
  }

  /** Prints the place that a search gives. */
  call(seek: Seek): string {
    const { at, last, needle: { space, start, stop }, column, backward } = seek;
    const known = inlineNeedle(seek);
    const key = `${column} ${backward} ${known ?? spaceName(space)}`;
    if (!this.#seeks.has(key)) this.#seeks.set(key, seek);
    const number = [...this.#seeks.keys()].indexOf(key);
    const needle = known === null
      ? `, ${printUnsigned(start)}, ${printUnsigned(binary("-", stop, start))}`
      : "";
    const steps = this.#steps?.argument ?? "";
    return `seek_together${number}(${localName(at)}, ${printScalar(last)}${needle}${steps})`;
  }

  /** Prints the functions. */
  print(spaceOf: (space: Space) => PrintedSpace): string {
    const seeks = [...this.#seeks.values()];
    return seeks.map((seek, number) => printSeek(seek, number, spaceOf, this.#steps)).join("");
  }
}

function printSeek(
  seek: Seek,
  number: number,
  spaceOf: (space: Space) => PrintedSpace,
  steps: Steps | null,
): string {
  const known = inlineNeedle(seek);
  const rest = known === null ? printRest(seek, number) : printKnownRest(seek, known, number);
  const text = spaceOf({ space: "column", column: seek.column });
  const drive = seek.backward ? printBackward : printForward;
  return rest + printLook(seek, number, text) + drive(known, number, steps);
}

/** Further parameters and arguments of functions where the needle is not in the code. */
function needleOf(known: Uint8Array | null): { parameters: string; args: string } {
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

/** The nearest place in 16 bytes of the text. */
function printLook(seek: Seek, number: number, { word }: PrintedSpace): string {
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

/** Rounds of loops for 16 bytes. */
function partRounds(known: Uint8Array | null): string {
  if (known === null) return "(17u + 16u * (min(size, 0x10000u) >> 2u))";
  return known.length > 4 ? "17u" : "1u";
}

function printSteps(known: Uint8Array | null, steps: Steps | null): string {
  return addStepsOrBreak(steps, `1u + reach * ${partRounds(known)}`);
}

function printNearSteps(known: Uint8Array | null, steps: Steps | null): string {
  return addSteps(steps, partRounds(known));
}

function printForward(known: Uint8Array | null, number: number, steps: Steps | null): string {
  const { parameters, args } = needleOf(known);
  return `
// The first place from \`first\` to \`last\` at which the needle starts, or one after \`last\`.
fn seek_together${number}(first: i32, last: i32${parameters}${steps?.parameter ?? ""}) -> i32 {
  if (last < first) { return first; }
  let lowest = bitcast<u32>(first);
  let highest = bitcast<u32>(last);
  var part = lowest >> 4u;
  let far = min(part + ${NEAR_PARTS}u, (highest >> 4u) + 1u);
  for (; part < far; part++) {
${printNearSteps(known, steps)}    let place = look${number}(part, lowest, highest${args});
    if (place != 0xffffffffu) { return bitcast<i32>(place); }
  }
  begin_round(0xffffffffu);
  for (var reach = 1u; part * 16u <= highest; reach = min(reach * 2u, ${MAX_REACH}u)) {
${printSteps(known, steps)}    var nearest = 0xffffffffu;
    for (var k = 0u; k < reach; k++) {
      let place = look${number}(part + k * ${LONG_ROW_LANES}u + invocation, lowest, highest${args});
      nearest = min(nearest, place);
    }
    if (nearest != 0xffffffffu) { atomicMin(&nearest_hit, nearest); }
    let hit = workgroupUniformLoad(&nearest_hit);
    if (hit != 0xffffffffu) { return bitcast<i32>(hit); }
    part += reach * ${LONG_ROW_LANES}u;
  }
  return last + 1;
}
`;
}

function printBackward(known: Uint8Array | null, number: number, steps: Steps | null): string {
  const { parameters, args } = needleOf(known);
  return `
// The last place from \`first\` down to \`last\` at which the needle starts, or one before \`last\`.
fn seek_together${number}(first: i32, last: i32${parameters}${steps?.parameter ?? ""}) -> i32 {
  if (first < last) { return first; }
  let lowest = bitcast<u32>(last);
  let highest = bitcast<u32>(first);
  // Parts up to the one that is looked at next.
  var part = (highest >> 4u) + 1u;
  let far = max(part, (lowest >> 4u) + ${NEAR_PARTS}u) - ${NEAR_PARTS}u;
  for (; part > far; part--) {
${printNearSteps(known, steps)}    let place = look${number}(part - 1u, lowest, highest${args});
    if (place != 0xffffffffu) { return bitcast<i32>(place); }
  }
  begin_round(0u);
  for (var reach = 1u; part * 16u > lowest; reach = min(reach * 2u, ${MAX_REACH}u)) {
${printSteps(known, steps)}    var nearest = 0u;
    for (var k = 0u; k < reach; k++) {
      let back = k * ${LONG_ROW_LANES}u + invocation + 1u;
      if (back > part) { break; }
      // Where there is none, this is 0.
      nearest = max(nearest, look${number}(part - back, lowest, highest${args}) + 1u);
    }
    if (nearest != 0u) { atomicMax(&nearest_hit, nearest); }
    let hit = workgroupUniformLoad(&nearest_hit);
    if (hit != 0u) { return bitcast<i32>(hit) - 1; }
    part -= min(part, reach * ${LONG_ROW_LANES}u);
  }
  return last - 1;
}
`;
}
