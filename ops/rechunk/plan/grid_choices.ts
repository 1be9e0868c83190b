/**
 * Visits the grids that a stage of a chain can end with.
 *
 * @module
 */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import type { AxisLengths } from "./axis_lengths.ts";
import type { Limits } from "./limits.ts";

/** The number of lengths to try on the last axis where grids are many: the longest make fewest pieces. */
const numLongest = 3;

/** The grids to choose from, and their limits. */
interface GridChoice {
  readonly axes: readonly AxisLengths[];
  /** The indices of the candidate lengths of each axis, ascending. */
  readonly places: readonly (readonly number[])[];
  /** The order in which axes get a length. */
  readonly order: readonly number[];
  /** The grid before, with which pieces are shared. */
  readonly from: readonly number[];
  /** The least number of items of a piece. */
  readonly minItems: number;
  /** The number of stages after the one that ends with these grids. */
  readonly stagesLeft: number;
  /** The approximate number of grids to examine. */
  readonly most: number;
  /** Whether grids with this number of pieces are excluded. Default: none are. */
  readonly isTooMany?: (pieces: number) => boolean;
}

/**
 * Visits grids that fit into memory, can still lead to whole chunks of the target, and have pieces in
 * common with the grid before that are neither too small nor too many. A grid is passed as indices into
 * the lengths of each axis, in a list that is reused, with its number of pieces.
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
  if (useful.some((all) => all.length === 0)) return;
  const choices = fewer(useful, axes, choice.most);
  const isMany = product(choices.map((all) => all.length)) > choice.most / 8;
  const rests = restsOf(limits, choice, choices);
  const chosen = choices.map(() => 0);
  const choose = (at: number, items: number, end: number, shared: number, pieces: number) => {
    if (at === order.length) return visit(chosen, pieces);
    const axis = order[at]!;
    const rest = rests[at]!;
    const { lengths, ends } = axes[axis]!;
    const mine = choices[axis]!;
    let taken = 0;
    for (let index = mine.length - 1; index >= 0; index--) {
      const place = mine[index]!;
      const length = lengths[place]!;
      const allItems = items * length;
      const allEnds = end * ends[stagesLeft]![place]!;
      if (allItems * rest.items > maxItems || allEnds * rest.ends > maxItems) continue;
      const least = Math.min(length, from[axis]!);
      const allShared = shared * least;
      const allPieces = pieces * Math.ceil(shape[axis]! / least);
      // Shorter lengths make smaller and more pieces.
      if (allShared * rest.shared < minItems || isTooMany(allPieces * rest.pieces)) break;
      chosen[axis] = place;
      choose(at + 1, allItems, allEnds, allShared, allPieces);
      if (isMany && at === order.length - 1 && ++taken === numLongest) break;
    }
  };
  choose(0, 1, 1, 1, 1);
}

/** The best values that the remaining axes can contribute. */
interface Rest {
  /** The least number of items of a grid. */
  readonly items: number;
  /** The least number of items of the grid that a chain ends with. */
  readonly ends: number;
  /** The greatest number of items of a piece. */
  readonly shared: number;
  /** The least number of pieces. */
  readonly pieces: number;
}

/** Returns for each axis, in their order, the contribution of those after it. */
function restsOf(
  { shape }: Limits,
  { axes, order, from, stagesLeft }: GridChoice,
  choices: readonly (readonly number[])[],
): Rest[] {
  let rest: Rest = { items: 1, ends: 1, shared: 1, pieces: 1 };
  const rests: Rest[] = [];
  for (let at = order.length - 1; at >= 0; at--) {
    rests[at] = rest;
    const axis = order[at]!;
    const { lengths, ends } = axes[axis]!;
    const shortest = Math.min(...choices[axis]!.map((place) => ends[stagesLeft]![place]!));
    rest = {
      items: rest.items * lengths[choices[axis]![0]!]!,
      ends: rest.ends * shortest,
      shared: rest.shared * from[axis]!,
      pieces: rest.pieces * Math.ceil(shape[axis]! / from[axis]!),
    };
  }
  return rests;
}

/**
 * Reduces choices to about `most` combinations. Each axis with too many keeps the lengths that nest
 * with most others, spread evenly by their ratio.
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
