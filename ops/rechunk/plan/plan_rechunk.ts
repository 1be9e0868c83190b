/**
 * Plans how the chunks of an array become other chunks within limits of memory: see `planRechunk`.
 *
 * @module
 */

import { product } from "../../../streams/chunks/grid.ts";
import { countChain, countOperations } from "./count_operations.ts";
import { directBox } from "./direct_box.ts";
import { type Limits, limitsOf, sizeText } from "./limits.ts";
import { leastPieces } from "./lower_bound.ts";
import { ChainSearch } from "./nested_chain.ts";
import { planBytes, planSeconds } from "./plan_cost.ts";
import type { RechunkOptions, RechunkPlan } from "./rechunk_plan.ts";
import { leastOf, rechunkerChain } from "./rechunker_plan.ts";

/** Stages that are tried where their number is not given. */
const mostStages = 8;

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
  const search = new ChainSearch(limits);
  const { minItems } = limits;
  if (options.stages !== undefined) {
    const chain = chainOf(search, limits, options.stages, minItems);
    if (chain === undefined) throw noPlan(limits, `of ${stagesText(options.stages)}`);
    return planOf(limits, chain);
  }
  const known = countChain(limits.shape, limits.source, rechunkerChain(limits), limits.target);
  const most = known.reads + known.writes;
  let best: RechunkPlan | undefined;
  const isBetter = (plan: RechunkPlan) => {
    if (best === undefined) return true;
    const [mine, others] = [plan, best].map(({ reads, writes }) => Math.max(reads + writes, most));
    return mine === others ? plan.cost < best.cost : mine! < others!;
  };
  for (let stages = 0; stages <= mostStages; stages++) {
    const chain = chainOf(search, limits, stages, minItems);
    if (chain === undefined) continue;
    const plan = planOf(limits, chain);
    if (isBetter(plan)) best = plan;
    else if (best!.reads + best!.writes <= most) break;
  }
  if (best === undefined) throw noPlan(limits, `of up to ${stagesText(mostStages)}`);
  return best;
}

function chainOf(
  search: ChainSearch,
  limits: Limits,
  stages: number,
  minItems: number,
): readonly (readonly number[])[] | undefined {
  if (stages > 0) return search.find(stages, { minItems });
  const box = directBox(limits, minItems);
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
    `No plan ${stages} keeps all chunks between minMem of ${sizeText(minMem)} and maxMem of ` +
      `${sizeText(maxMem)}: lower minMem or raise maxMem`,
  );
}

function stagesText(stages: number): string {
  return stages === 0 ? "one pass" : stages === 1 ? "1 stage" : `${stages} stages`;
}
