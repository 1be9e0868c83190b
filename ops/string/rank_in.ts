import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32, Table } from "../../gpu/kernel/language/row_function.ts";

/**
 * A helper that counts how many of the numbers are not greater than a character; the numbers are
 * code points, sorted. A binary search, narrowed by an index with an entry for each 256 characters,
 * which leaves a few steps of the ten that a whole table takes.
 */
export function rankIn(numbers: Int32Array): Helper<(char: i32) => i32> {
  return defineHelper({
    args: { char: "i32" },
    returns: "i32",
    consts: { numbers, blocks: blocksOf(numbers) },
    row(char: i32, c: { numbers: Table; blocks: Table }): i32 {
      const block = char < 0x10000 ? char >> 8 : 0x100;
      let low = c.blocks.at(block);
      let high = c.blocks.at(block + 1);
      while (low < high) {
        const middle = (low + high) >> 1;
        if (c.numbers.at(middle) <= char) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  });
}

/** How many of the numbers are below each block; the last one has all other planes. */
function blocksOf(numbers: Int32Array): Int32Array {
  const blocks = new Int32Array(0x102).fill(numbers.length);
  for (let block = 0; block < blocks.length - 1; block++) {
    const first = block << 8;
    const below = numbers.findIndex((number) => number >= first);
    if (below >= 0) blocks[block] = below;
  }
  return blocks;
}
