/** Where the rows of a join on a device are cut into results. */

import { assertEquals } from "@std/assert";
import { cutRows, positionOf, sampleStep } from "../../../../../gpu/webgpu/join/cut_rows.ts";

/** Cuts rows of so many bytes each, of which a window holds `windowBytes`. */
function cut(
  sizes: readonly number[],
  step: number,
  limits: { readonly rows: number; readonly bytes: number },
  windowBytes: number = Infinity,
): string[] {
  const all = [0];
  for (const size of sizes) all.push(all.at(-1)! + size);
  const positions = [all.filter((_, row) => row % step === 0 || row === sizes.length)];
  const sampled = { start: 0, stop: sizes.length, step, positions };
  const costOf = (start: number, stop: number) => {
    const bytes = positionOf(sampled, 0, stop) - positionOf(sampled, 0, start);
    return { bytes, fits: bytes <= windowBytes };
  };
  return [...cutRows(sampled, costOf, limits)].map(({ start, stop, fits }) =>
    `${start}-${stop}${fits ? "" : " too large"}`
  );
}

Deno.test("cutRows() gives as many rows as the limits allow", () => {
  const ones = new Array(10).fill(1);
  assertEquals(cut(ones, 1, { rows: 4, bytes: 100 }), ["0-4", "4-8", "8-10"]);
  assertEquals(cut(ones, 1, { rows: 100, bytes: 3 }), ["0-3", "3-6", "6-9", "9-10"]);
  assertEquals(cut(ones, 1, { rows: 100, bytes: 100 }, 5), ["0-5", "5-10"]);
  assertEquals(cut(ones, 1, { rows: Infinity, bytes: Infinity }), ["0-10"]);
  assertEquals(cut([], 1, { rows: 4, bytes: 4 }), []);
});

Deno.test("cutRows() cuts at samples only", () => {
  const ones = new Array(10).fill(1);
  assertEquals(cut(ones, 3, { rows: 4, bytes: 100 }), ["0-3", "3-6", "6-10"]);
  assertEquals(cut(ones, 3, { rows: 7, bytes: 100 }), ["0-6", "6-10"]);
});

Deno.test("cutRows() gives a large row alone, and says where a step is too large", () => {
  assertEquals(cut([1, 9, 1, 1], 1, { rows: 9, bytes: 4 }), ["0-1", "1-2", "2-4"]);
  assertEquals(cut([1, 9, 1, 1], 2, { rows: 9, bytes: 4 }), ["0-2 too large", "2-4"]);
  // What exceeds a window does not come out at all.
  assertEquals(cut([1, 9, 1, 1], 1, { rows: 9, bytes: 4 }, 8), ["0-1", "1-2 too large", "2-4"]);
});

Deno.test("sampleStep() is a divisor of the rows of a result, about 2,048 of them a run", () => {
  assertEquals(sampleStep(100, { rows: 600, bytes: 1 }), 1);
  assertEquals(sampleStep(2 ** 22, { rows: 2 ** 16, bytes: 1 }), 2 ** 11);
  assertEquals(sampleStep(2 ** 22, { rows: 600, bytes: 1 }), 600);
  assertEquals(sampleStep(2 ** 22, { rows: Infinity, bytes: 1 }), 2 ** 11);
  assertEquals(sampleStep(4_000_000, { rows: 65_536, bytes: 1 }), 1_927);
});
