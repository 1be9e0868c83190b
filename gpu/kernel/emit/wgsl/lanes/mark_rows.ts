/**
 * Prints the kernel that marks rows, as `marks.ts` describes, before the passes of another kernel:
 * 8, 16 or 32 lanes share a row, and read its words side by side. Atomics of the workgroup join
 * their results.
 *
 *     params   as in `emit.ts`; of the first two only: rows, lanes of a row
 *     columns  those that the marks read; then constants, if some needle is there
 *     marks    for one mark after the other, a word of each row
 *
 * @module
 */

import {
  columnBinding,
  columnSpace,
  literalSpace,
  type PrintedSpace,
  printUnsigned,
  spaceName,
} from "../print/scalar.ts";
import { printRowReads, viewOf, viewsOf } from "../print/columns.ts";
import { inlineNeedle, isInCode, printLook } from "../print/look.ts";
import { printHeads, printHeadsOfPart } from "../print/count.ts";
import { printFourBytes } from "../print/match.ts";
import {
  type Mark,
  MARKED_BYTES,
  MARKED_NEEDLE_BYTES,
  Marks,
  NOT_COUNTED,
  SEGMENTS,
} from "./marks.ts";
import { foldKernel } from "../print/rewrite.ts";
import type { RowKernel, Scalar, Space } from "../../../ir/ir.ts";
import { binary } from "../../../ir/scalar.ts";
import { visitScalar } from "../../../ir/visit.ts";

/** The fewest lanes of a row, so that a workgroup has at most 32 rows. */
export const FEWEST_LANES = 8;

/** The lanes of a workgroup. */
const LANES = 256;

/** The code that marks rows, and its bindings. */
export interface MarkingPass {
  readonly code: string;
  /** Indices into `RowKernel.columns`, in the order of their bindings. */
  readonly columns: readonly number[];
  readonly usesConstants: boolean;
  /** The words of a row. */
  readonly numMarks: number;
}

/** Prints the kernel that marks the rows of another one; null if there is nothing to mark. */
export function emitMarks(kernel: RowKernel): MarkingPass | null {
  const { list } = new Marks(foldKernel(kernel));
  if (list.length === 0) return null;
  const reads = readsOf(list);
  const columns = [...reads.bounds].sort((a, b) => a - b);
  const views = viewsOf(columns.map((column) => kernel.columnTypes[column]!));
  const viewOfColumn = (column: number) => viewOf(views[columns.indexOf(column)]!);
  const spaceOf = (space: Space) =>
    space.space === "literals"
      ? literalSpace
      : columnSpace(space.column, viewOfColumn(space.column), true);
  const usesConstants = reads.words.has(spaceName(LITERALS));

  const bindings = columns.map((column) => columnBinding(column, true));
  if (usesConstants) bindings.push("var<storage, read> constants: array<u32>");
  bindings.push("var<storage, read_write> marks: array<u32>");
  let code = `@group(0) @binding(0) var<uniform> params: array<vec4<u32>, ${views.at(-1)!}>;\n`;
  bindings.forEach((binding, k) => code += `@group(0) @binding(${k + 1}) ${binding};\n`);
  if (list.some((mark) => mark.of === "places")) code += SEGMENTS;
  for (const space of reads.words.values()) code += printFourBytes(spaceOf(space));
  code += list.map((mark, number) => printMark(mark, number, spaceOf)).join("");
  const head = columns.map((column) =>
    printRowReads(column, { kind: "string" }, new Set(["bounds"]), viewOfColumn(column), true)
  );
  return {
    code: code + printMain(list, head.join("")),
    columns,
    usesConstants,
    numMarks: list.length,
  };
}

const LITERALS: Space = { space: "literals" };

/** The columns whose bounds are read, and the spaces whose bytes are read, by their names. */
interface MarkReads {
  readonly bounds: ReadonlySet<number>;
  readonly words: ReadonlyMap<string, Space>;
}

function readsOf(marks: readonly Mark[]): MarkReads {
  const bounds = new Set<number>();
  const words = new Map<string, Space>();
  const read = (space: Space) => {
    words.set(spaceName(space), space);
    if (space.space === "column") bounds.add(space.column);
  };
  const compute = (...scalars: readonly Scalar[]) => {
    for (const scalar of scalars) {
      visitScalar(scalar, (part) => {
        if (part.op === "start" || part.op === "stop") bounds.add(part.column);
      });
    }
  };
  for (const mark of marks) {
    switch (mark.of) {
      case "places": {
        const { sought } = mark;
        bounds.add(sought.column);
        if (sought.does === "bytes") break;
        const { column, needle } = sought;
        const known = inlineNeedle(sought);
        if (known === null || known.length > 4) read({ space: "column", column });
        if (known !== null) break;
        read(needle.space);
        compute(needle.start, needle.stop);
        break;
      }
      case "characters":
        bounds.add(mark.column);
        break;
      case "difference":
        for (const side of [mark.match.left, mark.match.right]) {
          read(side.space);
          compute(side.start);
        }
        compute(mark.match.size);
    }
  }
  return { bounds, words };
}

/** The atomic function that joins the words of the lanes, which start at zero. */
const JOINS: Readonly<Record<Mark["of"], string>> = {
  places: "atomicOr",
  characters: "atomicAdd",
  // Of the complement, which stays zero without a difference.
  difference: "atomicMax",
};

function printMain(marks: readonly Mark[], head: string): string {
  const found = marks.map((_, k) =>
    `var<workgroup> found${k}: array<atomic<u32>, ${LANES / FEWEST_LANES}>;\n`
  );
  const joins = marks.map((mark, k) =>
    `  ${JOINS[mark.of]}(&found${k}[slot], mark${k}(${argumentsOf(mark).join(", ")}, own));\n`
  );
  const stores = marks.map(({ of }, k) =>
    `    marks[${k}u * rows + index] = ${
      of === "difference" ? "~" : ""
    }atomicLoad(&found${k}[slot]);\n`
  );
  return `
${found.join("")}
fn mark_row(index: u32, slot: u32, own: u32) {
${head}${joins.join("")}}

@compute @workgroup_size(${LANES})
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let rows = params[0].x;
  let lanes = params[0].y;
  let slot = lane / lanes;
  let own = lane & (lanes - 1u);
  let index = (group.y * groups.x + group.x) * (${LANES}u / lanes) + slot;
  if (index < rows) { mark_row(index, slot, own); }
  workgroupBarrier();
  if (index < rows && own == 0u) {
${stores.join("")}  }
}
`;
}

function argumentsOf(mark: Mark): string[] {
  switch (mark.of) {
    case "places": {
      const { sought } = mark;
      const bounds = boundsOf(sought.column);
      if (sought.does === "bytes" || isInCode(sought)) return bounds;
      const { start, stop } = sought.needle;
      return [...bounds, printUnsigned(start), printUnsigned(binary("-", stop, start))];
    }
    case "characters":
      return boundsOf(mark.column);
    case "difference": {
      const { left, right, size } = mark.match;
      return [left.start, right.start, size].map(printUnsigned);
    }
  }
}

function boundsOf(column: number): string[] {
  return [`bitcast<u32>(start${column})`, `bitcast<u32>(stop${column})`];
}

function printMark(mark: Mark, number: number, spaceOf: (space: Space) => PrintedSpace): string {
  switch (mark.of) {
    case "places":
      return printPlaces(mark, number, spaceOf);
    case "characters":
      return printCharacters(number, spaceOf({ space: "column", column: mark.column }));
    case "difference":
      return printDifference(mark, number);
  }
}

/** Includes the place after the last byte, at which an empty needle may begin. */
function printPlaces(
  { sought }: Mark & { of: "places" },
  number: number,
  spaceOf: (space: Space) => PrintedSpace,
): string {
  const isKnown = isInCode(sought);
  const args = isKnown ? "" : `, needle, min(size, ${MARKED_NEEDLE_BYTES}u)`;
  return `${printLook(sought, number, spaceOf)}
fn mark${number}(start: u32, stop: u32${
    isKnown ? "" : ", needle: u32, size: u32"
  }, own: u32) -> u32 {
  if (stop - start > ${MARKED_BYTES}u) { return 0xffffffffu; }
  let first = start >> 4u;
  let shift = segment_shift(start, stop);
  var segments = 0u;
  for (var part = first + own; part <= stop >> 4u; part += params[0].y) {
    let place = look${number}(part, start, stop${args});
    if (place != 0xffffffffu) { segments |= 1u << ((part - first) >> shift); }
  }
  return segments;
}
`;
}

function printCharacters(number: number, space: PrintedSpace): string {
  return `
${printHeads(space)}${printHeadsOfPart(space)}
fn mark${number}(start: u32, stop: u32, own: u32) -> u32 {
  if (stop - start > ${MARKED_BYTES}u) { return select(0u, ${NOT_COUNTED}, own == 0u); }
  var count = 0u;
  for (var part = (start >> 4u) + own; part * 16u < stop; part += params[0].y) {
    count += heads_of_part${space.name}(part, start, stop);
  }
  return count;
}
`;
}

function printDifference(
  { match: { left, right } }: Mark & { of: "difference" },
  number: number,
): string {
  const [first, second] = [spaceName(left.space), spaceName(right.space)];
  return `
fn mark${number}(left: u32, right: u32, size: u32, own: u32) -> u32 {
  let stop = min(size, ${MARKED_BYTES}u);
  for (var at = own * 4u; at < stop; at += params[0].y * 4u) {
    let differs = four_bytes${first}(left + at) ^ four_bytes${second}(right + at);
    if (differs != 0u) { return ~min(stop, at + (countTrailingZeros(differs) >> 3u)); }
  }
  return ~stop;
}
`;
}
