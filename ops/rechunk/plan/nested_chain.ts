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

import { product } from "../../../streams/chunks/grid.ts";
import { type AxisLengths, axisLengths } from "./axis_lengths.ts";
import { countOperations } from "./count_operations.ts";
import type { Limits } from "./limits.ts";

/** Grids kept for each stage. */
const numKept = 400;

/** What a search is to keep to besides the limits of memory. */
export interface SearchLimits {
  /** Items that pieces have at least. */
  readonly minItems: number;
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
    const moving = shape.filter((length) => length > 1).length;
    const most = moving <= 3 ? 2000 : moving === 4 ? 60 : 24;
    this.#axes = shape.map((_, axis) => axisLengths(limits, axis, most));
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
    let nodes = this.#first(stages);
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

  /** Grids that can be read first: no shorter than chunks of the source. */
  #first(stages: number): Node[] {
    const { shape, source, maxItems } = this.#limits;
    const kept = new Kept(numKept);
    const choices = this.#axes.map(({ lengths, wholeTargets }, axis) =>
      lengths.flatMap((length, place) =>
        length >= source[axis]! && (stages > 0 || wholeTargets[place]) ? [place] : []
      )
    );
    this.#choose(choices, maxItems, (places) => {
      const grid = this.#grid(places);
      const operations = countOperations(shape, source, grid);
      const estimate = operations + this.#leastAfter(grid, stages);
      kept.add({ places: [...places], operations, estimate, before: undefined });
    });
    return kept.nodes();
  }

  #next(nodes: readonly Node[], stagesLeft: number, { minItems }: SearchLimits): Node[] {
    const { shape, maxItems } = this.#limits;
    const kept = new Kept(numKept);
    for (const before of nodes) {
      const from = this.#grid(before.places);
      const choices = this.#axes.map(({ next, wholeTargets }, axis) => {
        const all = next[before.places[axis]!]!;
        return stagesLeft > 0 ? all : all.filter((place) => wholeTargets[place]);
      });
      this.#choose(choices, maxItems, (places) => {
        let items = 1;
        let pieces = 1;
        for (let axis = 0; axis < shape.length; axis++) {
          const least = Math.min(from[axis]!, this.#axes[axis]!.lengths[places[axis]!]!);
          items *= least;
          pieces *= Math.ceil(shape[axis]! / least);
        }
        if (items < minItems) return;
        const operations = before.operations + 2 * pieces;
        if (operations >= kept.worst) return;
        const estimate = operations + this.#leastAfter(this.#grid(places), stagesLeft);
        if (estimate < kept.worst) kept.add({ places: [...places], operations, estimate, before });
      });
    }
    return kept.nodes();
  }

  /**
   * Visits choices of a length for every axis whose product fits. Of the last axis only the longest
   * ones are taken: shorter ones make more pieces.
   */
  #choose(
    choices: readonly (readonly number[])[],
    maxItems: number,
    visit: (places: readonly number[]) => void,
  ): void {
    const order = this.#order;
    const places = choices.map(() => 0);
    // The least that the axes after one take.
    const rest: number[] = [];
    for (let at = order.length - 1, items = 1; at >= 0; at--) {
      rest[at] = items;
      const axis = order[at]!;
      if (choices[axis]!.length === 0) return;
      items *= this.#axes[axis]!.lengths[choices[axis]![0]!]!;
    }
    const descend = (at: number, items: number) => {
      if (at === order.length) return visit(places);
      const axis = order[at]!;
      const { lengths } = this.#axes[axis]!;
      const mine = choices[axis]!;
      const room = maxItems / items / rest[at]!;
      let taken = 0;
      for (let index = mine.length - 1; index >= 0; index--) {
        const length = lengths[mine[index]!]!;
        if (length > room) continue;
        places[axis] = mine[index]!;
        descend(at + 1, items * length);
        if (at === order.length - 1 && ++taken === 3) break;
      }
    };
    descend(0, 1);
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
