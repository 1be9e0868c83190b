/**
 * Prints the entry points of kernels for long rows, and the test for long rows. If a kernel
 * searches a column with long rows, counts their characters, compares them or follows states
 * through them, each long row gets a workgroup: all its invocations compute the same row, share
 * this work and the copies, and only the first one stores. Each of them goes through other loops
 * alone.
 *
 * The workgroup with number k computes the k-th row of a list. The kernel for the other rows skips
 * those of the list. In the sizes pass it comes second, and takes the sizes of long rows from
 * `sizes`: word i has the bytes of row i, or 0x80000000 if it is null. In the pass `single` it
 * comes first and leaves zeros, which the values of the long rows are joined into.
 *
 * @module
 */

import { byteWidth, isTextList } from "../../../../column/column.ts";
import { beginRow, printRowBounds } from "../print/items.ts";
import { LONG_ROW_LANES, type Pass } from "../print/pass.ts";
import { columnWord } from "../print/scalar.ts";
import { givesUpRow } from "../print/steps.ts";
import type { Match, RowKernel } from "../../../ir/ir.ts";
import { someStatement, visit } from "../../../ir/visit.ts";

/**
 * Returns the indices into `RowKernel.columns` of text that is searched or compared, that states
 * are followed through, or whose characters are counted, in order. Empty if a kernel stores into
 * scratch: each invocation does that work alone, and the search is a small part of it.
 */
export function searchedColumns(
  { body, columnTypes }: Pick<RowKernel, "body" | "columnTypes">,
): number[] {
  const columns = new Set<number>();
  if (someStatement(body, (stmt) => stmt.do === "store")) return [];
  const compared = ({ space }: Match["left"]) => {
    if (space.space === "literals" || columnTypes[space.column]?.kind !== "string") return;
    columns.add(space.column);
  };
  visit(body, {
    stmt: (stmt) => {
      const idiom = stmt.do === "loop" ? stmt.idiom : undefined;
      switch (idiom?.does) {
        case "seek":
        case "count":
        case "follow":
          columns.add(idiom.column);
          break;
        case "match":
          [idiom.left, idiom.right].forEach(compared);
      }
    },
  });
  return [...columns].sort((a, b) => a - b);
}

/**
 * Prints `is_long`, which tests whether the text of a row is longer than `limit` in one of the
 * columns. Each column has the vec4 of the parameters with the words of its parts.
 */
export function printIsLong(
  columns: readonly { readonly column: number; readonly view: string; readonly isWide: boolean }[],
  limit: string,
): string {
  const tests = columns.map(({ column, view, isWide }) => {
    const bound = (at: string) => columnWord(column, at, isWide);
    return `
  let at${column} = ${view}.y + ${view}.w + index;
  if (${bound(`at${column} + 1u`)} - ${bound(`at${column}`)} > ${limit}) { return true; }`;
  });
  return `
fn is_long(index: u32) -> bool {${tests.join("")}
  return false;
}
`;
}

/** The state of a kernel for long rows. */
export const LONG_STATE = `
var<private> invocation: u32;
// The nearest place of those that the invocations have found in a round.
var<workgroup> nearest_hit: atomic<u32>;

fn begin_round(none: u32) {
  if (invocation == 0u) { atomicStore(&nearest_hit, none); }
  workgroupBarrier();
}
`;

/** Prints the entry point of a kernel for long rows. */
export function longMain(
  kernel: Pick<RowKernel, "body" | "canBeNull" | "type" | "backward">,
  pass: Exclude<Pass, "tiles">,
): string {
  const body = { sizes: longSizes, write: longWrite, single: longSingle }[pass](kernel);
  return `
@compute @workgroup_size(${LONG_ROW_LANES})
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  invocation = lane;
  let slot = group.y * groups.x + group.x;
  if (slot >= long_rows[0]) { return; }
  let index = long_rows[slot + 1u];
  let rows = params[0].x;
${body}}
`;
}

const LONG_STEPS = "row_steps + steps";

function longSizes({ type, body }: Pick<RowKernel, "body" | "type">): string {
  const items = `
    let item_sizes = params[0].y + (rows + 255u) / 256u;
    sizes[item_sizes + index] = select(row_items, 0u, row_is_null);`;
  return `
  var steps = 0u;
  compute_row(index, &steps);
  if (row_is_null) { row_size = 0x80000000u; }
  if (${givesUpRow({ body }, LONG_STEPS)}) { row_size = 0xffffffffu; }
  if (lane == 0u) {
    sizes[index] = row_size;${isTextList(type) ? items : ""}
  }
`;
}

function longWrite({ type, backward = false }: Pick<RowKernel, "type" | "backward">): string {
  const isTexts = isTextList(type);
  return `
  let block = index >> 8u;
${printRowBounds(type, "(index & 255u)")}
  // A row without ${isTexts ? "items" : "text"} has nothing to write, and a null row must not.
  if (${isTexts ? "first < last" : "start < stop"}) {
    ${beginRow(type, backward)}
    compute_row(index);
    ${isTexts || type.kind === "string" ? "end_row();" : ""}
  }
`;
}

function longSingle(
  { type, canBeNull, body }: Pick<RowKernel, "body" | "canBeNull" | "type">,
): string {
  const width = byteWidth(type);
  const bits = type.kind === "bool" ? 1 : 8 * width;
  const join = (firstWord: string, size: number, value: string) => {
    const shift = 5 - Math.log2(size);
    const inWord = `((index & ${32 / size - 1}u) * ${size}u)`;
    return `atomicOr(&output[${firstWord} + (index >> ${shift}u)], ${value} << ${inWord});`;
  };
  let store: string;
  if (type.kind === "bool") store = join("params[1].z", 1, "select(0u, 1u, result0)");
  else if (width < 4) {
    store = join("params[1].z", bits, `(bitcast<u32>(result0) & ${2 ** bits - 1}u)`);
  } else if (width === 4) {
    store = "atomicStore(&output[params[1].z + index], bitcast<u32>(result0));";
  } else {
    store = `atomicStore(&output[params[1].z + 2u * index], bitcast<u32>(result0));
    atomicStore(&output[params[1].z + 2u * index + 1u], bitcast<u32>(result1));`;
  }
  return `
  var steps = 0u;
  compute_row(index, &steps);
  if (lane != 0u) { return; }
  if (${givesUpRow({ body }, LONG_STEPS)}) { atomicStore(&output[params[0].y], 1u); }
  if (!row_is_null) {
    ${store}
${canBeNull ? `    ${join("params[1].x", 1, "1u")}\n` : ""}  }
`;
}
