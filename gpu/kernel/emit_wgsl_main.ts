/**
 * Prints the entry points of a kernel: one invocation a row, one workgroup a block of 256 rows.
 * Bits and narrow values of neighbouring rows meet in words of workgroup memory, so that each
 * word of the output has one writer.
 *
 * @module
 */

import { byteWidth, isTextList } from "../column.ts";
import { beginRow } from "./emit_wgsl_items.ts";
import { MAKE_NOTED_COPIES } from "./emit_wgsl_long_copy.ts";
import type { RowKernel } from "./ir.ts";

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

/** Counts the text of each row, or the numbers of its list; and the items of a list of texts. */
export function sizesMain({ type }: Pick<RowKernel, "type">): string {
  return `${HEAD}
  if (index < rows) { compute_row(index); }
  if (row_is_null) { row_size = 0u; }
  if (row_steps > params[0].w) { row_size = 0xffffffffu; }
  let before = block_exclusive_scan(row_size, lane);
  if (index < rows) {
    sizes[index] = before | select(0u, 0x80000000u, row_is_null);
    if (lane == 0u) { sizes[params[0].y + block] = scan_total; }
  }
${isTextList(type) ? COUNT_ITEMS : ""}}
`;
}

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
 * Writes offsets, text or items, and validity; then, where rows copy text, the long copies. The
 * offsets of rows of lists of texts count items.
 */
export function writeMain(
  { canBeNull, type, backward = false }: Pick<RowKernel, "canBeNull" | "type" | "backward">,
  copies: boolean,
): string {
  const isTexts = isTextList(type);
  const validity = canBeNull ? packed("valid_words", 1, "params[1].x", "atomic") : null;
  return `${validity?.declaration ?? ""}${HEAD}
  var is_valid = false;
  if (index < rows) {
    let size = sizes[index];
    let block_start = sizes[params[0].y + block];
    let start = block_start + (size & 0x7fffffffu);
    var stop: u32;
    if (index + 1u == rows) {
      stop = params[0].z;
${
    isTexts
      ? ""
      : "      atomicStore(&output[params[1].y + rows], stop);\n"
  }    } else if (lane == 255u) {
      stop = sizes[params[0].y + block + 1u];
    } else {
      stop = block_start + (sizes[index + 1u] & 0x7fffffffu);
    }
${
    isTexts
      ? ITEM_BOUNDS
      : "    atomicStore(&output[params[1].y + index], start);\n"
  }    is_valid = size < 0x80000000u;
    // A row without ${isTexts ? "items" : "text"} has nothing to write, and a null row must not.
    if (${isTexts ? "first < last" : "start < stop"}) {
      ${beginRow(type, backward)}
      compute_row(index);
      ${isTexts || type.kind === "string" ? "end_row();" : ""}
    }
  }
${validity?.store("select(0u, 1u, is_valid)") ?? ""}${copies ? MAKE_NOTED_COPIES : ""}}
`;
}

/** The items of a row, which are `first` to before `last`. */
const ITEM_BOUNDS = `\
    let item_sizes = params[0].y + (rows + 255u) / 256u;
    let block_first = sizes[item_sizes + rows + block];
    let first = block_first + sizes[item_sizes + index];
    var last: u32;
    if (index + 1u == rows) {
      last = params[0].w;
      atomicStore(&output[params[1].y + rows], last);
    } else if (lane == 255u) {
      last = sizes[item_sizes + rows + block + 1u];
    } else {
      last = block_first + sizes[item_sizes + index + 1u];
    }
    if (index == 0u) { atomicStore(&output[params[1].w], 0u); }
    atomicStore(&output[params[1].y + index], first);
`;

/** Writes a value of fixed width. */
export function singleMain({ canBeNull, type }: Pick<RowKernel, "canBeNull" | "type">): string {
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
  if (index < rows) { compute_row(index); }
  if (row_is_null) { ${clear} }
  if (row_steps > params[0].w) { output[params[0].y] = 1u; }
${store}${validity?.store("select(0u, 1u, index < rows && !row_is_null)") ?? ""}}
`;
}

/**
 * Words that hold several rows each. `store` prints what joins the values of a workgroup and
 * writes the words; `value` is 0 in invocations without a row.
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
