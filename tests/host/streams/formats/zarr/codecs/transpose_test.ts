/** The codec "transpose" on chunks larger than its squares, item by item. */

import { assertEquals } from "@std/assert";
import { transpose } from "../../../../../../streams/formats/zarr/codecs/transpose.ts";
import { rawType } from "../../../../../../streams/formats/zarr/metadata/data_type.ts";
import { forSeeds } from "../../../../../support/random/seeded_random.ts";

Deno.test("transposed items are where their axes say, and come back", async () => {
  await forSeeds(60, (random) => {
    const rank = 1 + random.below(4);
    const most = [9000, 120, 40, 12][rank - 1]!;
    const shape = Array.from({ length: rank }, () => 1 + random.below(most));
    const rest = shape.map((_, axis) => axis);
    const order = shape.map(() => rest.splice(random.below(rest.length), 1)[0]!);
    const itemBytes = random.pick([1, 2, 3, 4, 6, 8, 16]);
    const numItems = shape.reduce((all, length) => all * length, 1);
    // Not every buffer begins where the numbers of a machine do.
    const memory = new Uint8Array(numItems * itemBytes + 8);
    const items = memory.subarray(random.below(9)).subarray(0, numItems * itemBytes);
    for (let at = 0; at < items.length; at++) items[at] = random.below(256);
    const codec = transpose.make(
      { shape, itemBytes, configuration: { order } },
      rawType(itemBytes),
    );
    assertEquals(codec.encodedShape, order.map((axis) => shape[axis]!));
    const encoded = new Uint8Array(items.length);
    codec.encode(items, encoded);
    assertEquals(encoded, transposed(items, shape, order, itemBytes));
    const decoded = new Uint8Array(items.length + 1).subarray(1);
    codec.decode(encoded, decoded);
    assertEquals(decoded, items);
  });
});

/** What NumPy's transpose gives, by the places of every item. */
function transposed(
  items: Uint8Array,
  shape: readonly number[],
  order: readonly number[],
  itemBytes: number,
): Uint8Array {
  const result = new Uint8Array(items.length);
  const target = order.map((axis) => shape[axis]!);
  for (let to = 0; to * itemBytes < items.length; to++) {
    const place = new Array<number>(shape.length);
    for (let axis = target.length - 1, rest = to; axis >= 0; axis--) {
      place[order[axis]!] = rest % target[axis]!;
      rest = Math.floor(rest / target[axis]!);
    }
    const from = place.reduce((sum, at, axis) => sum * shape[axis]! + at, 0);
    const item = items.subarray(from * itemBytes, (from + 1) * itemBytes);
    result.set(item, to * itemBytes);
  }
  return result;
}
