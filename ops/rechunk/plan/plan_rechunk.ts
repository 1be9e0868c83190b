/**
 * Plans how the chunks of an array become other chunks within limits of memory: see `planRechunk`.
 *
 * @module
 */

import { numChunks, product } from "../../../streams/chunks/grid.ts";
import { countChain, countOperations } from "./count_operations.ts";
import { directBox } from "./direct_box.ts";
import { type Limits, limitsOf, mostStages, sizeText } from "./limits.ts";
import { leastPieces } from "./lower_bound.ts";
import { ChainSearch, type SearchLimits } from "./nested_chain.ts";
import { planBytes, planSeconds } from "./plan_cost.ts";
import type { RechunkOptions, RechunkPlan } from "./rechunk_plan.ts";
import { leastOf, rechunkerChain } from "./rechunker_plan.ts";

/** Stages that are tried where their number is not given: as many as rechunker takes and two more. */
const moreStages = 2;

/**
 * Plans how to bring chunks of `source` to chunks of `target`. All grids of the plan nest, so that the
 * stores in between have regular grids too.
 *
 * No read, write or intermediate chunk has more than `maxMem` bytes, or less than `minMem` where the
 * array has that many. Without `stages` the plan of least cost is taken among those that have no more
 * operations than the plan of rechunker within the same limits. An array without items or axes takes
 * one direct copy.
 *
 * Throws a TypeError or RangeError for bad options, and a RangeError that names the limit where no
 * plan keeps to them.
 */
export function planRechunk(options: RechunkOptions): RechunkPlan {
  const limits = limitsOf(options);
  if (product(limits.shape) <= 1) return planOf(limits, [limits.target]);
  const { stages } = options;
  const known = rechunkerChain(limits);
  const { reads, writes } = countChain(limits.shape, limits.source, known, limits.target);
  const most = stages === undefined ? reads + writes : Infinity;
  const [least, last] = stages === undefined
    ? [0, Math.min(known.length - 1 + moreStages, mostStages)]
    : [stages, stages];
  const search = new ChainSearch(limits);
  let fewest: RechunkPlan | undefined;
  for (const splitsSource of [false, true]) {
    let best: RechunkPlan | undefined;
    for (let at = least; at <= last; at++) {
      if (best !== undefined && leastCost(limits, at) >= best.cost) break;
      const chain = chainOf(search, limits, at, { minItems: limits.minItems, splitsSource });
      if (chain === undefined) continue;
      const plan = planOf(limits, chain);
      const operations = plan.reads + plan.writes;
      if (fewest === undefined || operations < fewest.reads + fewest.writes) fewest = plan;
      if (operations <= most && (best === undefined || plan.cost < best.cost)) best = plan;
    }
    if (best !== undefined) return best;
  }
  if (fewest === undefined) throw noPlan(limits, stages === undefined ? "" : stagesText(stages));
  return fewest;
}

/** What a plan of so many stages costs at least. */
function leastCost(limits: Limits, stages: number): number {
  const { shape, source, target, itemsize } = limits;
  const ends = numChunks({ shape, chunk: source }) + numChunks({ shape, chunk: target });
  const bytes = planBytes(product(shape) * itemsize, stages);
  return planSeconds(ends + 2 * leastPieces(limits, stages), bytes);
}

function chainOf(
  search: ChainSearch,
  limits: Limits,
  stages: number,
  to: SearchLimits,
): readonly (readonly number[])[] | undefined {
  if (stages > 0) return search.find(stages, to);
  const box = directBox(limits, to);
  return box === undefined ? undefined : [box];
}

/** The plan of a chain of grids. */
function planOf(limits: Limits, chain: readonly (readonly number[])[]): RechunkPlan {
  const { shape, source, target, itemsize } = limits;
  const { reads, writes } = countChain(shape, source, chain, target);
  const stages = chain.slice(1).map((write, at) => {
    const read = chain[at]!;
    const operations = countOperations(shape, read, write);
    return { read, intermediate: leastOf(read, write), write, operations };
  });
  const bytes = planBytes(product(shape) * itemsize, stages.length);
  return {
    stages,
    ...(stages.length === 0 ? { direct: chain[0]! } : {}),
    reads,
    writes,
    bytes,
    lowerBound: leastPieces(limits, stages.length),
    peakMemory: Math.max(...chain.map(product)) * itemsize,
    cost: planSeconds(reads + writes, bytes),
  };
}

function noPlan({ minMem, maxMem }: Limits, stages: string): RangeError {
  return new RangeError(
    `No plan of ${stages} keeps all chunks between minMem of ${sizeText(minMem)} and maxMem of ` +
      `${sizeText(maxMem)}: lower minMem or raise maxMem`,
  );
}

function stagesText(stages: number): string {
  return stages === 0 ? "one pass" : stages === 1 ? "1 stage" : `${stages} stages`;
}
