/**
 * Chains of grids between a source and a target that nest: along every axis each grid divides the
 * next one or is divided by it, or the coarser of both has the whole axis. Then the pieces between two
 * grids are the chunks of one regular grid, and there are no more of them than that grid has chunks.
 *
 * The chain with the fewest operations is found stage by stage, by dynamic programming over the grids
 * that a stage can end with. Only the most promising are kept: those of the least operations so far
 * and the least that the other stages can take.
 *
 * @module
 */

import { numChunks, product } from "../../../streams/chunks/grid.ts";
import { type AxisLengths, axisLengths } from "./axis_lengths.ts";
import { countOperations } from "./count_operations.ts";
import type { Limits } from "./limits.ts";

/** Grids kept for each stage. */
const numKept = 400;
/** Grids that are looked at for each stage, about. */
const numLooked = 8_000_000;

/** Times that chunks of the source are read at most, on average, where they are read several times. */
export const mostSplits = 4;

/** What a search is to keep to besides the limits of memory. */
export interface SearchLimits {
  /** Items that pieces have at least. */
  readonly minItems: number;
  /** Whether the first grid may have shorter chunks than the source, which are then read several times. */
  readonly splitsSource: boolean;
}

/** A grid that a stage can end with. */
interface Node {
  /** Places in the lengths of each axis. */
  readonly places: readonly number[];
  /** Operations so far, counted once for reading and once for writing. */
  readonly operations: number;
  /** These and the least that the stages to come can take. */
  readonly estimate: number;
  readonly before: Node | undefined;
}

/** Searches chains for one set of limits. */
export class ChainSearch {
  readonly #limits: Limits;
  readonly #axes: readonly AxisLengths[];
  /** Axes by the order in which lengths are chosen: those that grow come first. */
  readonly #order: readonly number[];
  readonly #grows: readonly boolean[];
  readonly #shrinkingItems: number;

  constructor(limits: Limits) {
    this.#limits = limits;
    const { shape, source, target } = limits;
    this.#axes = shape.map((_, axis) => axisLengths(limits, axis));
    this.#grows = shape.map((_, axis) => source[axis]! < target[axis]!);
    const places = shape.map((_, axis) => axis);
    this.#order = [
      ...places.filter((axis) => this.#grows[axis]),
      ...places.filter((axis) => !this.#grows[axis]),
    ];
    this.#shrinkingItems = product(shape.filter((_, axis) => !this.#grows[axis]));
  }

  /** The grids of the best chain of `stages` stages, one more than that; undefined if none was found. */
  find(stages: number, search: SearchLimits): number[][] | undefined {
    let nodes = this.#first(stages, search);
    for (let stage = 1; stage <= stages; stage++) {
      nodes = this.#next(nodes, stages - stage, search);
    }
    let best: Node | undefined;
    for (const node of nodes) {
      if (best === undefined || node.operations < best.operations) best = node;
    }
    const chain: number[][] = [];
    for (let node = best; node !== undefined; node = node.before) {
      chain.unshift(this.#grid(node.places));
    }
    return best === undefined ? undefined : chain;
  }

  #grid(places: readonly number[]): number[] {
    return places.map((place, axis) => this.#axes[axis]!.lengths[place]!);
  }

  /** Grids that can be read first. */
  #first(stages: number, { minItems, splitsSource }: SearchLimits): Node[] {
    const { shape, source } = this.#limits;
    const kept = new Kept(numKept);
    const most = splitsSource ? mostSplits * numChunks({ shape, chunk: source }) : Infinity;
    const choices = this.#axes.map(({ lengths }, axis) =>
      places(lengths).filter((place) => splitsSource || lengths[place]! >= source[axis]!)
    );
    this.#choose(
      { choices, from: shape, minItems, stagesLeft: stages, most: numLooked / 4 },
      (at) => {
        const grid = this.#grid(at);
        const operations = countOperations(shape, source, grid);
        if (operations > most) return;
        const estimate = operations + this.#leastAfter(grid, stages);
        if (estimate < kept.worst) {
          kept.add({ places: [...at], operations, estimate, before: undefined });
        }
      },
    );
    return kept.nodes();
  }

  /** Grids that a stage can end with after those before it. */
  #next(nodes: readonly Node[], stagesLeft: number, { minItems }: SearchLimits): Node[] {
    const kept = new Kept(numKept);
    const most = numLooked / nodes.length;
    for (const before of nodes) {
      const from = this.#grid(before.places);
      const choices = this.#axes.map(({ next }, axis) => next[before.places[axis]!]!);
      const isTooMany = (pieces: number) => before.operations + 2 * pieces >= kept.worst;
      this.#choose({ choices, from, minItems, stagesLeft, most, isTooMany }, (at, pieces) => {
        const operations = before.operations + 2 * pieces;
        const estimate = operations + this.#leastAfter(this.#grid(at), stagesLeft);
        if (estimate < kept.worst) kept.add({ places: [...at], operations, estimate, before });
      });
    }
    return kept.nodes();
  }

  /**
   * Visits choices of a length for every axis that fit into memory, can still become whole chunks of
   * the target, and share pieces with the grid before that are neither too small nor too many. Of the
   * last axis only the longest ones are taken: shorter ones make more pieces.
   */
  #choose(choice: Choice, visit: (places: readonly number[], pieces: number) => void): void {
    const { shape, maxItems } = this.#limits;
    const { from, minItems, stagesLeft, isTooMany = () => false } = choice;
    const order = this.#order;
    const useful = choice.choices.map((all, axis) => {
      const { ends } = this.#axes[axis]!;
      return all.filter((place) => ends[stagesLeft]![place]! <= maxItems);
    });
    const choices = fewer(useful, this.#axes, choice.most);
    // The least that the axes from one on take, in memory now and at the end, and the most they share.
    const last = order.length;
    const leastItems = Array<number>(last + 1).fill(1);
    const leastEnds = Array<number>(last + 1).fill(1);
    const mostShared = Array<number>(last + 1).fill(1);
    const leastPieces = Array<number>(last + 1).fill(1);
    for (let at = last - 1; at >= 0; at--) {
      const axis = order[at]!;
      const { lengths, ends } = this.#axes[axis]!;
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
      const { lengths, ends } = this.#axes[axis]!;
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
        if (at === last - 1 && ++taken === 3) break;
      }
    };
    descend(0, 1, 1, 1, 1);
  }

  /**
   * The least that the stages after a grid take. What two neighbours share is at most what the one has
   * along the growing axes times what the other has along the shrinking ones, and no grid has more than
   * `maxItems`: so the product of all counts is bounded, and their sum by the mean.
   */
  #leastAfter(grid: readonly number[], stagesLeft: number): number {
    if (stagesLeft === 0) return 0;
    const { shape, target, maxItems } = this.#limits;
    let growing = 1;
    let items = 1;
    let mustGrow = 1;
    for (let axis = 0; axis < shape.length; axis++) {
      items *= shape[axis]!;
      if (!this.#grows[axis]) continue;
      growing *= Math.ceil(shape[axis]! / grid[axis]!);
      mustGrow *= Math.max(grid[axis]!, target[axis]!);
    }
    const widest = Math.max(1, Math.min(Math.floor(maxItems / mustGrow), this.#shrinkingItems));
    const all = growing * this.#shrinkingItems / widest * (items / maxItems) ** (stagesLeft - 1);
    return 2 * stagesLeft * all ** (1 / stagesLeft);
  }
}

/** What `#choose` chooses from. */
interface Choice {
  /** Places in the lengths of each axis, ascending. */
  readonly choices: readonly (readonly number[])[];
  /** The grid that pieces are shared with. */
  readonly from: readonly number[];
  readonly minItems: number;
  readonly stagesLeft: number;
  /** How many choices may be looked at, about. */
  readonly most: number;
  readonly isTooMany?: (pieces: number) => boolean;
}

function places(lengths: readonly number[]): number[] {
  return lengths.map((_, place) => place);
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

/** The best nodes of a stage, one for each grid. */
class Kept {
  readonly #most: number;
  readonly #byGrid = new Map<string, Node>();
  /** What a node has to be better than. */
  worst = Infinity;

  constructor(most: number) {
    this.#most = most;
  }

  add(node: Node): void {
    const key = node.places.join();
    const known = this.#byGrid.get(key);
    if (known !== undefined && known.operations <= node.operations) return;
    this.#byGrid.set(key, node);
    if (this.#byGrid.size >= 2 * this.#most) this.#trim();
  }

  nodes(): Node[] {
    this.#trim();
    return [...this.#byGrid.values()];
  }

  #trim(): void {
    const sorted = [...this.#byGrid].sort(([, a], [, b]) => a.estimate - b.estimate);
    if (sorted.length > this.#most) this.worst = sorted[this.#most - 1]![1].estimate;
    this.#byGrid.clear();
    for (const [key, node] of sorted.slice(0, this.#most)) this.#byGrid.set(key, node);
  }
}
