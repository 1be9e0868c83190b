/**
 * Prints loops with a known idiom: those that count characters, compare texts, pass over bytes,
 * search, or follow states. A function call replaces such a loop.
 *
 * @module
 */

import type { ByteSets, SetSearches } from "./byte_sets.ts";
import { inlineNeedle, type Sought } from "./look.ts";
import { matchName } from "./match.ts";
import { localName, printScalar, printUnsigned, spaceName } from "./scalar.ts";
import type { Steps } from "./steps.ts";
import type { Count, Follow, Match, Seek, Skip, Stmt } from "../../../ir/ir.ts";

type Loop = Stmt & { do: "loop" };

/** Prints loops of a long row, which a workgroup runs together. */
export interface SharedLoopPrinter {
  /** Prints the place that a search finds. */
  seek(seek: Seek): string;
  /** Prints the lines that replace a loop which follows states. */
  follow(follow: Follow): string[];
}

/** Prints loops of rows that several lanes have marked; null for those without a mark. */
export interface MarkedLoopPrinter {
  /** Prints the number of characters. */
  count(loop: Loop, idiom: Count): string | null;
  /** Prints the byte at which a comparison starts. */
  firstOf(loop: Loop): string | null;
  /**
   * Prints the nearest place from one to another at which a needle may begin, or a byte of a set
   * is; the place is certain if `isInCode` holds.
   */
  place(loop: Loop, sought: Sought, from: string, last: string): string | null;
}

/** The helpers for the loops of a row. */
export interface LoopHelp {
  /** Null unless a workgroup computes a row. */
  readonly shared: SharedLoopPrinter | null;
  /** Null unless several lanes have marked the rows. */
  readonly marked: MarkedLoopPrinter | null;
  /** The sets of bytes that loops look for, and the searches for them without marks. */
  readonly sets: ByteSets;
  readonly setSearches: SetSearches;
}

/**
 * Prints the lines that replace a loop which counts characters, compares texts, or passes over
 * bytes that are not in a set; for long rows also one that searches or follows states, and for
 * marked rows one that searches. Returns null for other loops.
 */
export function printIdiom(loop: Loop, help: LoopHelp, steps: Steps | null): string[] | null {
  const { idiom } = loop;
  const { shared, marked } = help;
  const argument = steps?.argument ?? "";
  switch (idiom?.does) {
    case "count":
      return printCounting(idiom, marked?.count(loop, idiom) ?? countCall(idiom, argument));
    case "match":
      return [printMatching(idiom, marked?.firstOf(loop) ?? null, argument)];
    case "follow":
      return shared?.follow(idiom) ?? printResting(loop, idiom, help, steps);
    case "skip":
      return printSkipping(loop, idiom, help);
    case "seek": {
      const place = shared?.seek(idiom) ?? (inlineNeedle(idiom) &&
        marked?.place(loop, idiom, localName(idiom.at), printScalar(idiom.last)));
      return place == null ? null : [`${localName(idiom.at)} = ${place};`];
    }
    default:
      return null;
  }
}

/** The loop counts positions from `base`. */
function printSkipping(loop: Loop, { at, bound, base }: Skip, help: LoopHelp): string[] | null {
  const set = help.sets.stopsOf(loop);
  if (set === null) return null;
  const [place, start] = [localName(at), printScalar(base)];
  const [first, last] = [`(${start} + ${place})`, `(${start} + ${printScalar(bound)} - 1)`];
  const next = help.marked?.place(loop, set, first, last) ??
    help.setSearches.call(set, first, last);
  const from = base.op === "binary" ? `(${start})` : start;
  return [`${place} = ${next} - ${from};`];
}

/** In the state that most bytes lead back to, these bytes are skipped. */
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

function printCounting({ total, at, stop }: Count, call: string): string[] {
  const [sum, place] = [localName(total), localName(at)];
  return [`${sum} = ${sum} + ${call};`, `${place} = max(${place}, ${printScalar(stop)});`];
}

function countCall({ at, stop, column }: Count, argument: string): string {
  return `count_characters${column}(${localName(at)}, ${printScalar(stop)}${argument})`;
}

/** `mark` is a place before which texts are known to be equal. */
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
