import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import type { ColumnType, HostColumn } from "../../../../gpu/column/column.ts";
import { GrowingBits, GrowingBuffer } from "../../../../gpu/column/growing_buffer.ts";
import { GrowingColumn } from "../../../../gpu/column/growing_column.ts";
import { GrowingOffsets } from "../../../../gpu/column/growing_offsets.ts";
import { OverflowError } from "../../../../base/errors/value_error.ts";
import { ALL_TYPES, plainOf, randomColumn } from "../../../support/models/column_model.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";

for (const type of ALL_TYPES) {
  Deno.test(`a column of ${JSON.stringify(type)} grows by the rows of others`, () =>
    forSeeds(40, (random) => {
      const columns = Array.from(
        { length: random.below(6) },
        () => randomColumn(random, type, random.pick([0, 1, 7, 8, 9, 40, 300])),
      );
      // What is expected need not come.
      const expected = { numRows: random.below(400), sample: columns.slice(0, random.below(4)) };
      const growing = random.chance(0.5)
        ? new GrowingColumn(type)
        : new GrowingColumn(type, expected);
      for (const column of columns) growing.append(column);
      assertEquals(plainOf(growing.finish()), columns.flatMap(plainOf));
    }));
}

Deno.test("bits grow at any bit", () =>
  forSeeds(100, (random) => {
    const growing = new GrowingBits();
    const expected: number[] = [];
    for (let part = random.below(6); part > 0; part--) {
      const bits = Array.from({ length: random.below(70) }, () => random.below(2));
      // What lies behind the last bit is not looked at.
      const bytes = new Uint8Array(Math.ceil(bits.length / 8)).fill(255);
      bits.forEach((bit, at) => bit === 0 ? bytes[at >> 3]! &= ~(1 << (at & 7)) : 0);
      growing.append(bytes, bits.length);
      expected.push(...bits);
    }
    assertEquals(growing.length, expected.length);
    const bytes = growing.finish();
    assertEquals(bytes.length, Math.ceil(expected.length / 8));
    while (expected.length % 8 !== 0) expected.push(0);
    assertEquals(expected.map((_, at) => (bytes[at >> 3]! >> (at & 7)) & 1), expected);
  }));

Deno.test("bytes grow through blocks of 32 MiB, which are freed when they are copied", () => {
  const growing = new GrowingBuffer();
  const part = new Uint32Array(3 << 20);
  const spaces: Uint8Array[] = [];
  const numParts = 7;
  for (let index = 0; index < numParts; index++) {
    for (let at = 0; at < part.length; at++) part[at] = index * part.length + at;
    const bytes = new Uint8Array(part.buffer);
    const space = growing.reserve(8);
    space.set(bytes.subarray(0, 8));
    spaces.push(space);
    growing.append(bytes.subarray(8));
  }
  assertEquals(growing.length, numParts * part.byteLength);
  const bytes = growing.finish();
  assertEquals([bytes.length, bytes.byteOffset], [numParts * part.byteLength, 0]);
  assertStrictEquals(bytes.buffer.byteLength, bytes.length);
  const words = new Uint32Array(bytes.buffer);
  assert(words.every((word, at) => word === at));
  for (const space of spaces) assertStrictEquals(space.buffer.byteLength, 0);
  assertEquals(growing.length, 0);
});

Deno.test("bytes stay in the place that is reserved for them, and what is more follows", () =>
  forSeeds(20, (random) => {
    const reserved = 1 + random.below(200);
    const growing = new GrowingBuffer(reserved);
    const { buffer } = growing.reserve(1);
    const more = Uint8Array.from({ length: random.below(400) }, (_, at) => at % 251);
    growing.append(more);
    const bytes = growing.finish();
    assertEquals(bytes, Uint8Array.of(0, ...more));
    if (bytes.length <= reserved) assertStrictEquals(bytes.buffer, buffer);
  }));

Deno.test("what exceeds a reserved place of more than a block is put behind it", () => {
  const reserved = 40 << 20;
  const growing = new GrowingBuffer(reserved);
  const part = new Uint8Array(10 << 20);
  for (let index = 0; index < 8; index++) growing.append(part.fill(index + 1));
  const bytes = growing.finish();
  assertStrictEquals(bytes.length, 80 << 20);
  for (let index = 0; index < 8; index++) {
    const own = bytes.subarray(index * part.length, (index + 1) * part.length);
    assert(own.every((byte) => byte === index + 1));
  }
});

Deno.test("a buffer without bytes is empty", () => {
  assertEquals(new GrowingBuffer().finish().length, 0);
  assertEquals(new GrowingBits().finish().length, 0);
});

Deno.test("offsets become those of 64 bits with the first that needs them", () => {
  const growing = new GrowingOffsets();
  growing.append(Int32Array.of(5, 6, 9), 2);
  growing.append(Float64Array.of(2 ** 40, 2 ** 40 + 2, 2 ** 40 + 3), 1);
  growing.append(Int32Array.of(7), 0);
  growing.append(Int32Array.of(0, 2 ** 31 - 1), 1);
  growing.append(Int32Array.of(3, 4), 1);
  const ends = growing.finish();
  assertInstanceOf(ends, Float64Array);
  assertEquals([...ends], [0, 1, 4, 6, 2 ** 31 + 5, 2 ** 31 + 6]);
  const narrow = new GrowingOffsets();
  narrow.append(Float64Array.of(2 ** 40, 2 ** 40 + 2 ** 31 - 1), 1);
  assertEquals(narrow.finish(), Int32Array.of(0, 2 ** 31 - 1));
});

Deno.test("lists of more than 2^31 - 1 items are an error that names the row", () => {
  // Items without bytes.
  const item: ColumnType = { kind: "struct", fields: [] };
  const frame = { place: "host", nullCount: 0, validity: null, data: new Uint8Array() } as const;
  const listsOf = (offsets: Int32Array): HostColumn => ({
    ...frame,
    type: { kind: "list", item },
    length: offsets.length - 1,
    offsets,
    children: [{ ...frame, type: item, length: 2 ** 31 - 1, offsets: null, children: [] }],
  });
  const growing = new GrowingColumn({ kind: "list", item });
  growing.append(listsOf(Int32Array.of(0, 1, 2 ** 31 - 2)));
  growing.append(listsOf(Int32Array.of(8, 9)));
  const error = assertThrows(() => growing.append(listsOf(Int32Array.of(3, 3, 4))), OverflowError);
  assertEquals([error.row, error.dataBytes], [4, 2 ** 31]);
});
