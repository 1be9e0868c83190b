import { assert, assertEquals, assertThrows } from "@std/assert";
import { listOf, readThrift, struct, writeThrift } from "../../../streams/parquet/thrift.ts";
import { forSeeds, type SeededRandom } from "../../support/seeded_random.ts";

const inner = struct({ name: [1, "binary"], isSorted: [2, "bool"], width: [40, "i8"] });
const outer = struct({
  small: [1, "i16"],
  count: [2, "i32"],
  offset: [3, "i64"],
  flag: [4, "bool"],
  text: [5, "binary"],
  numbers: [20, listOf("i64")],
  flags: [21, listOf("bool")],
  parts: [22, listOf(inner)],
  part: [300, inner],
});

function someInner(random: SeededRandom) {
  return {
    name: new TextEncoder().encode(random.pick(["Zürich", "", "Þórshöfn"])),
    isSorted: random.chance(0.5),
    width: random.below(256) - 128,
  };
}

function someOuter(random: SeededRandom) {
  const integer = () => random.pick([0, 1, -1, 63, 64, -64, -65, 2 ** 31, 2 ** 51, -(2 ** 51)]);
  const many = <T>(make: () => T) => Array.from({ length: random.pick([0, 1, 14, 15, 200]) }, make);
  return {
    small: random.below(2 ** 16) - 2 ** 15,
    count: random.below(2 ** 31) * random.pick([1, -1]) || 0,
    offset: integer(),
    flag: random.chance(0.5),
    text: new Uint8Array(random.pick([0, 1, 127, 128, 5000])).fill(7),
    numbers: many(integer),
    flags: many(() => random.chance(0.5)),
    parts: many(() => someInner(random)),
    part: someInner(random),
  };
}

Deno.test("a struct of Thrift comes back as it was written", () =>
  forSeeds(50, (random) => {
    const value = someOuter(random);
    const bytes = writeThrift(value, outer);
    const read = readThrift(new Uint8Array([...bytes, 1, 2, 3]), outer);
    assertEquals(read.value, value);
    assertEquals(read.numBytes, bytes.length);
  }));

// The bytes of https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
Deno.test("integers, texts and fields of Thrift lie as its specification has them", () => {
  const bytes = writeThrift({ small: -1, offset: 150, text: new Uint8Array([65]) }, outer);
  assertEquals([...bytes], [0x14, 1, 0x26, 0xac, 0x02, 0x28, 1, 65, 0]);
  assertEquals([...writeThrift({ flag: true }, outer)], [0x41, 0]);
  assertEquals([...writeThrift({ flag: false }, outer)], [0x42, 0]);
  assertEquals([...writeThrift({ part: {} }, outer)], [0x0c, 0xd8, 0x04, 0, 0]);
  assertEquals([...writeThrift({ flags: [true, false] }, outer)], [0x09, 0x2a, 0x21, 1, 2, 0]);
});

Deno.test("what the description does not know, or knows as another type, is passed over", () => {
  const passed: Record<string, number[]> = {
    "a double": [0x17, 1, 2, 3, 4, 5, 6, 7, 8],
    "a set of texts": [0x1a, 0x28, 1, 65, 2, 66, 67],
    "a map of numbers to flags": [0x1b, 2, 0x51, 8, 1, 10, 2],
    "an empty map": [0x1b, 0],
    "a struct of structs": [0x1c, 0x1c, 0x15, 4, 0, 0x11, 0],
    "a list where a number is expected": [0x19, 0x35, 2, 4, 6],
    "a text where a number is expected": [0x18, 2, 65, 66],
  };
  for (const [what, field] of Object.entries(passed)) {
    // Field 1, and field 2 behind it.
    const { value, numBytes } = readThrift(new Uint8Array([...field, 0x15, 84, 0]), outer);
    assertEquals(value, { count: 42 }, what);
    assertEquals(numBytes, field.length + 3, what);
  }
  const numbers = readThrift(new Uint8Array([0x09, 0x28, 0x28, 1, 65, 1, 66, 0]), outer);
  assertEquals(numbers.value, {}, "texts where numbers are expected");
});

Deno.test("bytes that end too early are a RangeError, and so is what no bytes can hold", () =>
  forSeeds(5, (random) => {
    const bytes = writeThrift(someOuter(random), outer);
    let numCut = 0;
    for (let length = 0; length < Math.min(bytes.length, 400); length++, numCut++) {
      assertThrows(() => readThrift(bytes.subarray(0, length), outer), RangeError);
    }
    assert(numCut > 0);
    const wrong = {
      "a list of billions": [0x09, 0x28, 0xf6, 0xff, 0xff, 0xff, 0xff, 0x0f],
      "a map of billions": [0x1b, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x55],
      "an endless number": Array(20).fill(0xff).with(0, 0x15),
      "more than 53 bits": [0x36, ...Array(8).fill(0xff), 0x7f, 0],
      "a type that does not exist": [0x1f, 0],
      "structs without end": Array(200).fill(0x1c),
      "lists without end": Array(200).fill(0x19),
    };
    for (const [what, bytes] of Object.entries(wrong)) {
      assertThrows(() => readThrift(new Uint8Array(bytes), outer), RangeError, undefined, what);
    }
  }));
