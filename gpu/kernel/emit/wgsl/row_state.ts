/**
 * Prints what the code of a row writes to: the bindings of the result, the variables that hold the
 * state of a row, and the functions that copy text. Each pass has its own.
 *
 * @module
 */

import { byteWidth, type ColumnType } from "../../../column/column.ts";
import type { RowKernel } from "../../ir/ir.ts";
import { mayFail } from "../../ir/visit.ts";
import { COPYING_TOGETHER } from "./long_rows/copy.ts";
import { COUNTING, COUNTING_SIZES, COUNTING_TOGETHER, printStoring } from "./print/append.ts";
import { COUNTING_ITEMS, printStoringItems } from "./print/items.ts";
import {
  MAKING_NOTED,
  printMakeCopy,
  printMakingByLanes,
  printNoted,
} from "./print/noted_copies.ts";
import { asItIs, onlyFirst, type Pass } from "./print/pass.ts";
import type { PrintedSpace } from "./print/scalar.ts";
import type { Steps } from "./print/steps.ts";
import { ASSEMBLING } from "./tiles/tiles.ts";

/** Returns the bindings of the result, which follow those that a pass reads. */
export function resultBindings(pass: Pass, isShared: boolean): string[] {
  // Several workgroups write into a word: that of a long row, and those of its neighbours.
  const single = isShared ? "array<atomic<u32>>" : "array<u32>";
  const bindings = {
    sizes: ["var<storage, read_write> sizes: array<u32>"],
    write: [
      "var<storage, read> sizes: array<u32>",
      "var<storage, read_write> output: array<atomic<u32>>",
    ],
    single: [`var<storage, read_write> output: ${single}`],
    tiles: [
      "var<storage, read_write> states: array<atomic<u32>>",
      "var<storage, read_write> output: array<atomic<u32>>",
    ],
  }[pass];
  return isShared ? [...bindings, "var<storage, read> long_rows: array<u32>"] : bindings;
}

/** Prints the variables that tell whether a row has a value. */
export function printOutcome({ body }: Pick<RowKernel, "body">): string {
  const isNull = "\nvar<private> row_is_null: bool;\n";
  return mayFail(body) ? `${isNull}${ROW_FAILS}` : isNull;
}

const ROW_FAILS = `\
// Whether a strict call refuses the operands of the row.
var<private> row_fails: bool;
`;

/** Prints the variables that hold the state of a row, and the functions that change them. */
export function printState(
  kernel: RowKernel,
  pass: Pass,
  isShared: boolean,
  steps: Steps | null,
): string {
  const isList = kernel.type.kind === "list";
  const once = isShared ? onlyFirst : asItIs;
  switch (pass) {
    case "single":
      return printResults(kernel.type);
    case "sizes":
      return (steps === null ? COUNTING_SIZES : isShared ? COUNTING_TOGETHER : COUNTING) +
        (isList ? COUNTING_ITEMS : "");
    case "write":
      return printStoring(once) + (isList ? printStoringItems(kernel, once) : "");
    case "tiles":
      return COUNTING + ASSEMBLING;
  }
}

/**
 * Prints the functions that copy text. `lanes` is the number of lanes of a row if it has several.
 */
export function printCopying(
  copied: readonly PrintedSpace[],
  isShared: boolean,
  lanes: string | null,
): string {
  const make = printMakeCopy(copied);
  if (isShared) return make + COPYING_TOGETHER;
  const makeNoted = lanes === null ? MAKING_NOTED : printMakingByLanes(lanes);
  return printNoted(lanes !== null) + make + makeNoted;
}

function printResults(type: ColumnType): string {
  if (type.kind === "bool") return "var<private> result0: bool;\n";
  const words = byteWidth(type) === 8 ? [0, 1] : [0];
  return words.map((word) => `var<private> result${word}: i32;\n`).join("");
}
