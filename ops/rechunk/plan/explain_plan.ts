/**
 * Says in lines what a plan of rechunking does.
 *
 * @module
 */

import { product } from "../../../streams/chunks/grid.ts";
import { countOperations } from "./count_operations.ts";
import { sizeText } from "./limits.ts";
import type { RechunkOptions, RechunkPlan } from "./rechunk_plan.ts";

/** Lines for people about a plan and the options it was made with, without line ends. */
export function explainPlan(plan: RechunkPlan, options: RechunkOptions): string[] {
  const { shape, source, target, itemsize } = options;
  const chunk = (lengths: readonly number[]) =>
    `${lengths.join(",")} (${sizeText(product(lengths) * itemsize)})`;
  const first = plan.stages[0]?.read ?? plan.direct!;
  const lines = [
    `source chunks ${chunk(source)}, target chunks ${chunk(target)}`,
    `read ${count(countOperations(shape, source, first))} pieces of the source in boxes of ${
      chunk(first)
    }`,
  ];
  plan.stages.forEach(({ read, intermediate, write, operations }, at) => {
    lines.push(
      `stage ${at + 1}: read ${chunk(read)}, intermediate ${chunk(intermediate)}, ` +
        `write ${chunk(write)}: ${count(operations)} pieces`,
    );
  });
  const last = plan.stages.at(-1)?.write ?? first;
  lines.push(`write ${count(countOperations(shape, last, target))} chunks of the target`);
  const pieces = plan.stages.reduce((sum, { operations }) => sum + operations, 0);
  lines.push(
    `in all ${count(plan.reads)} reads and ${count(plan.writes)} writes, ${sizeText(plan.bytes)}`,
  );
  if (plan.stages.length > 0) {
    const above = 100 * (pieces / plan.lowerBound - 1);
    lines.push(
      `${count(pieces)} pieces between the stages, ${
        above.toFixed(1)
      } % above the lower bound of ` +
        count(plan.lowerBound),
    );
  }
  lines.push(`largest box ${sizeText(plan.peakMemory)}, about ${seconds(plan.cost)}`);
  return lines;
}

function count(number: number): string {
  return number.toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

function seconds(time: number): string {
  if (time < 99.5) return `${time.toPrecision(2)} s`;
  const minutes = Math.round(time / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
