/**
 * Prints plans as text.
 *
 * @module
 */

import { explainPlan } from "../../ops/rechunk/plan/explain_plan.ts";
import { sizeText } from "../../base/quantities.ts";
import { product } from "../../streams/formats/zarr/grid/grid.ts";
import { counted, type Planned } from "./grid_rows.ts";

/** Prints the plan of an array, with a newline after each line. */
export function planText({ plan, name, itemType, ...array }: Planned): string {
  const { shape, itemsize } = array;
  const size = sizeText(product(shape) * itemsize);
  const bytes = counted(itemsize, "byte");
  const items = itemType === undefined ? bytes : `${itemType}, about ${bytes} each`;
  const heading = `${shape.join(",")} items of ${items}, ${size}`;
  const lines = [
    name === undefined ? heading : `${name}: ${heading}`,
    ...explainPlan(plan, { ...array, maxMem: Infinity }),
    ...(itemType === undefined ? [] : [
      "sizes are those of some chunks: boxes whose items do not fit in memory are divided",
    ]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
