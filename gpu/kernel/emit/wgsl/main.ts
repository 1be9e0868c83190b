/**
 * Prints the entry points of a kernel: one invocation a row, one workgroup a block of 256 rows.
 * Bits and narrow values of neighbouring rows meet in words of workgroup memory, so that each
 * word of the output has one writer.
 *
 * @module
 */

import { byteWidth, isTextList } from "../../../column/column.ts";
import { beginRow, printRowBounds } from "./print/items.ts";
import { MAKE_NOTED_COPIES } from "./print/noted_copies.ts";
import type { Pass, Rows } from "./print/pass.ts";
import { givesUpRow } from "./print/steps.ts";
import type { RowKernel } from "../../ir/ir.ts";

/** Prints the entry point of a pass over rows that an invocation each computes. */
export function printMain(
  kernel: RowKernel,
  pass: Exclude<Pass, "tiles">,
  rows: Exclude<Rows, "long">,
  { copies, countsSteps }: { readonly copies: boolean; readonly countsSteps: boolean },
): string {
  const givesUp = givesUpRow(kernel, countsSteps ? "row_steps" : null);
  switch (pass) {
    case "single":
      return singleMain(kernel, rows, givesUp);
    case "sizes":
      return sizesMain(kernel, rows, givesUp);
    case "write":
      return writeMain(kernel, copies, rows);
  }
}

const HEAD = `
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = group.y * groups.x + group.x;
  let index = block * 256u + lane;
  let rows = params[0].x;
`;

/**
 * Prints the entry point that counts the text of each row, or the numbers of its list; and the
 * items of a list of texts. For text it also counts the rows that are longer than `params[1].x`.
 */
function sizesMain(
  { type }: Pick<RowKernel, "type">,
  rows: Exclude<Rows, "long">,
  givesUp: string | null,
): string {
  const isText = type.kind === "string";
  const compute = rows === "all" ? "compute_row(index);" : `
    if (is_long(index)) {
      row_size = sizes[index];
      row_is_null = row_size == 0x80000000u;${isTextList(type) ? KNOWN_ITEMS : ""}
    } else {
      compute_row(index);
    }
 `;
  return `${isText ? "\nvar<workgroup> long_texts: atomic<u32>;\n" : ""}${HEAD}
  if (index < rows) { ${compute} }
  if (row_is_null) { row_size = 0u; }
${givesUp === null ? "" : `  if (${givesUp}) { row_size = 0xffffffffu; }\n`}\
${isText ? "  if (row_size > params[1].x) { atomicAdd(&long_texts, 1u); }\n" : ""}\
  let before = block_exclusive_scan(row_size, lane);
  if (index < rows) {
    sizes[index] = before | select(0u, 0x80000000u, row_is_null);
    if (lane == 0u) {
      sizes[params[0].y + block] = scan_total;
${isText ? COUNT_LONG_TEXTS : ""}    }
  }
${isTextList(type) ? COUNT_ITEMS : ""}}
`;
}

const KNOWN_ITEMS = `
      row_items = sizes[params[0].y + (rows + 255u) / 256u + index];`;

const COUNT_LONG_TEXTS = `\
      sizes[params[0].y + (rows + 255u) / 256u + block] = atomicLoad(&long_texts);
`;

const COUNT_ITEMS = `
  if (row_is_null) { row_items = 0u; }
  let items_before = block_exclusive_scan(row_items, lane);
  if (index < rows) {
    let item_sizes = params[0].y + (rows + 255u) / 256u;
    sizes[item_sizes + index] = items_before;
    if (lane == 0u) { sizes[item_sizes + rows + block] = scan_total; }
  }
`;

/**
 * Prints the entry point that writes offsets, text or items, and validity; then, if rows copy text,
 * the long copies. The row offsets of lists of texts count items.
 */
function writeMain(
  { canBeNull, type, backward = false }: Pick<RowKernel, "canBeNull" | "type" | "backward">,
  copies: boolean,
  rows: Exclude<Rows, "long">,
): string {
  const isTexts = isTextList(type);
  const validity = canBeNull ? packed("valid_words", 1, "params[1].x", "atomic") : null;
  return `${validity?.declaration ?? ""}${HEAD}
  var is_valid = false;
  if (index < rows) {
${printRowBounds(type, "lane").replaceAll(/^/gm, "  ")}
${isTexts ? STORE_ITEM_OFFSETS : STORE_OFFSETS}\
    is_valid = size < 0x80000000u;
    // A row without ${isTexts ? "items" : "text"} has nothing to write, and a null row must not.
    if (${isTexts ? "first < last" : "start < stop"}${
    rows === "all" ? "" : " && !is_long(index)"
  }) {
      ${beginRow(type, backward).replaceAll("\n", "\n  ")}
      compute_row(index);
      ${isTexts || type.kind === "string" ? "end_row();" : ""}
    }
  }
${validity?.store("select(0u, 1u, is_valid)") ?? ""}${copies ? MAKE_NOTED_COPIES : ""}}
`;
}

const STORE_OFFSETS = `\
    atomicStore(&output[params[1].y + index], start);
    if (index + 1u == rows) { atomicStore(&output[params[1].y + rows], stop); }
`;

const STORE_ITEM_OFFSETS = `\
    if (index == 0u) { atomicStore(&output[params[1].w], 0u); }
    atomicStore(&output[params[1].y + index], first);
    if (index + 1u == rows) { atomicStore(&output[params[1].y + rows], last); }
`;

/** Prints the entry point that writes a value of fixed width. */
function singleMain(
  { canBeNull, type }: Pick<RowKernel, "canBeNull" | "type">,
  rows: Exclude<Rows, "long">,
  givesUp: string | null,
): string {
  const width = byteWidth(type);
  const validity = canBeNull ? packed("valid_words", 1, "params[1].x", "plain") : null;
  const isPacked = type.kind === "bool" || width < 4;
  const bits = type.kind === "bool" ? 1 : 8 * width;
  const result = isPacked ? packed("result_words", bits, "params[1].z", "plain") : null;
  const clear = type.kind === "bool"
    ? "result0 = false;"
    : width === 8
    ? "result0 = 0; result1 = 0;"
    : "result0 = 0;";
  let store: string;
  if (result !== null) {
    store = result.store(
      type.kind === "bool"
        ? "select(0u, 1u, result0)"
        : `(bitcast<u32>(result0) & ${2 ** bits - 1}u)`,
    );
  } else if (width === 4) {
    store = "  if (index < rows) { output[params[1].z + index] = bitcast<u32>(result0); }\n";
  } else {
    store = `  if (index < rows) {
    output[params[1].z + 2u * index] = bitcast<u32>(result0);
    output[params[1].z + 2u * index + 1u] = bitcast<u32>(result1);
  }
`;
  }
  return `${validity?.declaration ?? ""}${result?.declaration ?? ""}${HEAD}
  ${rows === "all" ? COMPUTE : COMPUTE_SHORT}
  if (row_is_null) { ${clear} }
${givesUp === null ? "" : `  if (${givesUp}) { output[params[0].y] = 1u; }\n`}\
${store}${validity?.store("select(0u, 1u, index < rows && !row_is_null)") ?? ""}}
`;
}

const COMPUTE = "if (index < rows) { compute_row(index); }";

/** Another kernel computes the long rows. */
const COMPUTE_SHORT = `if (index < rows) {
    if (is_long(index)) { row_is_null = true; } else { compute_row(index); }
  }`;

/**
 * Words with several rows each. `store` prints code that joins the values of a workgroup and writes
 * the words; `value` has to be 0 in invocations without a row.
 */
function packed(
  name: string,
  bits: number,
  firstWord: string,
  access: "plain" | "atomic",
): { declaration: string; store(value: string): string } {
  const perWord = 32 / bits;
  const words = 256 / perWord;
  const shift = Math.log2(perWord);
  const inWord = bits === 1 ? "(lane & 31u)" : `((lane & ${perWord - 1}u) * ${bits}u)`;
  const target = `output[${firstWord} + block * ${words}u + lane]`;
  const write = access === "atomic"
    ? `atomicStore(&${target}, atomicLoad(&${name}[lane]));`
    : `${target} = atomicLoad(&${name}[lane]);`;
  return {
    declaration: `\nvar<workgroup> ${name}: array<atomic<u32>, ${words}>;\n`,
    store: (value) => `
  atomicOr(&${name}[lane >> ${shift}u], ${value} << ${inWord});
  workgroupBarrier();
  if (lane < ${words}u && block * 256u + lane * ${perWord}u < rows) {
    ${write}
  }
`,
  };
}
