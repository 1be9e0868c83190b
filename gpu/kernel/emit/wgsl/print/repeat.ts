/**
 * Prints repetitions of text. The sizes pass gives up a row whose repetition exceeds the limit, so
 * the write pass only sees those that fit.
 *
 * @module
 */

import { type PrintedSpace, printInt, printScalar, printUnsigned, spaceName } from "./scalar.ts";
import { MAX_REPEATED_BYTES, type RowKernel, type Stmt } from "../../../ir/ir.ts";
import { binary } from "../../../ir/scalar.ts";

type Repeat = Extract<Stmt, { do: "repeat" }>;
type Literals = Pick<RowKernel, "literals">;

/** Returns the repeated byte, if it is a single known byte. */
export function repeatedByte(
  { space, start, stop }: Repeat,
  { literals }: Literals,
): number | null {
  if (space.space !== "literals" || start.op !== "const" || stop.op !== "const") return null;
  const size = Number(stop.value) - Number(start.value);
  return size === 1 ? literals[Number(start.value)] ?? null : null;
}

/** Prints code that counts a repetition, or only checks it. */
export function countRepeat(
  stmt: Repeat | Extract<Stmt, { do: "checkRepeat" }>,
  kernel: Literals,
): string[] {
  const size = stmt.do === "repeat" ? binary("-", stmt.stop, stmt.start) : stmt.size;
  const operands = `${printUnsigned(size)}, ${printScalar(stmt.count)}`;
  const check = `if (repeats_too_often(${operands})) { row_size = 0xffffffffu; return; }`;
  if (stmt.do === "checkRepeat") return [check];
  const isByte = repeatedByte(stmt, kernel) !== null;
  return [check, `grow_repeated(${operands}, ${isByte});`];
}

/** Prints code that stores a repetition. */
export function storeRepeat(stmt: Repeat, kernel: Literals): string {
  const byte = repeatedByte(stmt, kernel);
  const count = printScalar(stmt.count);
  if (byte !== null) return `fill(${printInt(byte)}u, ${count});`;
  const [start, stop] = [printUnsigned(stmt.start), printUnsigned(stmt.stop)];
  return `repeat${spaceName(stmt.space)}(${start}, ${stop}, ${count});`;
}

/** The functions of the sizes pass. */
export const COUNTING_REPEATS = printCounting(
  `// The write pass goes round once for each time, unless it fills words.
  if (!by_words) { row_steps += bitcast<u32>(count); }`,
);

/** The same for long rows, whose repetitions each invocation computes alone. */
export const COUNTING_REPEATS_TOGETHER = printCounting(
  "row_steps += bitcast<u32>(count) * select(1u + (bytes >> 2u), 1u, by_words);",
);

function printCounting(steps: string): string {
  return `
fn repeats_too_often(bytes: u32, count: i32) -> bool {
  if (count <= 0 || bytes == 0u) { return false; }
  let room = ${MAX_REPEATED_BYTES}u - min(row_size, ${MAX_REPEATED_BYTES}u);
  return bitcast<u32>(count) > room / bytes;
}

fn grow_repeated(bytes: u32, count: i32, by_words: bool) {
  if (count <= 0 || bytes == 0u) { return; }
  grow(bytes * bitcast<u32>(count));
  ${steps}
}
`;
}

/** The function of the write pass that repeats one byte. */
export const STORING_REPEATS = `
fn fill(byte: u32, count: i32) {
  let word = byte * 0x01010101u;
  var left = bitcast<u32>(max(count, 0));
  for (; left >= 4u; left -= 4u) { push(word, 4u); }
  if (left > 0u) { push(word & (0xffffffffu >> (32u - left * 8u)), left); }
}
`;

/** Prints the functions of the write pass that repeat text of the spaces that it copies from. */
export function printRepeats(spaces: readonly PrintedSpace[]): string {
  return spaces.map(({ name }) => `
fn repeat${name}(start: u32, stop: u32, count: i32) {
  if (start == stop) { return; }
  for (var left = count; left > 0; left--) { copy${name}(start, stop); }
}
`).join("");
}
