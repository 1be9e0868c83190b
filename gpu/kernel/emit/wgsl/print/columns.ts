/**
 * Prints how a row reads its columns and constants. A column is one buffer of words, with the
 * layout of `gpu/webgpu/memory/device_column.ts`. One vec4 of the parameters has the words of its
 * parts: validity word, offsets word, data word, first row. The data of a list is that of its
 * items.
 *
 * @module
 */

import type { ColumnType } from "../../../../column/column.ts";
import { printCopy, printNearCopy } from "./append.ts";
import { printFourBytes } from "./match.ts";
import type { ColumnUse, Resources } from "./resources.ts";
import { breakOutOfSteps, type Steps } from "./steps.ts";
import { printCount } from "./count.ts";
import { columnWord, literalSpace, type PrintedSpace } from "./scalar.ts";
import type { RowKernel } from "../../../ir/ir.ts";

/**
 * Returns the indices of the first parameter of each bound column, then the number of parameters.
 */
export function viewsOf(types: readonly ColumnType[]): number[] {
  const views = [2];
  for (const { kind } of types) views.push(views.at(-1)! + (kind === "list" ? 2 : 1));
  return views;
}

/** Prints the vec4 of a parameter. */
export function viewOf(parameter: number): string {
  return `params[${parameter}]`;
}

/**
 * Prints the declarations at the start of the row for one column; `isWide` text is bound as vec4.
 */
export function printRowReads(
  column: number,
  type: ColumnType,
  uses: ReadonlySet<ColumnUse>,
  view: string,
  isWide: boolean,
): string {
  const lines: string[] = [];
  const load = (index: string) => columnWord(column, index, isWide);
  const row = `row${column}`;
  const bit = (base: string) =>
    `((${load(`${view}.${base} + (${row} >> 5u)`)} >> (${row} & 31u)) & 1u) == 1u`;
  if (["bounds", "valid", "bit", "word"].some((use) => uses.has(use as ColumnUse))) {
    lines.push(`let ${row} = ${view}.w + index;`);
  }
  if (uses.has("bounds")) {
    lines.push(
      `let start${column} = bitcast<i32>(${load(`${view}.y + ${row}`)});`,
      `let stop${column} = bitcast<i32>(${load(`${view}.y + ${row} + 1u`)});`,
    );
  }
  if (uses.has("valid")) lines.push(`let valid${column} = ${bit("x")};`);
  if (uses.has("bit")) lines.push(`let bit${column} = ${bit("z")};`);
  if (uses.has("word")) lines.push(...wordReads(column, type, view, row));
  return lines.map((line) => `  ${line}\n`).join("");
}

function wordReads(column: number, type: ColumnType, view: string, row: string): string[] {
  const load = (index: string) => `column${column}[${view}.z + ${index}]`;
  const bits = type.kind === "int" || type.kind === "float" ? type.bits : 32;
  if (bits === 64) {
    return [
      `let low${column} = bitcast<i32>(${load(`2u * ${row}`)});`,
      `let high${column} = bitcast<i32>(${load(`2u * ${row} + 1u`)});`,
    ];
  }
  if (bits === 32) return [`let low${column} = bitcast<i32>(${load(row)});`];
  // 2 or 4 values share a word.
  const shift = bits === 16 ? 1 : 2;
  const word = load(`(${row} >> ${shift}u)`);
  const at = `(${row} & ${2 ** shift - 1}u) * ${bits}u`;
  return type.kind === "int" && type.signed
    ? [`let low${column} = extractBits(bitcast<i32>(${word}), ${at}, ${bits}u);`]
    : [`let low${column} = bitcast<i32>(extractBits(${word}, ${at}, ${bits}u));`];
}

/** Prints the functions that read literals and tables; `printLong` as in `printCopy`. */
export function printConstantReads(
  kernel: RowKernel,
  { literals, tables }: Resources,
  printLong: SpaceOptions["printLong"],
): string {
  let text = printSpaceReads(literalSpace, literals, { steps: null, printLong, printCount });
  for (const table of tables) {
    text += `
fn table${table}(at: i32) -> i32 {
  return bitcast<i32>(constants[${tableWord(kernel, table)}u + bitcast<u32>(at)]);
}
`;
  }
  return text;
}

/** Options for reading text. */
export interface SpaceOptions {
  /** As in `BodyOptions`. */
  readonly steps: Steps | null;
  /** As in `printCopy`; null if text is in workgroup memory. */
  readonly printLong: ((name: string) => string) | null;
  /** Prints the function that counts characters. */
  readonly printCount: (space: PrintedSpace, steps: Steps | null) => string;
}

/** Prints the functions that read a space at any position. */
export function printSpaceReads(
  space: PrintedSpace,
  uses: ReadonlySet<string>,
  { steps, printLong, printCount }: SpaceOptions,
): string {
  const { name, word } = space;
  let text = "";
  if (uses.has("byte")) {
    text += `
fn byte${name}(at: i32) -> i32 {
  let position = bitcast<u32>(at);
  return bitcast<i32>((${word("(position >> 2u)")} >> ((position & 3u) * 8u)) & 255u);
}
`;
  }
  if (uses.has("seek")) text += printSeek(name, word, steps);
  if (uses.has("four")) text += printFourBytes(space);
  if (uses.has("count")) text += printCount(space, steps);
  if (uses.has("copy")) {
    text += printLong === null ? printNearCopy(space) : printCopy(space, printLong);
  }
  return text;
}

/**
 * Prints a search for one byte. In a word of the differences exactly the zero bytes produce a bit
 * (Warren, Hacker's Delight, 6-1); those before the place are masked out. The first 16 bytes, where
 * most searches end, take neither a loop, whose rounds are counted, nor a branch: their words are
 * loaded side by side.
 */
function printSeek(name: string, word: PrintedSpace["word"], steps: Steps | null): string {
  const near = [0, 1, 2, 3].map((k) => word(k === 0 ? "place" : `place + ${k}u`));
  return `
// The first place from \`first\` on that has the byte, or any after \`last\`.
fn seek${name}(first: i32, last: i32, byte: u32${steps?.parameter ?? ""}) -> i32 {
  let pattern = byte * 0x01010101u;
  let place = bitcast<u32>(first) >> 2u;
  let near = vec4<u32>(${near.join(", ")}) ^ vec4<u32>(pattern);
  let low = vec4<u32>(0x7f7f7f7fu);
  var found = ~(((near & low) + low) | near | low);
  found.x &= 0xffffffffu << ((bitcast<u32>(first) & 3u) * 8u);
  let front = select(vec2<u32>(found.y, 4u), vec2<u32>(found.x, 0u), found.x != 0u);
  let back = select(vec2<u32>(found.w, 12u), vec2<u32>(found.z, 8u), found.z != 0u);
  let hit = select(back, front, front.x != 0u);
  if (hit.x != 0u) { return (first & ~3) + bitcast<i32>(hit.y + (countTrailingZeros(hit.x) >> 3u)); }
  for (var at = (first & ~3) + 16; at <= last; at = at + 4) {
${breakOutOfSteps(steps)}    let differs = ${word("(bitcast<u32>(at) >> 2u)")} ^ pattern;
    let same = ~(((differs & 0x7f7f7f7fu) + 0x7f7f7f7fu) | differs | 0x7f7f7f7fu);
    if (same != 0u) { return at + bitcast<i32>(countTrailingZeros(same) >> 3u); }
  }
  return max(first, last + 1);
}
`;
}

/**
 * Prints the functions that read the items of a list. One more vec4 of the parameters has their
 * words: the validity word, or 0xffffffff if no item is null, and the offsets word.
 */
export function printItemReads(
  column: number,
  uses: ReadonlySet<ColumnUse>,
  itemView: string,
): string {
  let text = "";
  if (uses.has("itemStart")) {
    text += `
fn item_start${column}(at: i32) -> i32 {
  return bitcast<i32>(column${column}[${itemView}.y + bitcast<u32>(at)]);
}
`;
  }
  if (uses.has("itemValid")) {
    text += `
fn item_valid${column}(at: i32) -> bool {
  if (${itemView}.x == 0xffffffffu) { return true; }
  let position = bitcast<u32>(at);
  let bits = column${column}[${itemView}.x + (position >> 5u)];
  return ((bits >> (position & 31u)) & 1u) == 1u;
}
`;
  }
  return text;
}

/** Returns the contents of the buffer of constants: the bytes of the literals, then the tables. */
export function kernelConstants({ literals, tables }: RowKernel): Uint32Array<ArrayBuffer> {
  const literalWords = Math.ceil(literals.length / 4);
  const words = tables.reduce((sum, table) => sum + table.length, literalWords);
  const constants = new Uint32Array(Math.max(1, words));
  new Uint8Array(constants.buffer).set(literals);
  let at = literalWords;
  for (const table of tables) {
    constants.set(table, at);
    at += table.length;
  }
  return constants;
}

function tableWord({ literals, tables }: RowKernel, table: number): number {
  return tables.slice(0, table).reduce(
    (sum, { length }) => sum + length,
    Math.ceil(literals.length / 4),
  );
}
