/** Flatbuffers of which a length, an offset or a text says more than is there. */

import { assertEquals, assertThrows } from "@std/assert";
import { Builder } from "flatbuffers";
import { BrokenPartError } from "../../../../base/errors/data_error.ts";
import { rootTable } from "../../../../streams/data/flat_table.ts";

/**
 * A table with a text, a vector of two longs, a byte, a short and a long, in the middle of other bytes. `spoil` changes
 * one of its words, of which `places` are those that hold the length of the text and of the vector.
 */
function table(
  spoil: (view: DataView, places: { text: number; longs: number }) => void = () => {},
) {
  const builder = new Builder(64);
  const text = builder.createString("Łódź");
  builder.startVector(8, 2, 8);
  builder.addInt64(-2n);
  builder.addInt64(5n);
  const longs = builder.endVector();
  builder.startObject(6);
  builder.addFieldOffset(0, text, 0);
  builder.addFieldOffset(1, longs, 0);
  builder.addFieldInt8(2, 7, 0);
  builder.addFieldInt16(4, -300, 0);
  builder.addFieldInt64(5, -(2n ** 40n), 0n);
  builder.finish(builder.endObject());
  const built = builder.asUint8Array();
  const around = new Uint8Array(built.length + 64).fill(0);
  around.set(built, 32);
  const bytes = around.subarray(32, 32 + built.length);
  const view = new DataView(around.buffer, 32, built.length);
  // Builders count places from the end.
  spoil(view, { text: built.length - text, longs: built.length - longs });
  return rootTable(bytes);
}

Deno.test("the fields of a table come as they were written, and absent ones as nothing", () => {
  assertEquals([table().byte(2), table().short(4), table().long(5)], [7, -300, -(2 ** 40)]);
  assertEquals([table().string(0), table().longs(1, 1)], ["Łódź", [5, -2]]);
  assertEquals([table().byte(3), table().short(3), table().long(9)], [0, 0, 0]);
  assertEquals([table().string(3), table().longs(9, 1), table().table(3)], [
    undefined,
    [],
    undefined,
  ]);
});

Deno.test("a text or a vector that claims more than the bytes of its buffer is refused", () => {
  const refuses = (act: () => unknown) => assertThrows(act, BrokenPartError, "a list claims");
  const claims = (of: "text" | "longs", length: number) =>
    table((view, places) => view.setUint32(places[of], length, true));
  for (const length of [60, 200, 2 ** 31, 2 ** 32 - 1]) {
    refuses(() => claims("text", length).string(0));
    refuses(() => claims("longs", length).longs(1, 1));
  }
  // It ends where the buffer ends.
  const most = (of: "text" | "longs", each: number) =>
    table((view, places) =>
      view.setUint32(places[of], (view.byteLength - places[of] - 4) / each, true)
    );
  assertThrows(() => most("text", 1).string(0), RangeError);
  assertEquals(most("longs", 8).longs(1, 1).length > 2, true);
});

Deno.test("a text that does not end, or is not UTF-8, is refused", () => {
  const shorter = table((view, { text }) => view.setUint32(text, 5, true));
  assertThrows(() => shorter.string(0), BrokenPartError, "a text does not end");
  const wrong = table((view, { text }) => view.setUint8(text + 4, 0xff));
  assertThrows(() => wrong.string(0), BrokenPartError, "not UTF-8");
});
