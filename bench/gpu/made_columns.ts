/**
 * Makes columns for works on a device: a block of rows, repeated.
 *
 * @module
 */

import type { HostColumn } from "../../gpu/column/column.ts";
import { randomNumbers, words } from "../support/names.ts";

/** The rows of the repeated block. */
const BLOCK_ROWS = 1 << 18;

const bare = { place: "host", nullCount: 0, validity: null, children: [] } as const;

/** Makes a column of text: `sizeOf` returns the bytes of a row, `write` fills them. */
function textColumn(
  numRows: number,
  sizeOf: (random: () => number) => number,
  write: (target: Uint8Array, random: () => number) => void,
): HostColumn {
  const random = randomNumbers(1);
  const blockRows = Math.min(numRows, BLOCK_ROWS);
  const sizes = Int32Array.from({ length: blockRows }, () => sizeOf(random));
  const starts = new Int32Array(blockRows + 1);
  for (let row = 0; row < blockRows; row++) starts[row + 1] = starts[row]! + sizes[row]!;
  const block = new Uint8Array(starts[blockRows]!);
  for (let row = 0; row < blockRows; row++) {
    write(block.subarray(starts[row], starts[row + 1]), random);
  }
  const fullBlocks = Math.floor(numRows / blockRows);
  const lastRows = numRows - fullBlocks * blockRows;
  const data = new Uint8Array(fullBlocks * block.length + starts[lastRows]!);
  const offsets = new Int32Array(numRows + 1);
  for (let k = 0; k * blockRows < numRows; k++) {
    const rows = Math.min(blockRows, numRows - k * blockRows);
    data.set(block.subarray(0, starts[rows]), k * block.length);
    for (let row = 1; row <= rows; row++) {
      offsets[k * blockRows + row] = k * block.length + starts[row]!;
    }
  }
  return { ...bare, type: { kind: "string" }, length: numRows, data, offsets };
}

/** Makes a column of random texts of a list. */
function pickedTexts(numRows: number, texts: readonly string[]): HostColumn {
  const encoder = new TextEncoder();
  const encoded = texts.map((text) => encoder.encode(text));
  const pick = (random: () => number) => encoded[random() % encoded.length]!;
  // The bytes are drawn after all sizes, with the same random numbers from the beginning.
  const again = randomNumbers(1);
  return textColumn(numRows, (random) => pick(random).length, (target) => target.set(pick(again)));
}

/** Makes a column of names of two words, 13 bytes on average. */
export function namesColumn(numRows: number): HostColumn {
  const [first, last] = [words(64, 1), words(64, 2)];
  return pickedTexts(numRows, first.flatMap((name) => last.map((other) => `${name} ${other}`)));
}

/** Makes a column of "public" and "private". */
export function kindsColumn(numRows: number): HostColumn {
  return pickedTexts(numRows, ["public", "private"]);
}

/** Makes a column of random small letters, from `least` to `most` bytes a row. */
export function lettersColumn(numRows: number, least: number, most: number): HostColumn {
  const sizeOf = (random: () => number) => least + random() % (most - least + 1);
  return textColumn(numRows, sizeOf, (target, random) => {
    for (let at = 0; at < target.length; at++) target[at] = 0x61 + random() % 26;
  });
}

/** Makes a column of 32-bit integers. */
export function intColumn(values: Int32Array): HostColumn {
  const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const type = { kind: "int", bits: 32, signed: true } as const;
  return { ...bare, type, length: values.length, data, offsets: null };
}

/** Makes a column of random booleans. */
export function boolColumn(numRows: number): HostColumn {
  const random = randomNumbers(3);
  const bits = new Uint32Array(Math.ceil(numRows / 32)).map(() => random());
  const data = new Uint8Array(bits.buffer);
  return { ...bare, type: { kind: "bool" }, length: numRows, data, offsets: null };
}

/** Returns the numbers below `count`, shuffled. */
export function shuffledNumbers(count: number): Int32Array {
  const random = randomNumbers(4);
  const numbers = Int32Array.from({ length: count }, (_, k) => k);
  for (let k = count - 1; k > 0; k--) {
    const other = random() % (k + 1);
    [numbers[k], numbers[other]] = [numbers[other]!, numbers[k]!];
  }
  return numbers;
}

/** Returns `count` random numbers below a limit. */
export function randomInts(count: number, limit: number): Int32Array {
  const random = randomNumbers(5);
  return Int32Array.from({ length: count }, () => random() % limit);
}
