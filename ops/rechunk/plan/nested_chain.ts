/**
 * Searches chains of nested grids between a source and a target: along every axis each grid divides
 * the next one or is divided by it, or the coarser of the two has the whole axis. The pieces between
 * two grids are then the chunks of one regular grid, so they are no more than that grid has chunks.
 *
 * Dynamic programming finds the chain with the fewest operations stage by stage, over the grids that
 * a stage can end with. Only the most promising grids are kept: those with the least sum of the
 * operations so far and the lower bound of the stages left.
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

/** The number of grids kept for each stage. */
const numKept = 400;
/** The approximate number of grids to examine for each stage. */
const numLooked = 8_000_000;

/** The greatest average number of reads of a source chunk, where chunks are read several times. */
export const mostSplits = 4;

/** The limits of a search besides memory. */
export interface SearchLimits {
  /** The least number of items of a piece. */
  readonly minItems: number;
  /** Whether chunks of the first grid may be shorter than those of the source, which repeats reads. */
  readonly splitsSource: boolean;
}

/** Searches chains for one set of limits. The candidates are computed by the first search. */
export class ChainSearch {
  readonly #limits: Limits;
  #axes: readonly AxisLengths[] = [];
  /** The order in which axes get their lengths: growing axes come first. */
  readonly #order: readonly number[];

  constructor(limits: Limits) {
    this.#limits = limits;
    const { shape, source, target } = limits;
    const all = shape.map((_, axis) => axis);
    const grows = (axis: number) => source[axis]! < target[axis]!;
    this.#order = [...all.filter(grows), ...all.filter((axis) => !grows(axis))];
  }

  /** Returns the `stages` + 1 grids of the best chain of `stages` stages; undefined without one. */
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

  /** Returns grids that can be read first. */
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

  /** Returns grids that a stage can end with, given the grids before it. */
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
