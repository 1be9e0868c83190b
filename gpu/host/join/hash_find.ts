/**
 * The slots of a hash table, and lookups of a block of keys in them.
 *
 * @module
 */

import { BLOCK_ROWS, type KeyBlock, type KeyReader, type KeyWidth } from "../../key/key_words.ts";

/** The slots of a table. */
export interface HashTable {
  /** Each slot: the words of the key, (unused words,) and the row + 1; 0 in an empty slot. */
  readonly slots: Int32Array;
  /** Binary logarithm of the words of a slot. */
  readonly slotShift: 1 | 2;
  /** 32 less the binary logarithm of the number of slots. */
  readonly hashShift: number;
  readonly factors: readonly [number, number, number];
  /** Whether the slots exceed the cache, so that those of a block are touched ahead. */
  readonly touchesAhead: boolean;
  /** Sum of what was touched; never read, but the compiler cannot know. */
  touched: number;
}

/**
 * Makes the functions. Threads take along the source of this one, so nothing in it names anything from
 * outside.
 */
export function makeHashFind(blockRows: number) {
  /**
   * The first row of each key, or -1; one loop a width, so that each is straight code. A key is found
   * or not without a branch: an empty slot holds 0, a full one its row + 1. Only a slot of another
   * key makes the loop go on.
   */
  const FIND_WORDS = { 1: findOneWord, 2: findTwoWords, 3: findThreeWords } as const;

  function findOneWord(
    { slots, hashShift, factors }: HashTable,
    { words, at }: KeyBlock,
    numRows: number,
    firstRows: Int32Array,
    target: number,
  ): void {
    const mask = slots.length - 1;
    const factor = factors[0];
    for (let i = 0; i < numRows; i++) {
      const word = words[at + i]!;
      let slot = (Math.imul(word, factor) >>> hashShift) << 1;
      let found = slots[slot + 1]!;
      while (found !== 0 && slots[slot] !== word) {
        slot = (slot + 2) & mask;
        found = slots[slot + 1]!;
      }
      firstRows[target + i] = found - 1;
    }
  }

  function findTwoWords(
    { slots, hashShift, factors }: HashTable,
    { words, at }: KeyBlock,
    numRows: number,
    firstRows: Int32Array,
    target: number,
  ): void {
    const mask = slots.length - 1;
    const [factor0, factor1] = factors;
    for (let i = 0; i < numRows; i++) {
      const word0 = words[at + 2 * i]!;
      const word1 = words[at + 2 * i + 1]!;
      const hash = (Math.imul(word0, factor0) + Math.imul(word1, factor1)) >>> hashShift;
      let slot = hash << 2;
      let found = slots[slot + 3]!;
      while (found !== 0 && ((slots[slot]! ^ word0) | (slots[slot + 1]! ^ word1)) !== 0) {
        slot = (slot + 4) & mask;
        found = slots[slot + 3]!;
      }
      firstRows[target + i] = found - 1;
    }
  }

  function findThreeWords(
    { slots, hashShift, factors }: HashTable,
    { words, at }: KeyBlock,
    numRows: number,
    firstRows: Int32Array,
    target: number,
  ): void {
    const mask = slots.length - 1;
    const [factor0, factor1, factor2] = factors;
    for (let i = 0; i < numRows; i++) {
      const word0 = words[at + 3 * i]!;
      const word1 = words[at + 3 * i + 1]!;
      const word2 = words[at + 3 * i + 2]!;
      const hash = (Math.imul(word0, factor0) + Math.imul(word1, factor1) +
        Math.imul(word2, factor2)) >>> hashShift;
      let slot = hash << 2;
      let found = slots[slot + 3]!;
      while (
        found !== 0 &&
        ((slots[slot]! ^ word0) | (slots[slot + 1]! ^ word1) | (slots[slot + 2]! ^ word2)) !== 0
      ) {
        slot = (slot + 4) & mask;
        found = slots[slot + 3]!;
      }
      firstRows[target + i] = found - 1;
    }
  }

  /** Reads the slot of each key and nothing else, so that the cache misses of a block overlap. */
  const TOUCH_WORDS = { 1: touchOneWord, 2: touchTwoWords, 3: touchThreeWords } as const;

  function touchOneWord(table: HashTable, { words, at }: KeyBlock, numRows: number): number {
    const { slots, hashShift, factors } = table;
    let sum = 0;
    for (let i = 0; i < numRows; i++) {
      sum |= slots[(Math.imul(words[at + i]!, factors[0]) >>> hashShift) << 1]!;
    }
    return sum;
  }

  function touchTwoWords(table: HashTable, { words, at }: KeyBlock, numRows: number): number {
    const { slots, hashShift, factors } = table;
    let sum = 0;
    for (let i = 0; i < numRows; i++) {
      const hash = Math.imul(words[at + 2 * i]!, factors[0]) +
        Math.imul(words[at + 2 * i + 1]!, factors[1]);
      sum |= slots[(hash >>> hashShift) << 2]!;
    }
    return sum;
  }

  function touchThreeWords(table: HashTable, { words, at }: KeyBlock, numRows: number): number {
    const { slots, hashShift, factors } = table;
    let sum = 0;
    for (let i = 0; i < numRows; i++) {
      const hash = Math.imul(words[at + 3 * i]!, factors[0]) +
        Math.imul(words[at + 3 * i + 1]!, factors[1]) +
        Math.imul(words[at + 3 * i + 2]!, factors[2]);
      sum |= slots[(hash >>> hashShift) << 2]!;
    }
    return sum;
  }

  /** The first row of each of `numRows` keys, or -1; what is written for null rows means nothing. */
  function findHashed(
    table: HashTable,
    width: KeyWidth,
    read: KeyReader,
    numRows: number,
    firstRows: Int32Array,
  ): void {
    const findWords = FIND_WORDS[width];
    const touchWords = TOUCH_WORDS[width];
    for (let start = 0; start < numRows; start += blockRows) {
      const stop = Math.min(start + blockRows, numRows);
      const block = read(start, stop);
      if (table.touchesAhead) table.touched |= touchWords(table, block, stop - start);
      findWords(table, block, stop - start, firstRows, start);
      for (let i = 0; i < block.numUnpacked; i++) firstRows[start + block.unpacked[i]!] = -1;
    }
  }

  return { findHashed, touchWords: TOUCH_WORDS };
}

/** The functions of this thread. */
export const { findHashed, touchWords } = makeHashFind(BLOCK_ROWS);
