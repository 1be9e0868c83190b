import { assert, assertEquals, assertThrows } from "@std/assert";
import { isUtf8 } from "node:buffer";
import type { HostColumn } from "../../../../gpu/column/column.ts";
import { sliceColumn } from "../../../../gpu/column/slice.ts";
import { inspectColumn, inspectItems, isAscii, knownText } from "../../../../gpu/column/utf8.ts";
import { isUtf8Text, startWithCharacters } from "../../../../gpu/column/utf8_blocks.ts";
import { BLOCK_BYTES, utf8Block } from "../../../../gpu/column/utf8_kernel.ts";
import { Utf8Error } from "../../../../base/errors/value_error.ts";
import { columnOf } from "../../../support/values/host_columns.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const block = utf8Block()!;

Deno.test("a byte that is not ASCII is found at any place of any part, and none beside it", () => {
  const size = 15;
  for (let offset = 0; offset < 4; offset++) {
    const bytes = new Uint8Array(new ArrayBuffer(offset + size), offset).fill(0x7f);
    for (let at = 0; at < size; at++) {
      bytes[at] = 0x80;
      for (let start = 0; start <= size; start++) {
        for (let stop = start; stop <= size; stop++) {
          const wanted = at < start || at >= stop;
          assertEquals(isAscii(bytes, start, stop), wanted, `${at} in ${start} to ${stop}`);
        }
      }
      bytes[at] = 0x7f;
    }
  }
});

Deno.test("rows start with characters unless one begins inside of one, or in front of the last", () => {
  const text = new TextEncoder().encode("aé漢😀b");
  // Behind the rows there may be any byte.
  const data = Uint8Array.of(...text, 0x80);
  const starts = (...offsets: number[]) =>
    startWithCharacters({
      ...columnOf({ kind: "string" }, []),
      length: offsets.length - 1,
      data,
      offsets: Int32Array.from(offsets),
    });
  for (let at = 0; at <= text.length; at++) {
    const isStart = at === text.length || (text[at]! & 0xc0) !== 0x80;
    assertEquals(starts(0, at, text.length), isStart, `a last row from ${at}`);
    assertEquals(starts(0, at, text.length, text.length), isStart, `a row from ${at}`);
    assertEquals(starts(at, text.length), isStart, `a first row from ${at}`);
  }
  assertEquals([starts(0, 3, 1, text.length), starts(0, 3, 1)], [false, false]);
  assertEquals([starts(0, 99), starts(-1, 3), starts(0)], [false, false, true]);
});

/** Bytes at both sides of every border that UTF-8 knows. */
// deno-fmt-ignore
const BORDERS = [
  0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf,
  0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff,
];

Deno.test("four bytes are UTF-8 where Deno says so, on both sides of every border", () => {
  const text = new Uint8Array(4);
  for (const first of BORDERS) {
    for (const second of BORDERS) {
      for (const third of BORDERS) {
        for (const fourth of BORDERS) {
          text.set([first, second, third, fourth]);
          assertEquals(block.isUtf8(text), isUtf8(text), `bytes ${text}`);
        }
      }
    }
  }
});

Deno.test("four bytes are UTF-8 where Deno says so, where a round of long characters ends", () => {
  const encoder = new TextEncoder();
  for (const before of [61, 62, 63]) {
    const text = encoder.encode(
      "漢".repeat(20) + "a".repeat(before - 60) + "????" + "é".repeat(30),
    );
    for (let number = 0; number < BORDERS.length ** 4; number++) {
      for (let byte = 0, rest = number; byte < 4; byte++) {
        text[before + byte] = BORDERS[rest % BORDERS.length]!;
        rest = Math.floor(rest / BORDERS.length);
      }
      if (block.isUtf8(text) !== isUtf8(text)) throw new Error(`bytes ${text} from ${before}`);
    }
  }
});

Deno.test("every character is UTF-8, at every place of a word and of a round", () => {
  const encoder = new TextEncoder();
  for (let first = 0; first < 0x110000; first += 0x400) {
    const codes = Array.from({ length: 0x400 }, (_, i) => first + i);
    // Halves of pairs are no characters.
    const text = encoder.encode(String.fromCodePoint(...codes).toWellFormed());
    for (const place of [0, 1, 2, 3, 13, 14, 15, 61, 62, 63]) {
      const moved = new Uint8Array(place + text.length);
      moved.set(text, place);
      assert(block.isUtf8(moved), `from ${first} at ${place}`);
      const torn = moved.subarray(0, -1);
      assertEquals(block.isUtf8(torn), isUtf8(torn), `torn, from ${first} at ${place}`);
    }
  }
});

Deno.test("a byte that was changed is found wherever it lies", () =>
  forSeeds(fewOr(800, 3000), (random) => {
    const text = new TextEncoder().encode(randomText(random, random.below(200)));
    const changes = random.below(3);
    for (let i = 0; i < changes && text.length > 0; i++) {
      text[random.below(text.length)] = random.pick(BORDERS);
    }
    assertEquals(block.isUtf8(text), isUtf8(text), `bytes ${text}`);
  }));

Deno.test("a byte that was changed is found where rounds of one kind follow those of another", () => {
  const draws = new Draws(["right", "wrong"]);
  return forSeeds(fewOr(1500, 5000), (random) => {
    const runs = Array.from(
      { length: 1 + random.below(6) },
      () => random.pick(["a", "é", "漢", "😀"]).repeat(random.below(90)),
    );
    const text = new TextEncoder().encode(runs.join(""));
    if (text.length > 0 && random.chance(0.8)) {
      // Mostly where a round ends.
      const round = 64 * random.below(text.length / 64 + 1);
      const place = random.chance(0.7) ? round - 4 + random.below(8) : random.below(text.length);
      text[Math.min(Math.max(place, 0), text.length - 1)] = random.pick(BORDERS);
    }
    const wanted = isUtf8(text);
    draws.add(wanted ? "right" : "wrong");
    assertEquals(block.isUtf8(text), wanted, `bytes ${text}`);
  }, draws);
});

Deno.test("the first row that is not UTF-8 is that of a check row by row", () => {
  const draws = new Draws(["blocks", "torn", "nulls", "junk", "whole", "sliced"]);
  return forSeeds(fewOr(20, 60), (random) => {
    const column = randomColumn(random, draws);
    const wanted = firstInvalidRow(column);
    if (wanted < 0) {
      assertEquals(inspectColumn(column).ascii, textOf(column).every((byte) => byte < 0x80));
    } else {
      const error = assertThrows(() => inspectColumn(column), Utf8Error);
      assertEquals(error.row, wanted);
    }
    // What it proves holds, and it proves what has no nulls.
    const isProven = isUtf8Text(column);
    if (isProven) assertEquals(wanted, -1);
    const isLong = textOf(column).length >= 2048;
    // Rows of wide text are looked at one by one.
    const isNarrow = column.offsets instanceof Int32Array;
    if (wanted < 0 && isLong && isNarrow && column.nullCount === 0) assert(isProven);
  }, draws);
});

Deno.test("what is known of text is known of its rows only", () => {
  const data = new TextEncoder().encode("aéb".repeat(1000));
  data[5] = 0xff;
  const numRows = data.length / 4;
  const offsets = Int32Array.from({ length: numRows + 1 }, (_, row) => 4 * row);
  // The second row is null.
  const validity = new Uint8Array((numRows + 7) >> 3).fill(0xff);
  validity[0] = 0xfd;
  const column: HostColumn = {
    place: "host",
    type: { kind: "string" },
    length: numRows,
    nullCount: 1,
    validity,
    data,
    offsets,
    children: [],
  };
  assert(!inspectColumn(column).ascii);
  assert(knownText({ ...column, offsets: offsets.subarray(0), validity: validity.subarray(0) }));
  const shown = { ...column, nullCount: 0, validity: null };
  assertEquals(assertThrows(() => inspectColumn(shown), Utf8Error).row, 1);
  const torn = { ...column, offsets: offsets.map((place) => place === 12 ? 14 : place) };
  assertEquals(assertThrows(() => inspectColumn(torn), Utf8Error).row, 2);
});

Deno.test("an item of a list is named by its row unless it, or its list, is null", async () => {
  const draws = new Draws([
    "an item that is wrong",
    "none",
    "a wrong one below a null list",
    "a wrong null",
  ]);
  await forSeeds(200, (random) => {
    const rows = Array.from({ length: 1 + random.below(30) }, () => {
      const isNull = random.chance(0.3);
      const items = Array.from({ length: random.below(6) }, () => {
        const isNullItem = random.chance(0.2);
        return { isNullItem, isWrong: random.chance(isNull || isNullItem ? 0.5 : 0.01) };
      });
      return { isNull, items };
    });
    const items = rows.flatMap((row) => row.items);
    const bitsOf = (flags: readonly boolean[]) => {
      const bits = new Uint8Array(Math.ceil(flags.length / 8) + 1);
      flags.forEach((flag, i) => flag && (bits[i >> 3]! |= 1 << (i & 7)));
      return bits;
    };
    const stops = rows.map((_, row) =>
      rows.slice(0, row + 1).reduce((sum, { items }) => sum + items.length, 0)
    );
    // An item is "é", or its first byte twice.
    const own: HostColumn = {
      ...columnOf({ kind: "string" }, []),
      length: items.length,
      data: Uint8Array.from(items.flatMap(({ isWrong }) => isWrong ? [0xc3, 0xc3] : [0xc3, 0xa9])),
      offsets: Int32Array.from({ length: items.length + 1 }, (_, i) => 2 * i),
      nullCount: items.filter(({ isNullItem }) => isNullItem).length,
      validity: bitsOf(items.map(({ isNullItem }) => !isNullItem)),
    };
    const lists: HostColumn = {
      ...own,
      type: { kind: "list", item: { kind: "string" } },
      length: rows.length,
      offsets: Int32Array.of(0, ...stops),
      nullCount: rows.filter(({ isNull }) => isNull).length,
      validity: bitsOf(rows.map(({ isNull }) => !isNull)),
      children: [own],
    };
    const wrong = rows.findIndex(({ isNull, items }) =>
      !isNull && items.some(({ isNullItem, isWrong }) => isWrong && !isNullItem)
    );
    draws.add(wrong < 0 ? "none" : "an item that is wrong");
    if (rows.some(({ isNull, items }) => isNull && items.some(({ isWrong }) => isWrong))) {
      draws.add("a wrong one below a null list");
    }
    if (items.some(({ isNullItem, isWrong }) => isNullItem && isWrong)) draws.add("a wrong null");
    if (wrong < 0) inspectItems(lists);
    else assertEquals(assertThrows(() => inspectItems(lists), Utf8Error).row, wrong);
  }, draws);
});

Deno.test("what is known of the items of some lists is not known of those of others", () => {
  const items = columnOf({ kind: "string" }, ["é", "日", "é"]);
  items.data[items.offsets![1]!] = 0xff;
  const lists: HostColumn = {
    place: "host",
    type: { kind: "list", item: { kind: "string" } },
    length: 3,
    nullCount: 1,
    validity: Uint8Array.of(0b101),
    data: new Uint8Array(0),
    offsets: Int32Array.of(0, 1, 2, 3),
    children: [items],
  };
  assert(!inspectItems(lists).ascii);
  const shown = { ...lists, nullCount: 0, validity: null };
  assertEquals(assertThrows(() => inspectItems(shown), Utf8Error).row, 1);
});

Deno.test("offsets that go back prove nothing, wherever they lead", () =>
  forSeeds(100, (random) => {
    const rows = Array.from(
      { length: 1000 + random.below(random.pick([100, 20_000])) },
      () => randomText(random, 6),
    );
    const column = columnOf({ kind: "string" }, rows, { random });
    const offsets = column.offsets!.slice() as Int32Array;
    const row = 1 + random.below(column.length - 1);
    const place = random.pick([
      offsets[row - 1]! - 1 - random.below(300),
      offsets[row + 1]! + 1 + random.below(300),
      -1,
      -(2 ** 31),
      2 ** 31 - 1,
    ]);
    offsets[row] = place;
    const isRising = offsets[row - 1]! <= place && place <= offsets[row + 1]!;
    if (!isRising) assert(!isUtf8Text({ ...column, offsets }));
  }));

/** Names, long texts and empty ones, of 1 to 4 bytes a character. */
function randomText(random: SeededRandom, length: number): string {
  const letters = random.pick([["a", "b"], ["a", "é"], ["ж", "a", "漢"], [
    "a",
    "é",
    "漢",
    "😀",
    "\u{10ffff}",
  ]]);
  return Array.from({ length }, () => random.pick(letters)).join("");
}

/** A column whose text may be torn, by changed bytes or by rows that begin in a character. */
function randomColumn(random: SeededRandom, draws: Draws): HostColumn {
  const longest = random.pick([3, 20, 3000, 150_000]);
  const numRows = longest > 100_000 ? 8 : longest > 1000 ? 100 : 20_000;
  const hasNulls = random.chance(0.3);
  const rows = Array.from(
    { length: numRows },
    () =>
      hasNulls && random.chance(0.1)
        ? null
        : random.chance(0.1)
        ? ""
        : randomText(random, random.below(longest)),
  );
  const column = columnOf({ kind: "string" }, rows, { random });
  const { data, offsets } = column;
  if (textOf(column).length > BLOCK_BYTES) draws.add("blocks");
  const kind = random.below(3);
  if (kind === 1) {
    draws.add("torn");
    data[offsets![0]! + random.below(textOf(column).length)] = random.pick(BORDERS);
  } else if (kind === 2) {
    // A border between two rows moves into a character, or out of it.
    const row = 1 + random.below(numRows - 1);
    if (offsets![row]! < offsets![row + 1]!) offsets![row]!++;
  } else draws.add("whole");
  if (hasNulls) draws.add(kind === 1 ? "junk" : "nulls");
  if (random.chance(0.5)) return column;
  draws.add("sliced");
  const start = random.below(numRows);
  return sliceColumn(column, start, start + random.below(numRows - start + 1));
}

function textOf({ data, offsets, length }: HostColumn): Uint8Array {
  return data.subarray(offsets![0]!, offsets![length]!);
}

function firstInvalidRow({ data, offsets, validity, length }: HostColumn): number {
  for (let row = 0; row < length; row++) {
    if (validity !== null && (validity[row >> 3]! >> (row & 7) & 1) === 0) continue;
    if (!isUtf8(data.subarray(offsets![row]!, offsets![row + 1]!))) return row;
  }
  return -1;
}
