import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  growArray,
  growForKernel,
  roomFor,
  withoutSlack,
} from "../../../gpu/host/kernels/grow_array.ts";
import { ColumnFullError } from "../../../gpu/host/kernels/kernel_result.ts";

Deno.test("an array grows to twice its length at least and keeps what was said", () => {
  const bytes = new Uint8Array(1000).fill(7);
  const grown = growArray(bytes, 3, 1001);
  assert(grown instanceof Uint8Array && grown.length >= 2000);
  assertEquals([...grown!.subarray(0, 5)], [7, 7, 7, 0, 0]);
  const items = growArray(Int32Array.of(-1, -2), 2, 5000);
  assert(items instanceof Int32Array && items.length >= 5000);
  assertEquals([...items!.subarray(0, 3)], [-1, -2, 0]);
});

Deno.test("no array grows past what offsets of 32 bits address, and kernels throw the row", () => {
  const most = 2 ** 31 - 1;
  assertEquals([roomFor(0.5) >= 1, roomFor(most), roomFor(2 ** 40)], [true, most, most]);
  for (
    const [array, unit] of [[new Uint8Array(1), "bytes"], [new Int32Array(1), "items"]] as const
  ) {
    const message = `Size of output exceeds ${most} ${unit}`;
    assertEquals(growArray(array, 0, most + 1), null);
    const grow = () => growForKernel(array, 0, most + 1, 5);
    const error = assertThrows(grow, ColumnFullError, message);
    assertEquals([error.row, error.dataBytes], [5, most + 1]);
  }
});

Deno.test("what a result does not use is kept up to a quarter of it and 4096 bytes", () => {
  for (const array of [new Uint8Array(100_000), new Int32Array(25_000)]) {
    const scale = array.BYTES_PER_ELEMENT;
    const isView = (bytes: number) => {
      const used = withoutSlack(array, bytes / scale);
      assertEquals(used.byteLength, bytes);
      return used.buffer === array.buffer;
    };
    assertEquals([100_000, 80_000, 76_000, 0].map(isView), [true, true, false, false]);
  }
});
