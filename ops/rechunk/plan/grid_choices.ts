/**
 * Which grids a stage of a chain can end with.
 *
 * @module
 */

import { product } from "../../../streams/chunks/grid.ts";
import type { AxisLengths } from "./axis_lengths.ts";
import type { Limits } from "./limits.ts";

/** Lengths that are tried along the last axis where there are many grids: shorter ones make more pieces. */
const numLongest = 3;

/** What grids are chosen from. */
export interface GridChoice {
  readonly axes: readonly AxisLengths[];
  /** Places in the lengths of each axis, ascending. */
  readonly places: readonly (readonly number[])[];
  /** The order in which axes get their lengths. */
  readonly order: readonly number[];
  /** The grid that pieces are shared with. */
  readonly from: readonly number[];
  /** Items that pieces have at least. */
  readonly minItems: number;
  /** Stages after the one that ends with these grids. */
  readonly stagesLeft: number;
  /** How many grids may be looked at, about. */
  readonly most: number;
  /** Whether no grid of so many pieces is wanted. */
  readonly isTooMany?: (pieces: number) => boolean;
}

/**
 * Visits grids that fit into memory, can still become whole chunks of the target, and share pieces
 * with the grid before that are neither too small nor too many. They are given as places in the
 * lengths of each axis, in a list that is used again, and with the number of pieces.
 */
export function visitGrids(
  limits: Limits,
  choice: GridChoice,
  visit: (places: readonly number[], pieces: number) => void,
): void {
  const { shape, maxItems } = limits;
  const { axes, order, from, minItems, stagesLeft, isTooMany = () => false } = choice;
  const useful = choice.places.map((all, axis) => {
    const { ends } = axes[axis]!;
    return all.filter((place) => ends[stagesLeft]![place]! <= maxItems);
  });
  const choices = fewer(useful, axes, choice.most);
  const numLast = product(choices.map((all) => all.length)) > choice.most / 8
    ? numLongest
    : Infinity;
  // The least that the axes from one on take, in memory now and at the end, and the most they share.
  const last = order.length;
  const leastItems = Array<number>(last + 1).fill(1);
  const leastEnds = Array<number>(last + 1).fill(1);
  const mostShared = Array<number>(last + 1).fill(1);
  const leastPieces = Array<number>(last + 1).fill(1);
  for (let at = last - 1; at >= 0; at--) {
    const axis = order[at]!;
    const { lengths, ends } = axes[axis]!;
    if (choices[axis]!.length === 0) return;
    const least = Math.min(...choices[axis]!.map((place) => ends[stagesLeft]![place]!));
    leastItems[at] = leastItems[at + 1]! * lengths[choices[axis]![0]!]!;
    leastEnds[at] = leastEnds[at + 1]! * least;
    mostShared[at] = mostShared[at + 1]! * from[axis]!;
    leastPieces[at] = leastPieces[at + 1]! * Math.ceil(shape[axis]! / from[axis]!);
  }
  const chosen = choices.map(() => 0);
  const descend = (at: number, items: number, end: number, shared: number, pieces: number) => {
    if (at === last) return visit(chosen, pieces);
    const axis = order[at]!;
    const { lengths, ends } = axes[axis]!;
    const mine = choices[axis]!;
    let taken = 0;
    for (let index = mine.length - 1; index >= 0; index--) {
      const place = mine[index]!;
      const length = lengths[place]!;
      const allItems = items * length;
      if (allItems * leastItems[at + 1]! > maxItems) continue;
      const allEnds = end * ends[stagesLeft]![place]!;
      if (allEnds * leastEnds[at + 1]! > maxItems) continue;
      const least = Math.min(length, from[axis]!);
      const allShared = shared * least;
      const allPieces = pieces * Math.ceil(shape[axis]! / least);
      // Shorter ones share less, in more pieces.
      if (allShared * mostShared[at + 1]! < minItems) break;
      if (isTooMany(allPieces * leastPieces[at + 1]!)) break;
      chosen[axis] = place;
      descend(at + 1, allItems, allEnds, allShared, allPieces);
      if (at === last - 1 && ++taken === numLast) break;
    }
  };
  descend(0, 1, 1, 1, 1);
}

/**
 * Choices of which there are not many more than `most` together. Each axis with too many keeps those of
 * its lengths that nest with most others, spread evenly by their ratio.
 */
function fewer(
  choices: readonly (readonly number[])[],
  axes: readonly AxisLengths[],
  most: number,
): readonly (readonly number[])[] {
  const sizes = choices.map((places) => places.length).sort((a, b) => a - b);
  let left = most;
  let each = Infinity;
  for (const [at, size] of sizes.entries()) {
    each = Math.max(2, Math.floor(left ** (1 / (sizes.length - at))));
    if (size > each) break;
    left /= size;
    each = Infinity;
  }
  return choices.map((all, axis) => all.length <= each ? all : spread(all, axes[axis]!, each));
}

function spread(
  places: readonly number[],
  { lengths, next }: AxisLengths,
  count: number,
): readonly number[] {
  const first = Math.log(lengths[places[0]!]!);
  const range = Math.log(lengths[places.at(-1)!]!) - first;
  const best = new Map<number, number>();
  for (const place of places) {
    const part = Math.floor((Math.log(lengths[place]!) - first) / range * (count - 1));
    const known = best.get(part);
    if (known === undefined || next[place]!.length > next[known]!.length) best.set(part, place);
  }
  return [...best.values()].sort((a, b) => a - b);
}
