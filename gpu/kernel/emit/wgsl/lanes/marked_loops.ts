/**
 * Prints the loops of a row with marks, as `marks.ts` describes, and the functions that they call.
 *
 * @module
 */

import { isInCode, needleOf, printLook, type Sought } from "../print/look.ts";
import { MARKED_NEEDLE_BYTES, Marks, NOT_COUNTED, SEGMENTS } from "./marks.ts";
import { localName, type PrintedSpace, printScalar, printUnsigned } from "../print/scalar.ts";
import { breakOutOfSteps, type Steps } from "../print/steps.ts";
import type { Count, RowKernel, Space, Stmt } from "../../../ir/ir.ts";
import type { MarkedLoopPrinter } from "../print/idioms.ts";
import { binary } from "../../../ir/scalar.ts";

type Loop = Stmt & { do: "loop" };

/** The marked loops of a kernel after `foldKernel`. */
export class MarkedLoops implements MarkedLoopPrinter {
  readonly marks: Marks;
  readonly #steps: Steps | null;
  /** The searches by the number of their mark and their direction; each has a function. */
  readonly #seeks = new Map<string, Sought>();
  readonly #counted = new Set<number>();

  /** `steps` as in `BodyOptions`. */
  constructor(kernel: Pick<RowKernel, "body" | "columnTypes" | "tables">, steps: Steps | null) {
    this.marks = new Marks(kernel);
    this.#steps = steps;
  }

  /** Prints the declarations of the marks at the start of the row. */
  printReads(): string {
    return this.marks.list.map((_, k) => `  let mark${k} = marks[${k}u * params[0].x + index];\n`)
      .join("");
  }

  firstOf(loop: Loop): string | null {
    const number = this.marks.numberOf(loop);
    return number === null ? null : `mark${number}`;
  }

  count(loop: Loop, { column, at, stop }: Count): string | null {
    const number = this.marks.numberOf(loop);
    if (number === null) return null;
    this.#counted.add(column);
    const bounds = `start${column}, stop${column}`;
    return `count_marked${column}(${localName(at)}, ${
      printScalar(stop)
    }, ${bounds}, mark${number})`;
  }

  place(loop: Loop, sought: Sought, from: string, last: string): string | null {
    const number = this.marks.numberOf(loop);
    if (number === null) return null;
    const key = `${number} ${sought.backward}`;
    if (!this.#seeks.has(key)) this.#seeks.set(key, sought);
    const call = [...this.#seeks.keys()].indexOf(key);
    const { column } = sought;
    const args = [from, last, `start${column}`, `stop${column}`, `mark${number}`];
    if (sought.does !== "bytes" && !isInCode(sought)) {
      const { start, stop } = sought.needle;
      const size = printUnsigned(binary("-", stop, start));
      args.push(printUnsigned(start), `min(${size}, ${MARKED_NEEDLE_BYTES}u)`);
    }
    return `seek_marked${call}(${args.join(", ")})`;
  }

  /** Prints the functions. */
  print(spaceOf: (space: Space) => PrintedSpace): string {
    const seeks = [...this.#seeks.values()];
    const counts = [...this.#counted].map(printCountMarked);
    return (seeks.length > 0 ? SEGMENTS : "") + counts.join("") +
      seeks.map((seek, number) => this.#printSeek(seek, number, spaceOf)).join("");
  }

  #printSeek(sought: Sought, number: number, spaceOf: (space: Space) => PrintedSpace): string {
    const steps = this.#steps;
    const round = steps === null ? "" : `    ${steps.count} += ${MARKED_NEEDLE_BYTES / 4}u;\n`;
    const drive = sought.backward ? printBackward : printForward;
    return printLook(sought, number, spaceOf, round) + drive(sought, number, steps);
  }
}

const BOUNDS = "row_start: i32, row_stop: i32";

function printForward(sought: Sought, number: number, steps: Steps | null): string {
  const { parameters, args } = needleOf(sought);
  return `
// The first place from \`first\` to \`last\` at which it is, or one after \`last\`.
fn seek_marked${number}(first: i32, last: i32, ${BOUNDS}, segments: u32${parameters}) -> i32 {
  if (last < first) { return first; }
${printHead("first", "last")}\
  for (var part = lowest >> 4u; part <= highest >> 4u;) {
${breakOutOfSteps(steps)}    let segment = (part - origin) >> shift;
    let ahead = segments >> segment;
    if (ahead == 0u) { break; }
    part = max(part, origin + ((segment + countTrailingZeros(ahead)) << shift));
    let place = look${number}(part, lowest, highest${args});
    if (place != 0xffffffffu) { return bitcast<i32>(place); }
    part++;
  }
  return last + 1;
}
`;
}

function printBackward(sought: Sought, number: number, steps: Steps | null): string {
  const { parameters, args } = needleOf(sought);
  return `
// The last place from \`first\` down to \`last\` at which it is, or one before \`last\`.
fn seek_marked${number}(first: i32, last: i32, ${BOUNDS}, segments: u32${parameters}) -> i32 {
  if (first < last) { return first; }
${printHead("last", "first")}\
  // Parts up to the one that is looked at next.
  for (var part = (highest >> 4u) + 1u; part > lowest >> 4u;) {
${breakOutOfSteps(steps)}    let segment = (part - 1u - origin) >> shift;
    let behind = segments << (31u - segment);
    if (behind == 0u) { break; }
    part = min(part, origin + ((segment + 1u - countLeadingZeros(behind)) << shift)) - 1u;
    let place = look${number}(part, lowest, highest${args});
    if (place != 0xffffffffu) { return bitcast<i32>(place); }
  }
  return last - 1;
}
`;
}

function printHead(lowest: string, highest: string): string {
  return `\
  let lowest = bitcast<u32>(${lowest});
  let highest = bitcast<u32>(${highest});
  let origin = bitcast<u32>(row_start) >> 4u;
  let shift = segment_shift(bitcast<u32>(row_start), bitcast<u32>(row_stop));
`;
}

/** If a text has as many characters as bytes, so has every part of it. */
function printCountMarked(column: number): string {
  return `
fn count_marked${column}(start: i32, stop: i32, ${BOUNDS}, characters: u32) -> i32 {
  if (characters == bitcast<u32>(row_stop - row_start)) { return max(0, stop - start); }
  if (characters != ${NOT_COUNTED} && start == row_start && stop == row_stop) {
    return bitcast<i32>(characters);
  }
  return count_characters${column}(start, stop);
}
`;
}
