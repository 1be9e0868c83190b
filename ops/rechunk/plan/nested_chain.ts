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

import { numChunks } from "../../../streams/formats/zarr/grid/grid.ts";
import { type AxisLengths, axisLengths } from "./axis_lengths.ts";
import { BestNodes, type ChainNode } from "./best_nodes.ts";
import { countOperations } from "./count_operations.ts";
import { visitGrids } from "./grid_choices.ts";
import type { Limits } from "./limits.ts";
import { leastPiecesAfter } from "./lower_bound.ts";

/** Grids kept for each stage. */
const numKept = 400;
/** Grids that are looked at for each stage, about. */
const numLooked = 8_000_000;

/** Times that chunks of the source are read at most, on average, where they are read several times. */
export const mostSplits = 4;

/** The limits of a search besides those of memory. */
export interface SearchLimits {
  /** Items that pieces have at least. */
  readonly minItems: number;
  /** Whether the first grid may have shorter chunks than the source, which are then read several times. */
  readonly splitsSource: boolean;
}

/** Searches chains for one set of limits. Nothing is done before the first search. */
export class ChainSearch {
  readonly #limits: Limits;
  #axes: readonly AxisLengths[] = [];
  /** Axes by the order in which lengths are chosen: those that grow come first. */
  readonly #order: readonly number[];

  constructor(limits: Limits) {
    this.#limits = limits;
    const { shape, source, target } = limits;
    const all = shape.map((_, axis) => axis);
    const grows = (axis: number) => source[axis]! < target[axis]!;
    this.#order = [...all.filter(grows), ...all.filter((axis) => !grows(axis))];
  }

  /** The grids of the best chain of `stages` stages, one more than that; undefined if none was found. */
  find(stages: number, search: SearchLimits): number[][] | undefined {
    if (this.#axes.length === 0) {
      this.#axes = this.#order.map((_, axis) => axisLengths(this.#limits, axis));
    }
    let nodes = this.#first(stages, search);
    for (let stage = 1; stage <= stages; stage++) {
      nodes = this.#next(nodes, stages - stage, search);
    }
    let best: ChainNode | undefined;
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
  #first(stages: number, { minItems, splitsSource }: SearchLimits): ChainNode[] {
    const { shape, source } = this.#limits;
    const kept = new BestNodes(numKept);
    const most = splitsSource ? mostSplits * numChunks({ shape, chunk: source }) : Infinity;
    const places = this.#axes.map(({ lengths }, axis) =>
      lengths.flatMap((length, place) => splitsSource || length >= source[axis]! ? [place] : [])
    );
    const choice = { axes: this.#axes, order: this.#order, places, minItems, stagesLeft: stages };
    visitGrids(this.#limits, { ...choice, from: shape, most: numLooked / 4 }, (places) => {
      const grid = this.#grid(places);
      const operations = countOperations(shape, source, grid);
      if (operations > most) return;
      const estimate = operations + 2 * leastPiecesAfter(this.#limits, grid, stages);
      if (estimate >= kept.worst) return;
      kept.add({ places: [...places], operations, estimate, before: undefined });
    });
    return kept.nodes();
  }

  /** Grids that a stage can end with after those before it. */
  #next(
    nodes: readonly ChainNode[],
    stagesLeft: number,
    { minItems }: SearchLimits,
  ): ChainNode[] {
    const limits = this.#limits;
    const kept = new BestNodes(numKept);
    const choice = { axes: this.#axes, order: this.#order, minItems, stagesLeft };
    const most = numLooked / nodes.length;
    for (const before of nodes) {
      const from = this.#grid(before.places);
      const places = this.#axes.map(({ next }, axis) => next[before.places[axis]!]!);
      const isTooMany = (pieces: number) => before.operations + 2 * pieces >= kept.worst;
      visitGrids(limits, { ...choice, places, from, most, isTooMany }, (places, pieces) => {
        const operations = before.operations + 2 * pieces;
        const left = leastPiecesAfter(limits, this.#grid(places), stagesLeft);
        const estimate = operations + 2 * left;
        if (estimate < kept.worst) kept.add({ places: [...places], operations, estimate, before });
      });
    }
    return kept.nodes();
  }
}
