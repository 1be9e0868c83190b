/**
 * Chooses the chain of grids of a plan.
 *
 * @module
 */

import { numChunks, product } from "../../../streams/formats/zarr/grid/grid.ts";
import { countChain } from "./count_operations.ts";
import { directBox } from "./direct_box.ts";
import { type Limits, mostStages } from "./limits.ts";
import { leastPieces } from "./lower_bound.ts";
import { ChainSearch } from "./nested_chain.ts";
import { planBytes, planSeconds } from "./plan_cost.ts";
import { leastShared, rechunkerChain } from "./rechunker_plan.ts";

/** The grids of the boxes that are buffered on the way from the source to the target. */
export type Chain = readonly (readonly number[])[];

/** The number of stages to try beyond rechunker's, where the number of stages is not given. */
const moreStages = 2;

interface Found {
  readonly chain: Chain;
  readonly operations: number;
  readonly cost: number;
}

/**
 * Returns the chain of least cost that has no more operations than rechunker's within the same limits,
 * with `stages` stages where they are given. There are three kinds of chains; one is used only where
 * the kinds before it have no such chain:
 *
 * 1. Nested grids, the first of which has no shorter chunks than the source.
 * 2. Nested grids that read chunks of the source several times.
 * 3. Rechunker's own grids, where they respect `minMem`.
 *
 * Where rechunker's pieces are smaller than `minMem`, a nested chain that respects it may take more
 * operations. Returns undefined if no chain was found.
 */
export function bestChain(limits: Limits, stages: number | undefined): Chain | undefined {
  const known = stages === 0 ? undefined : rechunkerChain(limits, stages);
  const most = known === undefined ? Infinity : operationsOf(limits, known);
  const first = stages ?? 0;
  const last = stages ?? mostStages;
  const lastTried = stages ?? known!.length - 1 + moreStages;
  const search = new ChainSearch(limits);
  let fewest: Found | undefined;
  for (const splitsSource of [false, true]) {
    let best: Found | undefined;
    for (let count = first; count <= last; count++) {
      // Beyond that, continue only while every additional stage is an improvement.
      if (count > lastTried && best?.chain.length !== count) break;
      if (best !== undefined && leastCost(limits, count, splitsSource) >= best.cost) break;
      const found = nestedChain(limits, search, count, splitsSource);
      if (found === undefined) continue;
      if (fewest === undefined || found.operations < fewest.operations) fewest = found;
      if (found.operations > most) continue;
      if (best === undefined || found.cost < best.cost) best = found;
    }
    if (best !== undefined) return best.chain;
  }
  const isKnownGood = known !== undefined && leastShared(known) >= limits.minItems;
  return isKnownGood ? known : fewest?.chain;
}

function nestedChain(
  limits: Limits,
  search: ChainSearch,
  stages: number,
  splitsSource: boolean,
): Found | undefined {
  const to = { minItems: limits.minItems, splitsSource };
  const box = stages === 0 ? directBox(limits, to) : undefined;
  const chain = stages === 0 ? box && [box] : search.find(stages, to);
  if (chain === undefined) return undefined;
  const operations = operationsOf(limits, chain);
  return { chain, operations, cost: planSeconds(operations, bytesOf(limits, stages)) };
}

/** Returns the least cost of a chain with a number of stages. */
function leastCost(limits: Limits, stages: number, splitsSource: boolean): number {
  const { shape, source, target } = limits;
  const ends = numChunks({ shape, chunk: source }) + numChunks({ shape, chunk: target });
  const operations = ends + 2 * leastPieces(limits, stages, splitsSource);
  return planSeconds(operations, bytesOf(limits, stages));
}

function operationsOf({ shape, source, target }: Limits, chain: Chain): number {
  const { reads, writes } = countChain(shape, source, chain, target);
  return reads + writes;
}

function bytesOf({ shape, itemsize }: Limits, stages: number): number {
  return planBytes(product(shape) * itemsize, stages);
}
