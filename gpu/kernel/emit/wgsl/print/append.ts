/**
 * Prints how a row appends text: the sizes pass counts, the write pass stores.
 *
 * The write pass collects bytes in a private word. Words that the row shares with its neighbours
 * (at most the first and the last) are joined with `atomicOr`, the others are stored; so the text
 * has to start as zeros. Views are copied by whole words with a funnel shift.
 *
 * @module
 */

import { LONG_ROW_LANES, type Once, TOGETHER_BYTES } from "./pass.ts";
import type { RowKernel, Scalar, Stmt } from "../../../ir/ir.ts";
import { countRepeat, storeRepeat } from "./repeat.ts";
import { type PrintedSpace, printInt, printUnsigned, spaceName } from "./scalar.ts";

/** Prints consecutive appending statements as lines of code. */
export type AppendPrinter = (appends: readonly Stmt[]) => string[];

/** The longest literal that the code contains, instead of copying it from a buffer. */
const MAX_INLINE_BYTES = 16;

/** Returns the bytes that a statement appends, if they are known and few. */
export function knownBytes(stmt: Stmt, { literals }: Pick<RowKernel, "literals">): number[] | null {
  if (stmt.do === "put" && stmt.byte.op === "const") return [Number(stmt.byte.value) & 255];
  if (stmt.do !== "copy" || stmt.space.space !== "literals") return null;
  const { start, stop } = stmt;
  if (start.op !== "const" || stop.op !== "const") return null;
  const bytes = literals.subarray(Number(start.value), Number(stop.value));
  return bytes.length <= MAX_INLINE_BYTES ? [...bytes] : null;
}

/** Returns the printer of the sizes pass. */
export function countAppends(kernel: Pick<RowKernel, "literals">): AppendPrinter {
  return (appends) => {
    const lines: string[] = [];
    let constant = 0;
    for (const stmt of appends) {
      if (stmt.do === "put") constant++;
      if (stmt.do === "repeat" || stmt.do === "checkRepeat") {
        lines.push(...countRepeat(stmt, kernel));
      }
      if (stmt.do !== "copy") continue;
      if (stmt.start.op === "const" && stmt.stop.op === "const") {
        constant += Number(stmt.stop.value) - Number(stmt.start.value);
      } else {
        lines.push(`grow(${printUnsigned(stmt.stop)} - ${printUnsigned(stmt.start)});`);
      }
    }
    if (constant > 0) lines.push(`grow(${printInt(constant)}u);`);
    return lines;
  };
}

/** Returns the printer of the write pass, which appends up to 4 consecutive bytes at a time. */
export function storeAppends(kernel: Pick<RowKernel, "literals">): AppendPrinter {
  return (appends) => {
    const lines: string[] = [];
    let pending: (number | Scalar)[] = [];
    const flush = () => {
      for (let i = 0; i < pending.length; i += 4) lines.push(printPush(pending.slice(i, i + 4)));
      pending = [];
    };
    for (const stmt of appends) {
      const bytes = knownBytes(stmt, kernel);
      if (bytes !== null) {
        pending.push(...bytes);
      } else if (stmt.do === "put") {
        pending.push(stmt.byte);
      } else if (stmt.do === "copy") {
        flush();
        const [start, stop] = [printUnsigned(stmt.start), printUnsigned(stmt.stop)];
        lines.push(`copy${spaceName(stmt.space)}(${start}, ${stop});`);
      } else if (stmt.do === "repeat") {
        flush();
        lines.push(storeRepeat(stmt, kernel));
      }
    }
    flush();
    return lines;
  };
}

/** Prints up to 4 bytes as one word, the first byte lowest. */
function printPush(bytes: readonly (number | Scalar)[]): string {
  const parts: string[] = [];
  let known = 0;
  bytes.forEach((byte, k) => {
    if (typeof byte === "number") {
      known += byte * 2 ** (8 * k);
    } else {
      const low = `${printUnsigned(byte)} & 255u`;
      parts.push(k === 0 ? low : `(${low}) << ${8 * k}u`);
    }
  });
  if (known > 0 || parts.length === 0) parts.push(`0x${known.toString(16)}u`);
  const word = parts.length === 1 ? parts[0]! : parts.map((part) => `(${part})`).join(" | ");
  return `push(${word}, ${bytes.length}u);`;
}

/** The state and the functions of the sizes pass. */
export const COUNTING = printCounting(`// The write pass copies word by word.
  row_steps += bytes >> 2u;`);

/** The same for long rows, whose copies a workgroup makes together. */
export const COUNTING_TOGETHER = printCounting(
  `row_steps += select(bytes >> 2u, 1u + bytes / ${
    4 * LONG_ROW_LANES
  }u, bytes >= ${TOGETHER_BYTES}u);`,
);

/** The same if no row can take too many rounds. */
export const COUNTING_SIZES = printCounting(null);

function printCounting(steps: string | null): string {
  return `
var<private> row_size: u32;

fn grow(bytes: u32) {
  row_size = add_saturating(row_size, bytes);
${steps === null ? "" : `  ${steps}\n`}}
`;
}

/** Prints the state and the functions of the write pass. */
export function printStoring(once: Once): string {
  return `
// The byte of the output that comes next, and the bytes of its word so far.
var<private> out_at: u32;
var<private> out_word: u32;
// Whether the word began in an earlier row.
var<private> out_shared: bool;

fn put_word(at: u32) {
  if (out_shared) {
    ${once("atomicOr(&output[at], out_word);")}
    out_shared = false;
  } else {
    put_whole(at);
  }
}

fn put_whole(at: u32) {
  ${once("atomicStore(&output[at], out_word);")}
}

// Appends the lowest \`count\` bytes, 1 to 4; the others are zero.
fn push(bytes: u32, count: u32) {
  let filled = out_at & 3u;
  out_word |= bytes << (filled * 8u);
  if (filled + count >= 4u) {
    put_word(out_at >> 2u);
    out_word = select(bytes >> (((4u - filled) * 8u) & 31u), 0u, filled == 0u);
  }
  out_at += count;
}

// Appends the first \`count\` bytes of four words, 1 to 16; the others may be anything.
fn push_words(words: vec4<u32>, count: u32) {
  let before = vec4<u32>(0u, 4u, 8u, 12u);
  let kept = min(max(vec4<u32>(count), before) - before, vec4<u32>(4u));
  let mask = vec4<u32>(0xffffffffu) >> ((32u - 8u * kept) & vec4<u32>(31u));
  let bytes = select(words & mask, vec4<u32>(0u), kept == vec4<u32>(0u));
  let shift = (out_at & 3u) * 8u;
  let low = bytes << vec4<u32>(shift);
  let high = select(bytes >> vec4<u32>((32u - shift) & 31u), vec4<u32>(0u), shift == 0u);
  let first = out_at >> 2u;
  let whole = ((out_at & 3u) + count) >> 2u;
  out_word |= low.x;
  if (whole > 0u) { put_word(first); out_word = high.x | low.y; }
  if (whole > 1u) { put_whole(first + 1u); out_word = high.y | low.z; }
  if (whole > 2u) { put_whole(first + 2u); out_word = high.z | low.w; }
  if (whole > 3u) { put_whole(first + 3u); out_word = high.w; }
  out_at += count;
}

fn begin_row(at: u32) {
  out_at = at;
  out_word = 0u;
  out_shared = (at & 3u) != 0u;
}

fn end_row() {
  if ((out_at & 3u) != 0u) {
    ${once("atomicOr(&output[out_at >> 2u], out_word);")}
  }
}
`;
}

/**
 * Prints the function that copies bytes of a space, 16 in a round, whose words are loaded side by
 * side; `printLong` prints the code for long copies.
 */
export function printCopy(
  { name, word }: PrintedSpace,
  printLong: (name: string) => string,
): string {
  const near = [0, 1, 2, 3].map((k) => word(k === 0 ? "place" : `place + ${k}u`));
  return `
fn copy${name}(start: u32, stop: u32) {
${printLong(name)}  let skip = (start & 3u) * 8u;
  for (var at = start; at < stop; at += 16u) {
    let place = at >> 2u;
    let near = vec4<u32>(${near.join(", ")});
    let far = vec4<u32>(near.yzw, ${word("place + 4u")});
    let words = (near >> vec4<u32>(skip)) | (far << vec4<u32>((32u - skip) & 31u));
    push_words(select(words, near, skip == 0u), min(16u, stop - at));
  }
}
`;
}

/**
 * Prints the same for text in workgroup memory, after the first step by whole words of the source.
 * A single `push` for all steps keeps the code small: compilers inline it at every call.
 */
export function printNearCopy({ name, word }: PrintedSpace): string {
  return `
fn copy${name}(start: u32, stop: u32) {
  for (var at = start; at < stop;) {
    let skip = at & 3u;
    let count = min(4u - skip, stop - at);
    push((${word("(at >> 2u)")} >> (skip * 8u)) & (0xffffffffu >> (32u - count * 8u)), count);
    at += count;
  }
}
`;
}
