/**
 * Explains a plan of rechunking in lines of text.
 *
 * @module
 */

import { numChunks, product } from "../../../streams/formats/zarr/grid/grid.ts";
import { countOperations, sumOf } from "./count_operations.ts";
import { sizeText } from "../../../base/quantities.ts";
import { checkShapes } from "./limits.ts";
import type { PlanRechunkOptions, RechunkPlan } from "./rechunk_plan.ts";

/**
 * Explains a plan and the options that it was made with, in lines without line ends: the reads from
 * the source, each stage, the writes to the target, and the totals.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { explainPlan, planRechunk } from "../../../mod.ts";
 *
 * const options = { shape: [8, 6], itemsize: 4, source: [1, 6], target: [8, 2], maxMem: 1000 };
 * const [first] = explainPlan(planRechunk(options), options);
 * assertEquals(first, "chunks of 1,6 (24 B) become chunks of 8,2 (64 B)");
 * ```
 */
export function explainPlan(plan: RechunkPlan, options: PlanRechunkOptions): string[] {
  const { shape, source, target, itemsize } = options;
  checkShapes(options);
  const chunk = (lengths: readonly number[]) => chunkText(lengths, itemsize);
  const first = plan.stages[0]?.read ?? plan.direct!;
  const last = plan.stages.at(-1)?.write ?? first;
  const numRead = countOperations(shape, source, first);
  const numWritten = countOperations(shape, last, target);
  return [
    `chunks of ${chunk(source)} become chunks of ${chunk(target)}`,
    `read the source in boxes of ${chunk(first)}: ${count(numRead)} reads` +
    timesText(numRead, numChunks({ shape, chunk: source })),
    ...plan.stages.map(({ read, intermediate, write, operations }, at) =>
      `stage ${at + 1}: boxes of ${chunk(read)} to chunks of ${chunk(intermediate)} ` +
      `to boxes of ${chunk(write)}: ${count(operations)} pieces`
    ),
    `write the target from boxes of ${chunk(last)}: ${count(numWritten)} writes`,
    `in all ${count(plan.reads)} reads and ${count(plan.writes)} writes, ${sizeText(plan.bytes)}`,
    ...boundLines(plan),
    `largest box ${sizeText(plan.peakMemory)}, estimated time ${timeText(plan.cost)}`,
  ];
}

/** Returns a line that compares the pieces of all stages with their lower bound. */
function boundLines({ stages, lowerBound }: RechunkPlan): string[] {
  if (stages.length === 0) return [];
  const pieces = sumOf(stages.map(({ operations }) => operations));
  const above = (100 * (pieces / lowerBound - 1)).toFixed(1);
  return [
    `${count(pieces)} pieces between the stages, ${above} % above the lower bound of ${
      count(lowerBound)
    }`,
  ];
}

function chunkText(lengths: readonly number[], itemsize: number): string {
  const size = sizeText(product(lengths) * itemsize);
  return lengths.length === 0 ? `one item (${size})` : `${lengths.join(",")} (${size})`;
}

function timesText(numReads: number, numChunks: number): string {
  if (numReads <= numChunks) return "";
  return `, ${(numReads / numChunks).toFixed(2)} of each chunk on average`;
}

function count(number: number): string {
  return number.toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Formats seconds with two digits, or in minutes: "3.2 ms", "45 s", "12 min", "3 h 17 min". */
function timeText(seconds: number): string {
  if (seconds < 0.995) return `${Number((seconds * 1000).toPrecision(2))} ms`;
  if (seconds < 99.5) return `${Number(seconds.toPrecision(2))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
