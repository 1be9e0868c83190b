/**
 * Prints the pass that makes text tile by tile, instead of `sizes` and `write`. A workgroup owns a
 * tile of rows. It loads their text into workgroup memory, counts, assembles the result in
 * workgroup memory, gets the place of the result from the tiles before it, and stores it word by
 * word. Everything is read once and written once, and nothing has to be cleared.
 *
 * `chained_scan.wgsl` of `gpu/webgpu/strategies/`, which computes the place of a tile, stands
 * before the code.
 *
 * Bindings and parameters are those of `emit.ts`, with these differences:
 *
 *     params[0]  rows; rows of a tile, a multiple of 32 up to 256; words of the output; rounds
 *     params[1]  validity word, offsets word, data word; bytes from which a text counts as long
 *     states     of the chained scan, with the number of long texts; after the columns and constants
 *     output     its text may be too short: the rest is counted, but not stored
 *
 * The result is valid if every tile is done: a row that takes too many rounds counts as endless,
 * and a total of 1 GiB or more is never done.
 *
 * @module
 */

import type { ColumnUse, Resources } from "../print/resources.ts";
import type { PrintedSpace } from "../print/scalar.ts";
import type { RowKernel, Stmt } from "../../../ir/ir.ts";
import { mayFail, someStatement } from "../../../ir/visit.ts";
import { givesUpRow } from "../print/steps.ts";

/** The lanes of a workgroup, and so the most rows of a tile. */
export const TILE_LANES = 256;

/** The words of workgroup memory for the text that a tile reads, and for its result. */
const CACHE_WORDS = 2048;
const WINDOW_WORDS = 1536;

/** Whether a kernel can run in one pass. */
export function canTile({ type, body, scratchWords = 0 }: RowKernel): boolean {
  const isRepeat = (stmt: Stmt) => stmt.do === "repeat" || stmt.do === "checkRepeat";
  return type.kind === "string" && scratchWords === 0 && !someStatement(body, isRepeat);
}

/** Returns the text columns whose bytes a pass reads. */
export function cachedColumns({ columnTypes }: RowKernel, { columns }: Resources): number[] {
  const uses: ColumnUse[] = ["byte", "copy", "seek", "four", "search", "count"];
  return columnTypes.flatMap(({ kind }, column) =>
    kind === "string" && uses.some((use) => columns.get(column)?.has(use)) ? [column] : []
  );
}

/** Returns the text of a column; that of the tile is in workgroup memory. */
export function cachedSpace(column: number): PrintedSpace {
  return { name: String(column), word: (index) => `word${column}(${index})` };
}

/** Prints the functions that load the text of a tile, and read a word of it. */
export function printCaches(
  columns: readonly { readonly column: number; readonly view: string }[],
): string {
  const words = Math.floor(CACHE_WORDS / Math.max(1, columns.length));
  const caches = columns.map(({ column, view }) => `
var<workgroup> cache${column}: array<u32, ${words}>;
// The words of the text that are there.
var<private> cache_first${column}: u32;
var<private> cache_words${column}: u32;

fn load_text${column}(first_row: u32, stop_row: u32, lane: u32) {
  let offsets = ${view}.y + ${view}.w;
  let first = column${column}[offsets + first_row] >> 2u;
  let stop = (column${column}[offsets + stop_row] + 3u) >> 2u;
  cache_first${column} = first;
  cache_words${column} = min(stop - first, ${words}u);
  for (var k = lane; k < cache_words${column}; k += ${TILE_LANES}u) {
    cache${column}[k] = column${column}[${view}.z + first + k];
  }
}

fn word${column}(at: u32) -> u32 {
  let near = at - cache_first${column};
  if (near < cache_words${column}) { return cache${column}[near]; }
  return column${column}[${view}.z + at];
}
`);
  const loads = columns.map(({ column }) => `  load_text${column}(first_row, stop_row, lane);\n`);
  return `${caches.join("")}
fn load_tile(first_row: u32, stop_row: u32, lane: u32) {
${loads.join("")}}
`;
}

/** The state and the functions that assemble text. */
export const ASSEMBLING = `
// Text of the tile, and the number of its first word among those of the tile.
var<workgroup> window: array<atomic<u32>, ${WINDOW_WORDS}>;
var<private> window_first: u32;
// The byte of the tile that comes next, and the bytes of its word so far.
var<private> out_at: u32;
var<private> out_word: u32;

// Appends the lowest \`count\` bytes, 1 to 4; the others are zero.
fn push(bytes: u32, count: u32) {
  let filled = out_at & 3u;
  out_word |= bytes << (filled * 8u);
  if (filled + count >= 4u) {
    join_word();
    out_word = select(bytes >> (((4u - filled) * 8u) & 31u), 0u, filled == 0u);
  }
  out_at += count;
}

fn begin_row(at: u32) {
  out_at = at;
  out_word = 0u;
}

fn end_row() {
  if ((out_at & 3u) != 0u) { join_word(); }
}

// Two rows may share the word.
fn join_word() {
  let place = (out_at >> 2u) - window_first;
  if (place < ${WINDOW_WORDS}u) { atomicOr(&window[place], out_word); }
}
`;

/** Prints the entry point; `isNoted` if storing uses the notes of counting. */
export function tilesMain(
  { canBeNull, body }: Pick<RowKernel, "body" | "canBeNull">,
  isNoted: boolean,
): string {
  return `
const WINDOW_BYTES = ${4 * WINDOW_WORDS}u;

var<workgroup> ticket: u32;
${canBeNull ? `var<workgroup> valid_words: array<atomic<u32>, ${TILE_LANES / 32}>;\n` : ""}\
${countRow(body, isNoted)}${STORE_WINDOW}
@compute @workgroup_size(${TILE_LANES})
fn main(@builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { ticket = atomicAdd(&states[0], 1u); }
  let number = workgroupUniformLoad(&ticket);
  let rows = params[0].x;
  let tile_rows = params[0].y;
  let tiles = (rows + tile_rows - 1u) / tile_rows;
  if (number >= tiles) { return; }
  let tile = tile_of(number, tiles);
  let first_row = tile * tile_rows;
  let index = first_row + lane;
  load_tile(first_row, min(rows, first_row + tile_rows), lane);
  workgroupBarrier();
  let is_row = lane < tile_rows && index < rows;
  let size = count_row(index, is_row);
  let is_valid = is_row && !row_is_null;
  if (size > params[1].w) { atomicAdd(&states[2], 1u); }
  let before = block_exclusive_scan(size, lane);
  let bytes = min(workgroupUniformLoad(&scan_total), MOST_BYTES);
  if (lane == 0u && posts(tile)) { post(tile, bytes, select(1u, 2u, tile == 0u)); }
  let limit = select(bytes, 0u, bytes == MOST_BYTES);
  if (limit > 0u) { fill_window(0u, index, before, size, lane); }
  let start = bytes_before(tile, lane);
  let stop = min(start + bytes, MOST_BYTES);
  if (lane == 0u && (posts(tile) || tile + 1u == tiles)) { post(tile, stop, 2u); }
  if (is_row) {
    atomicStore(&output[params[1].y + index], start + before);
    if (index + 1u == rows) { atomicStore(&output[params[1].y + rows], stop); }
  }
${canBeNull ? STORE_VALIDITY : ""}\
  if (limit > 0u) { store_window(0u, limit, start, lane); }
  if (limit > WINDOW_BYTES) {
${isNoted ? RECOUNT : ""}\
    for (var first = WINDOW_BYTES; first < limit; first += WINDOW_BYTES) {
      workgroupBarrier();
      fill_window(first, index, before, size, lane);
      store_window(first, limit, start, lane);
    }
  }
  if (lane == 0u && stop < MOST_BYTES) { atomicAdd(&states[1], 1u); }
}
`;
}

const RECOUNT = `\
    // Another tile may have been counted meanwhile.
    count_row(index, is_row);
`;

const countRow = (body: RowKernel["body"], isNoted: boolean) => `
// The bytes that a row makes.
fn count_row(index: u32, is_row: bool) -> u32 {
  row_size = 0u;
  row_steps = 0u;
  row_is_null = false;
${mayFail(body) ? "  row_fails = false;\n" : ""}\
${isNoted ? "  row_pieces = 0u;\n" : ""}\
  if (is_row) { compute_row(index); }
  if (row_is_null) { row_size = 0u; }
  if (${givesUpRow({ body }, "row_steps")}) { row_size = 0xffffffffu; }
  row_steps = 0u;
  return row_size;
}
`;

const STORE_VALIDITY = `\
  atomicOr(&valid_words[lane >> 5u], select(0u, 1u, is_valid) << (lane & 31u));
  workgroupBarrier();
  if (lane * 32u < tile_rows && first_row + lane * 32u < rows) {
    let word = params[1].x + (first_row >> 5u) + lane;
    atomicStore(&output[word], atomicLoad(&valid_words[lane]));
  }
`;

const STORE_WINDOW = `
// Assembles the bytes of the tile from \`first\` on.
fn fill_window(first: u32, index: u32, before: u32, size: u32, lane: u32) {
  window_first = first >> 2u;
  if (first > 0u) {
    for (var k = lane; k < ${WINDOW_WORDS}u; k += ${TILE_LANES}u) { atomicStore(&window[k], 0u); }
  }
  workgroupBarrier();
  if (size > 0u && before < first + WINDOW_BYTES && before + size > first) {
    begin_row(before);
    store_row(index);
    end_row();
  }
  workgroupBarrier();
}

// Stores them where they belong. Another tile has bytes in the first word, or in the last.
fn store_window(first: u32, limit: u32, start: u32, lane: u32) {
  let count = min(limit - first, WINDOW_BYTES);
  let at = params[1].z * 4u + start + first;
  let skip = at & 3u;
  let words = (skip + count + 3u) >> 2u;
  for (var k = lane; k < words; k += ${TILE_LANES}u) {
    let word = (at >> 2u) + k;
    if (word >= params[0].z) { break; }
    var bytes = 0u;
    if (k < ${WINDOW_WORDS}u) { bytes = atomicLoad(&window[k]) << (skip * 8u); }
    if (k > 0u && skip > 0u) { bytes |= atomicLoad(&window[k - 1u]) >> (32u - skip * 8u); }
    let own_first = select(0u, skip, k == 0u);
    let own_stop = min(4u, skip + count - 4u * k);
    if (own_first == 0u && own_stop == 4u) {
      atomicStore(&output[word], bytes);
    } else {
      let mask = (0xffffffffu << (own_first * 8u)) & (0xffffffffu >> (32u - own_stop * 8u));
      atomicAnd(&output[word], ~mask);
      atomicOr(&output[word], bytes & mask);
    }
  }
}
`;
