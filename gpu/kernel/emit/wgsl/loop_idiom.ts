/**
 * Prints what stands for a loop whose idiom WGSL has a better way for, and the functions that this
 * calls. Searches that a workgroup makes together are in `shared_seek.ts`.
 *
 * Characters are counted word by word: all bytes of UTF-8 but those from 0x80 to 0xbf begin one, so
 * those that begin in a word are counted at once. Texts are compared four bytes at a time.
 *
 * Where one row has a workgroup, each invocation takes every 64th word of a long text. Counts are
 * summed by an atomic addition; the first difference of all is found by an atomic minimum, in rounds
 * as for a search. States are followed through 64 parts of the bytes, one for each invocation. Each
 * guesses in which state its part is entered: the one after the 32 bytes before it, if these are
 * entered as the first part is, since most patterns forget soon what they have read. Where a guess
 * turns out wrong, the next round begins with that part; so a round gains one part at least, and the
 * state is right in any case.
 *
 * @module
 */

import type { ByteSets, SetSearches } from "./byte_sets.ts";
import { inlineNeedle } from "./look.ts";
import type { MarkedLoops } from "./marked_loops.ts";
import { LONG_ROW_LANES, TOGETHER_BYTES } from "./pass.ts";
import { addSteps, addStepsOrBreak, breakOutOfSteps, type Steps } from "./steps.ts";
import { localName, type PrintedSpace, printScalar, printUnsigned, spaceName } from "./scalar.ts";
import type { Count, Follow, Match, Seek, Skip, Stmt } from "../../ir/ir.ts";

/** What helps the loops of a row. */
export interface LoopHelp {
  /** Prints the place that a search gives, where a workgroup makes them together. */
  readonly shareSeek: ((seek: Seek) => string) | null;
  /** Where several lanes have marked the rows. */
  readonly marked: MarkedLoops | null;
  /** The sets of bytes that loops look for, and how they do without marks. */
  readonly sets: ByteSets;
  readonly setSearches: SetSearches;
}

type Loop = Stmt & { do: "loop" };

/**
 * The lines that stand for a loop that counts characters, compares texts, or passes over bytes that are
 * not in a set; for long rows also for one that searches or follows states, and where rows are marked
 * for one that searches. Null for others.
 */
export function printIdiom(loop: Loop, help: LoopHelp, steps: Steps | null): string[] | null {
  const { idiom } = loop;
  const { shareSeek, marked } = help;
  const argument = steps?.argument ?? "";
  switch (idiom?.does) {
    case "count":
      return printCounting(idiom, marked?.count(loop, idiom) ?? countCall(idiom, argument));
    case "match":
      return [printMatching(idiom, marked?.firstOf(loop) ?? null, argument)];
    case "follow":
      if (shareSeek !== null) return printFollowing(idiom, argument);
      return printResting(loop, idiom, help, steps);
    case "skip":
      return printSkipping(loop, idiom, help);
    case "seek": {
      const place = shareSeek?.(idiom) ?? (inlineNeedle(idiom) &&
        marked?.place(loop, idiom, localName(idiom.at), printScalar(idiom.last)));
      return place == null ? null : [`${localName(idiom.at)} = ${place};`];
    }
    default:
      return null;
  }
}

/** Positions of a loop are counted from `base`. */
function printSkipping(loop: Loop, { at, bound, base }: Skip, help: LoopHelp): string[] | null {
  const set = help.sets.stopsOf(loop);
  if (set === null) return null;
  const [place, start] = [localName(at), printScalar(base)];
  const [first, last] = [`(${start} + ${place})`, `(${start} + ${printScalar(bound)} - 1)`];
  const next = help.marked?.place(loop, set, first, last) ??
    help.setSearches.call(set, first, last);
  return [`${place} = ${next} - ${start};`];
}

/** In the state that most bytes lead back to, these are passed over. */
function printResting(
  loop: Loop,
  { state, at, stop, column, table, firstOpen }: Follow,
  { sets, marked, setSearches }: LoopHelp,
  steps: Steps | null,
): string[] | null {
  const rest = sets.restOf(loop);
  if (rest === null) return null;
  const [own, place, end] = [localName(state), localName(at), printScalar(stop)];
  const last = `${end} - 1`;
  const next = marked?.place(loop, rest.set, place, last) ??
    setSearches.call(rest.set, place, last);
  return [
    "loop {",
    ...(steps === null ? [] : [`  if (${steps.outOfSteps}) { return; }`]),
    `  if (${own} == ${rest.state}) { ${place} = ${next}; }`,
    `  if (${place} >= ${end} || ${own} < ${firstOpen}) { break; }`,
    `  ${own} = table${table}(${own} + byte${column}(${place}));`,
    `  ${place} = ${place} + 1;`,
    "}",
    `${place} = max(${place}, ${end});`,
  ];
}

function printFollowing(follow: Follow, argument: string): string[] {
  const [state, place, end] = [
    localName(follow.state),
    localName(follow.at),
    printScalar(follow.stop),
  ];
  return [
    `${state} = ${followName(follow)}(${state}, ${place}, ${end}${argument});`,
    `${place} = max(${place}, ${end});`,
  ];
}

function printCounting({ total, at, stop }: Count, call: string): string[] {
  const [sum, place] = [localName(total), localName(at)];
  return [`${sum} = ${sum} + ${call};`, `${place} = max(${place}, ${printScalar(stop)});`];
}

function countCall({ at, stop, column }: Count, argument: string): string {
  return `count_characters${column}(${localName(at)}, ${printScalar(stop)}${argument})`;
}

/** `mark` is a place before which texts are known to be the same. */
function printMatching(
  { offset, size, left, right }: Match,
  mark: string | null,
  argument: string,
): string {
  const name = matchName(spaceName(left.space), spaceName(right.space));
  const at = localName(offset);
  const operands = [left.start, right.start].map(printUnsigned).join(", ");
  const first = mark === null ? `bitcast<u32>(${at})` : `max(bitcast<u32>(${at}), ${mark})`;
  const args = `${operands}, ${first}, ${printUnsigned(size)}${argument}`;
  return `${at} = bitcast<i32>(${name}(${args}));`;
}

/** Prints the function that counts the characters in the bytes [start, stop) of a space. */
export function printCount(space: PrintedSpace, steps: Steps | null): string {
  const { name } = space;
  return `
${printHeads(space)}
fn count_characters${name}(start: i32, stop: i32) -> i32 {
  var count = 0u;
  for (var at = start & ~3; at < stop; at = at + 4) {
${
    breakOutOfSteps(steps)
  }    count += heads${name}(bitcast<u32>(at), bitcast<u32>(start), bitcast<u32>(stop));
  }
  return bitcast<i32>(count);
}
`;
}

/** Prints the same for long rows, where all invocations of a workgroup call it. */
export function printCountTogether(space: PrintedSpace, steps: Steps | null): string {
  const { name } = space;
  return `
${printHeads(space)}${printHeadsOfPart(space)}
var<workgroup> counted${name}: atomic<u32>;

fn count_characters${name}(start: i32, stop: i32${steps?.parameter ?? ""}) -> i32 {
  if (start >= stop) { return 0; }
  let first = bitcast<u32>(start);
  let last = bitcast<u32>(stop);
  // Few bytes each invocation counts for itself.
  if (last - first < ${TOGETHER_BYTES}u) {
${addSteps(steps, "1u + (last - first) / 4u")}    var alone = 0u;
    for (var at = first & ~3u; at < last; at += 4u) { alone += heads${name}(at, first, last); }
    return bitcast<i32>(alone);
  }
${addSteps(steps, `1u + (last - first) / ${4 * LONG_ROW_LANES}u`, "  ")}\
  var count = 0u;
  for (var part = (first >> 4u) + invocation; part * 16u < last; part += ${LONG_ROW_LANES}u) {
    count += heads_of_part${name}(part, first, last);
  }
  if (invocation == 0u) { atomicStore(&counted${name}, 0u); }
  workgroupBarrier();
  atomicAdd(&counted${name}, count);
  return bitcast<i32>(workgroupUniformLoad(&counted${name}));
}
`;
}

/** Prints the function that counts the characters of a word. */
export function printHeads({ name, word }: PrintedSpace): string {
  return `\
// The characters that begin in the word of a place, within the bytes [start, stop).
fn heads${name}(at: u32, start: u32, stop: u32) -> u32 {
  let bytes = ${word("(at >> 2u)")};
  var heads = (~(bytes >> 7u) | (bytes >> 6u)) & 0x01010101u;
  if (at < start) { heads &= 0xffffffffu << (8u * (start - at)); }
  if (at + 4u > stop) { heads &= 0xffffffffu >> (8u * (at + 4u - stop)); }
  return countOneBits(heads);
}
`;
}

/** Prints the function that counts the characters of 16 bytes; it calls that for words. */
export function printHeadsOfPart({ name, quad }: PrintedSpace): string {
  const atOnce = quad === undefined ? "" : `\
  if (part * 16u >= start && part * 16u + 16u <= stop) {
    let bytes = ${quad("part")};
    let heads = (~(bytes >> vec4<u32>(7u)) | (bytes >> vec4<u32>(6u))) & vec4<u32>(0x01010101u);
    // No byte of the sum is above 4.
    let sum = heads.x + heads.y + heads.z + heads.w;
    return (sum * 0x01010101u) >> 24u;
  }
`;
  return `
// The characters that begin in a part of 16 bytes, within the bytes [start, stop).
fn heads_of_part${name}(part: u32, start: u32, stop: u32) -> u32 {
${atOnce}  var count = 0u;
  for (var at = max(part * 16u, start & ~3u); at < min(part * 16u + 16u, stop); at += 4u) {
    count += heads${name}(at, start, stop);
  }
  return count;
}
`;
}

/** Bytes that the workgroup of a long row compares before it does so together. */
const NEAR_BYTES = 32;

/** Times four bytes that an invocation compares in one round at most. */
const MAX_REACH = 16;

/** Prints the bytes at any position of a space as a word; what lies behind may be anything. */
export function printFourBytes({ name, word }: PrintedSpace): string {
  return `
fn four_bytes${name}(at: u32) -> u32 {
  let skip = (at & 3u) * 8u;
  let low = ${word("(at >> 2u)")} >> skip;
  let high = ${word("(at >> 2u) + 1u")} << ((32u - skip) & 31u);
  return select(low | high, low, skip == 0u);
}
`;
}

/** Name of the function that compares texts of two spaces. */
function matchName(left: string, right: string): string {
  return `first_difference${left}_${right}`;
}

/** Prints the function. */
export function printMatch(left: string, right: string, steps: Steps | null): string {
  return `
${matchHead(left, right, steps)}  for (var at = first; at < size; at += 4u) {
${
    breakOutOfSteps(steps)
  }    let differs = four_bytes${left}(left + at) ^ four_bytes${right}(right + at);
    if (differs != 0u) { return min(size, at + (countTrailingZeros(differs) >> 3u)); }
  }
  return max(first, size);
}
`;
}

/** Prints the same for long rows, where all invocations of a workgroup call it. */
export function printMatchTogether(left: string, right: string, steps: Steps | null): string {
  return `
${matchHead(left, right, steps)}  var at = first;
  let near = min(size, first + ${NEAR_BYTES}u);
  for (; at < near; at += 4u) {
${addSteps(steps, "1u")}\
    let differs = four_bytes${left}(left + at) ^ four_bytes${right}(right + at);
    if (differs != 0u) { return min(size, at + (countTrailingZeros(differs) >> 3u)); }
  }
  begin_round(0xffffffffu);
  for (var reach = 1u; at < size; reach = min(reach * 2u, ${MAX_REACH}u)) {
${addStepsOrBreak(steps, "1u + reach")}    var nearest = 0xffffffffu;
    for (var k = 0u; k < reach; k++) {
      let place = at + (k * ${LONG_ROW_LANES}u + invocation) * 4u;
      if (place >= size) { break; }
      let differs = four_bytes${left}(left + place) ^ four_bytes${right}(right + place);
      if (differs != 0u) {
        nearest = place + (countTrailingZeros(differs) >> 3u);
        break;
      }
    }
    if (nearest != 0xffffffffu) { atomicMin(&nearest_hit, nearest); }
    let hit = workgroupUniformLoad(&nearest_hit);
    if (hit != 0xffffffffu) { return min(size, hit); }
    at += reach * ${4 * LONG_ROW_LANES}u;
  }
  return max(first, size);
}
`;
}

function matchHead(left: string, right: string, steps: Steps | null): string {
  return `\
// The first byte from \`first\` on in which two texts differ, or \`size\` if none of so many does.
fn ${matchName(left, right)}(left: u32, right: u32, first: u32, size: u32${
    steps?.parameter ?? ""
  }) -> u32 {
`;
}

/** Bytes of a part. */
const PART_BYTES = 64;

/** Bytes before a part by which the state is guessed. */
const GUESS_BYTES = 32;

/** Name of the function that follows a table through a column. */
function followName({ table, column }: Follow): string {
  return `follow_together${table}_${column}`;
}

/** Prints the workgroup memory that the functions share. */
export const FOLLOW_STATE = `
// The states in which each part was entered and left.
var<workgroup> entered: array<i32, ${LONG_ROW_LANES}>;
var<workgroup> left: array<i32, ${LONG_ROW_LANES}>;
// The state after the parts that were entered rightly, and how many these are.
var<workgroup> followed: vec2<i32>;
`;

/** Prints the function, which all invocations of a workgroup call. */
export function printFollow(follow: Follow, steps: Steps | null): string {
  const { table, column, firstOpen } = follow;
  const rounds = `${GUESS_BYTES + PART_BYTES + LONG_ROW_LANES}u`;
  const next = `own = table${table}(own + byte${column}(at));`;
  return `
// The state after the bytes [first, last), or a final one that is reached before. Those below
// ${firstOpen} are final.
fn ${followName(follow)}(state: i32, first: i32, last: i32${steps?.parameter ?? ""}) -> i32 {
  var current = state;
  var part = first;
  while (part < last && current >= ${firstOpen}) {
${addStepsOrBreak(steps, rounds)}    let start = min(last, part + i32(invocation) * ${PART_BYTES});
    let stop = min(last, start + ${PART_BYTES});
    var own = current;
    for (var at = max(part, start - ${GUESS_BYTES}); at < start; at++) { ${next} }
    entered[invocation] = own;
    for (var at = start; at < stop; at++) { ${next} }
    left[invocation] = own;
    workgroupBarrier();
    if (invocation == 0u) {
      let parts = min(${LONG_ROW_LANES}, (last - part + ${PART_BYTES - 1}) / ${PART_BYTES});
      var right = 0;
      own = current;
      for (; right < parts && entered[right] == own; right++) { own = left[right]; }
      followed = vec2<i32>(own, right);
    }
    let reached = workgroupUniformLoad(&followed);
    current = reached.x;
    part += reached.y * ${PART_BYTES};
  }
  return current;
}
`;
}
