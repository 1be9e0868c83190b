/**
 * Prints how a row makes the items of its list: the sizes pass counts them, the write pass stores
 * numbers, or the ends of their texts.
 *
 * Items that come in reverse order are stored from the end of the row, which the sizes pass has
 * found; each announces its number of bytes before they are written.
 *
 * @module
 */

import { type ColumnType, isTextList } from "../../../../column/column.ts";
import type { Once } from "./pass.ts";
import { printScalar, printUnsigned } from "./scalar.ts";
import type { RowKernel, Stmt } from "../../../ir/ir.ts";

/** Prints a statement about items as lines of code. */
export type ItemPrinter = (stmt: Stmt & { do: "beginItem" | "endItem" | "number" }) => string[];

/** Prints for the sizes pass. The items of a list of numbers are the size of its row. */
export const countItems: ItemPrinter = (stmt) => {
  switch (stmt.do) {
    case "beginItem":
      return [];
    case "endItem":
      // A gather of lists takes a round for each item.
      return ["row_items++;", "row_steps++;"];
    case "number":
      return ["row_size = add_saturating(row_size, 1u);"];
  }
};

/** Prints for the write pass. */
export const storeItems: ItemPrinter = (stmt) => {
  switch (stmt.do) {
    case "beginItem":
      return [`begin_item(${printUnsigned(stmt.bytes)});`];
    case "endItem":
      return ["end_item();"];
    case "number":
      return [`put_number(${printScalar(stmt.value)});`];
  }
};

/** The state of the sizes pass. */
export const COUNTING_ITEMS = `
var<private> row_items: u32;
`;

/**
 * Prints the state and the functions of the write pass of a list; they follow those that store
 * text.
 */
export function printStoringItems(
  { type, backward }: Pick<RowKernel, "type" | "backward">,
  once: Once,
): string {
  const state = `
// The word of the output for the next item: the number, or where its text ends.
var<private> item_at: u32;
`;
  if (!isTextList(type)) return state + putNumber(once);
  return state + (backward === true ? STORING_BACKWARD : "") + endItem(backward === true, once);
}

/** Prints the statements of the write pass that begin a row, whose data and items are known. */
export function beginRow(type: ColumnType, backward: boolean): string {
  if (type.kind === "string") return "begin_row(params[1].z * 4u + start);";
  if (!isTextList(type)) return "item_at = params[1].z + start;";
  if (!backward) {
    return "begin_row(params[1].z * 4u + start);\n    item_at = params[1].w + 1u + first;";
  }
  return `item_start = params[1].z * 4u + stop;
    begin_row(item_start);
    item_at = params[1].w + last;`;
}

function putNumber(once: Once): string {
  return `
fn put_number(value: i32) {
  ${once("atomicStore(&output[item_at], bitcast<u32>(value));")}
  item_at++;
}
`;
}

const STORING_BACKWARD = `
// Where the text of the items so far begins.
var<private> item_start: u32;

fn begin_item(bytes: u32) {
  end_row();
  item_start -= bytes;
  begin_row(item_start);
}
`;

function endItem(backward: boolean, once: Once): string {
  return `
fn end_item() {
  ${once("atomicStore(&output[item_at], out_at - params[1].z * 4u);")}
  item_at${backward ? "--" : "++"};
}
`;
}

/**
 * Prints the bounds of a row: its text or its numbers, and for lists of texts its items, from
 * `first` to before `last`.
 */
export function printRowBounds(type: RowKernel["type"], lane: string): string {
  const items = `
  let item_sizes = params[0].y + (rows + 255u) / 256u;
  let block_first = sizes[item_sizes + rows + block];
  let first = block_first + sizes[item_sizes + index];
  var last: u32;
  if (index + 1u == rows) {
    last = params[0].w;
  } else if (${lane} == 255u) {
    last = sizes[item_sizes + rows + block + 1u];
  } else {
    last = block_first + sizes[item_sizes + index + 1u];
  }`;
  return `\
  let size = sizes[index];
  let block_start = sizes[params[0].y + block];
  let start = block_start + (size & 0x7fffffffu);
  var stop: u32;
  if (index + 1u == rows) {
    stop = params[0].z;
  } else if (${lane} == 255u) {
    stop = sizes[params[0].y + block + 1u];
  } else {
    stop = block_start + (sizes[index + 1u] & 0x7fffffffu);
  }${isTextList(type) ? items : ""}`;
}
