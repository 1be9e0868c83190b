/** The compact protocol of Thrift, by bytes that follow from its specification. */

import { assertEquals, assertThrows } from "@std/assert";
import {
  listOf,
  readThrift,
  struct,
  writeThrift,
} from "../../../../../../streams/formats/parquet/metadata/thrift.ts";

const point = struct({ x: [1, "i32"], isKnown: [2, "bool"] });
const record = struct({
  id: [1, "i32"],
  name: [2, "binary"],
  isOld: [3, "bool"],
  numbers: [4, listOf("i64")],
  points: [5, listOf(point)],
  level: [6, "i8"],
  flags: [7, listOf("bool")],
  far: [30, "i64"],
});

const VALUE = {
  id: 5,
  name: new TextEncoder().encode("hi"),
  isOld: true,
  numbers: [1, -1, 300],
  points: [{ x: -2, isKnown: false }, {}],
  level: -3,
  flags: [true, false],
  far: 2 ** 40,
};

const BYTES = Uint8Array.of(
  ...[0x15, 10],
  ...[0x18, 2, 0x68, 0x69],
  ...[0x11],
  ...[0x19, 0x36, 2, 1, 0xd8, 4],
  ...[0x19, 0x2c, 0x15, 3, 0x12, 0, 0],
  ...[0x13, 0xfd],
  ...[0x19, 0x21, 1, 2],
  // An id that is more than 15 beyond the last one follows its type.
  ...[0x06, 60, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40],
  0,
);

Deno.test("a struct is read and written by its fields, with the bytes of the specification", () => {
  assertEquals(readThrift(Uint8Array.of(...BYTES, 9, 9), record), {
    value: VALUE,
    numBytes: BYTES.length,
  });
  assertEquals(writeThrift(VALUE, record), BYTES);
});

Deno.test("a list of 15 items or more has its length behind its type", () => {
  for (const length of [14, 15, 200]) {
    const value = { numbers: Array.from({ length }, (_, k) => k) };
    const bytes = writeThrift(value, record);
    const head = length < 15 ? [length << 4 | 6] : [0xf6, ...length < 128 ? [length] : [0xc8, 1]];
    assertEquals([...bytes.subarray(0, 1 + head.length)], [0x49, ...head]);
    assertEquals(readThrift(bytes, record), { value, numBytes: bytes.length });
  }
});

/** Field 9, which the description does not have, then `id`. */
const skipped = (...field: number[]) =>
  readThrift(Uint8Array.of(0x90 | field[0]!, ...field.slice(1), 0x05, 2, 14, 0), record).value;

Deno.test("fields that are unknown or of another type are passed over, whatever they hold", () => {
  const fields: Record<string, number[]> = {
    "true": [1],
    "false": [2],
    "i8": [3, 0],
    "i64": [6, 0xff, 0xff, 1],
    "a double": [7, 0, 0, 0, 0, 0, 0, 0, 0],
    "bytes": [8, 3, 0, 0, 0],
    "a list of bools": [9, 0x31, 1, 2, 1],
    "a set of bytes": [10, 0x28, 1, 7, 0],
    "a map": [11, 2, 0x58, 2, 1, 7, 4, 0],
    "an empty map": [11, 0],
    "a map of bools": [11, 1, 0x12, 1, 2],
    "a struct": [12, 0x15, 2, 0x06, 60, 2, 0x2c, 0x11, 0, 0],
    "a list of structs": [9, 0x2c, 0x11, 0, 0],
  };
  for (const [what, field] of Object.entries(fields)) {
    assertEquals(skipped(...field), { id: 7 }, what);
  }
  // Field 2 as an integer, then id.
  assertEquals(readThrift(Uint8Array.of(0x25, 4, 0x05, 2, 14, 0), record).value, { id: 7 });
});

Deno.test("bytes that claim more than they have, or nest too deeply, are refused", () => {
  const refuses = (message: string, act: () => unknown) => assertThrows(act, RangeError, message);
  for (let length = 0; length < BYTES.length; length++) {
    assertThrows(() => readThrift(BYTES.subarray(0, length), record), RangeError);
  }
  refuses("it ends too early", () => readThrift(Uint8Array.of(0x28, 9, 1, 1), record));
  refuses("a list claims 5 entries", () => readThrift(Uint8Array.of(0x49, 0x56, 1, 0), record));
  refuses("a map claims 100 entries", () => skipped(11, 100, 0x55));
  refuses("a field has the unknown type 13", () => skipped(13));
  refuses(
    "a number is too large",
    () =>
      readThrift(Uint8Array.of(0x16, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 0), record),
  );
  refuses(
    "a number has too many digits",
    () => readThrift(Uint8Array.of(0x16, ...new Array<number>(12).fill(0xff), 1, 0), record),
  );
  // Structs in field 1 of structs, and lists of lists.
  const structs = (depth: number) => [
    ...new Array<number>(depth).fill(0x1c),
    ...new Array<number>(depth).fill(0),
  ];
  assertEquals(skipped(12, ...structs(60), 0), { id: 7 });
  refuses("it is nested too deeply", () => skipped(12, ...structs(64), 0));
  refuses("it is nested too deeply", () => skipped(9, ...new Array<number>(70).fill(0x19), 0x05));
});
