import { assertEquals } from "@std/assert";
import type { ColumnType } from "../../../../gpu/column/column.ts";
import { fitsOneWord, readIntKeys, readLowWords } from "../../../../gpu/key/key_words.ts";
import { slicedColumn } from "../../../support/models/column_model.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";

const BITS = [8, 16, 32, 64] as const;

Deno.test("integers of every type are read as words of two's complement, a block at a time", async () => {
  const draws = new Draws(["negative", "above 2^31", "fits a word", "does not"]);
  await forSeeds(60, (random) => {
    const [bits, signed] = [random.pick(BITS), random.chance(0.5)];
    const type: ColumnType = { kind: "int", bits, signed };
    // Numbers of few bits, and near both ends of the type.
    const rows = Array.from({ length: random.pick([1, 512, 700]) }, () => {
      const wide = BigInt(random.below(2 ** 32)) << 32n | BigInt(random.below(2 ** 32));
      const value = wide >> BigInt(random.pick([0, 32, 40, 62]));
      const own = random.chance(0.5) ? value : -value;
      return signed ? BigInt.asIntN(bits, own) : BigInt.asUintN(bits, own);
    });
    const column = slicedColumn(random, type, rows);
    const wordsOf = (value: bigint) =>
      [0n, 32n].map((shift) => Number(BigInt.asIntN(32, value >> shift)));
    if (rows.some((value) => value < 0n)) draws.add("negative");
    if (rows.some((value) => value >= 2n ** 31n)) draws.add("above 2^31");
    for (let start = 0; start < rows.length; start += 512) {
      const stop = Math.min(start + 512, rows.length);
      const part = rows.slice(start, stop);
      for (const width of bits === 64 ? [2] as const : [1, 2] as const) {
        const { words, at } = readIntKeys(column, width)(start, stop);
        const found = Array.from(words.subarray(at, at + width * part.length));
        assertEquals(found, part.flatMap((value) => wordsOf(value).slice(0, width)));
      }
      const { words, at } = readLowWords(column)(start, stop);
      const found = Array.from(words.subarray(at, at + part.length));
      assertEquals(found, part.map((value) => wordsOf(value)[0]));
    }
    // The words of a uint64 are those of the int64 with its bits.
    const fits = rows.every((value) => BigInt.asIntN(32, value) === BigInt.asIntN(64, value));
    assertEquals(fitsOneWord(column), fits);
    draws.add(fits ? "fits a word" : "does not");
  }, draws);
});
