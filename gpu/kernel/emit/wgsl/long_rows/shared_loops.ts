/**
 * Prints the searches of a workgroup that computes one row. They read 16 bytes of the text at a
 * time, for the places that begin in them. All invocations read the first few parts, so that a
 * close hit needs no barrier. Then each invocation takes every 64th part, and an atomic minimum
 * finds the nearest hit. The first round takes one part of each invocation, later ones up to 16: a
 * distant hit needs few barriers for its distance.
 *
 * All invocations have to reach a search with the same values. They do, since they compute the same
 * row: `workgroupUniformLoad` returns the same hit to all of them.
 *
 * @module
 */

import { inlineNeedle, needleOf, printLook } from "../print/look.ts";
import { LONG_ROW_LANES } from "../print/pass.ts";
import { addSteps, addStepsOrBreak, type Steps } from "../print/steps.ts";
import {
  localName,
  type PrintedSpace,
  printScalar,
  printUnsigned,
  spaceName,
} from "../print/scalar.ts";
import type { SharedLoopPrinter } from "../print/idioms.ts";
import { printFollowing } from "./follow.ts";
import type { Follow, Seek, Space } from "../../../ir/ir.ts";
import { binary } from "../../../ir/scalar.ts";

/** The parts of 16 bytes that all invocations read. */
const NEAR_PARTS = 2;

/** The most parts of an invocation in one round. */
const MAX_REACH = 16;

/** The loops of a kernel; equal searches share a function. */
export class SharedLoops implements SharedLoopPrinter {
  readonly #seeks = new Map<string, Seek>();
  readonly #steps: Steps | null;

  /** `steps` as in `BodyOptions`. */
  constructor(steps: Steps | null) {
    this.#steps = steps;
  }

  seek(seek: Seek): string {
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

  follow(follow: Follow): string[] {
    return printFollowing(follow, this.#steps?.argument ?? "");
  }

  /** Prints the functions of the searches. */
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
  const drive = seek.backward ? printBackward : printForward;
  return printLook(seek, number, spaceOf) + drive(seek, number, steps);
}

/** Returns the rounds of loops for 16 bytes. */
function partRounds(seek: Seek): string {
  const known = inlineNeedle(seek);
  if (known === null) return "(17u + 16u * (min(size, 0x10000u) >> 2u))";
  return known.length > 4 ? "17u" : "1u";
}

function printSteps(seek: Seek, steps: Steps | null): string {
  return addStepsOrBreak(steps, `1u + reach * ${partRounds(seek)}`);
}

function printNearSteps(seek: Seek, steps: Steps | null): string {
  return addSteps(steps, partRounds(seek));
}

function printForward(seek: Seek, number: number, steps: Steps | null): string {
  const { parameters, args } = needleOf(seek);
  return `
// The first place from \`first\` to \`last\` at which the needle starts, or one after \`last\`.
fn seek_together${number}(first: i32, last: i32${parameters}${steps?.parameter ?? ""}) -> i32 {
  if (last < first) { return first; }
  let lowest = bitcast<u32>(first);
  let highest = bitcast<u32>(last);
  var part = lowest >> 4u;
  let far = min(part + ${NEAR_PARTS}u, (highest >> 4u) + 1u);
  for (; part < far; part++) {
${printNearSteps(seek, steps)}    let place = look${number}(part, lowest, highest${args});
    if (place != 0xffffffffu) { return bitcast<i32>(place); }
  }
  begin_round(0xffffffffu);
  for (var reach = 1u; part * 16u <= highest; reach = min(reach * 2u, ${MAX_REACH}u)) {
${printSteps(seek, steps)}    var nearest = 0xffffffffu;
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

function printBackward(seek: Seek, number: number, steps: Steps | null): string {
  const { parameters, args } = needleOf(seek);
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
${printNearSteps(seek, steps)}    let place = look${number}(part - 1u, lowest, highest${args});
    if (place != 0xffffffffu) { return bitcast<i32>(place); }
  }
  begin_round(0u);
  for (var reach = 1u; part * 16u > lowest; reach = min(reach * 2u, ${MAX_REACH}u)) {
${printSteps(seek, steps)}    var nearest = 0u;
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
