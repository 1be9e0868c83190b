import { assertEquals, assertThrows } from "@std/assert";
import { BrokenPartError } from "../../../../base/errors/data_error.ts";
import { checkViews, viewedBytes } from "../../../../streams/data/views.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";

const numDataBytes = [0, 40, 100];
const dataBuffers = numDataBytes.map((length) => new Uint8Array(length));

/** A view of a value: inline, in a data buffer, or pointing outside of them. */
interface View {
  readonly numBytes: number;
  readonly buffer: number;
  readonly start: number;
  readonly isWrong: boolean;
}

Deno.test("a view outside of its data is named unless its row is null; the end of the others is known", async () => {
  const draws = new Draws(["sound", "wrong", "a wrong null", "no bitmap"]);
  await forSeeds(300, (random) => {
    const numRows = 1 + random.below(40);
    const mayBeWrong = random.chance(0.5);
    const rows = Array.from({ length: numRows }, (): View & { isNull: boolean } => {
      const isNull = random.chance(0.3);
      if (mayBeWrong && random.chance(isNull ? 0.5 : 0.02)) {
        const wrong = random.pick([
          { numBytes: -1, buffer: 1, start: 0 },
          { numBytes: 13, buffer: 0, start: 0 },
          { numBytes: 13, buffer: 3, start: 0 },
          { numBytes: 13, buffer: -1, start: 0 },
          { numBytes: 13, buffer: 1, start: -1 },
          { numBytes: 13, buffer: 1, start: 28 },
          { numBytes: 101, buffer: 2, start: 0 },
        ]);
        return { ...wrong, isWrong: true, isNull };
      }
      if (random.chance(0.3)) {
        return { numBytes: random.below(13), buffer: 9, start: 9, isWrong: false, isNull };
      }
      const buffer = 1 + random.below(2);
      const start = random.below(numDataBytes[buffer]! - 12);
      const numBytes = 13 + random.below(numDataBytes[buffer]! - start - 12);
      return { numBytes, buffer, start, isWrong: false, isNull };
    });
    const hasBitmap = rows.some(({ isNull }) => isNull);
    const bitmap = new Uint8Array(Math.ceil(numRows / 8)).fill(255);
    const words = new Int32Array(4 * numRows);
    rows.forEach(({ numBytes, buffer, start, isNull }, row) => {
      words.set([numBytes, 0x61616161, buffer, start], 4 * row);
      if (isNull) bitmap[row >> 3]! &= ~(1 << (row & 7));
    });
    const views = new Uint8Array(words.buffer);
    const validity = hasBitmap ? bitmap : undefined;
    if (!hasBitmap) draws.add("no bitmap");
    if (rows.some(({ isWrong, isNull }) => isWrong && isNull)) draws.add("a wrong null");
    const first = rows.findIndex(({ isWrong, isNull }) => isWrong && !isNull);
    draws.add(first < 0 ? "sound" : "wrong");
    if (first >= 0) {
      const problem = `the view of row ${first} points outside its data`;
      assertThrows(() => checkViews(views, dataBuffers, validity), BrokenPartError, problem);
      return;
    }
    checkViews(views, dataBuffers, validity);
    for (const buffer of numDataBytes.keys()) {
      const ends = rows.filter((row) => !row.isNull && row.numBytes > 12 && row.buffer === buffer)
        .map(({ start, numBytes }) => start + numBytes);
      assertEquals(viewedBytes(views, buffer, validity), Math.max(0, ...ends));
    }
  }, draws);
});
