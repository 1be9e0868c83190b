import { assert, assertEquals } from "@std/assert";
import { BLOCK_SCAN_WGSL } from "../../../../../gpu/webgpu/dispatch/scan.ts";

/** Banks of the memory of a workgroup, each a word wide, on cards of today. */
const BANKS = 32;

/** Where `block_scan.wgsl` says that a value is; its numbers are unsigned. */
function scanSlot(index: number): number {
  const [, code] = /fn scan_slot\(index: u32\) -> u32 \{\s*return ([^;]+);/.exec(BLOCK_SCAN_WGSL)!;
  const [, sum, divisor] = /^(index) \+ index \/ (\d+)u$/.exec(code!)!;
  assertEquals(sum, "index");
  return index + Math.floor(index / Number(divisor));
}

/** How many lanes ask the bank for a word that most of them ask. */
function mostOfOneBank(slots: readonly number[]): number {
  const asked = new Map<number, number>();
  for (const slot of slots) asked.set(slot % BANKS, (asked.get(slot % BANKS) ?? 0) + 1);
  return Math.max(...asked.values());
}

Deno.test("the scan of a block asks each bank of memory for one word at a time", () => {
  for (let warp = 0; warp < 256; warp += 32) {
    const lanes = Array.from({ length: 32 }, (_, lane) => scanSlot(warp + lane));
    assertEquals(mostOfOneBank(lanes), 1, `lanes from ${warp} on`);
  }
  for (let k = 0; k < 16; k++) {
    const runs = Array.from({ length: 16 }, (_, lane) => scanSlot(16 * lane) + k);
    assertEquals(mostOfOneBank(runs), 1, `value ${k} of all runs`);
  }
});

Deno.test("the runs of a block scan lie in a line each, and all within its memory", () => {
  const [, words] = /scan_values: array<u32, (\d+)>/.exec(BLOCK_SCAN_WGSL)!;
  for (let index = 0; index < 256; index++) {
    assertEquals(scanSlot(index), scanSlot(index - index % 16) + index % 16);
    assert(scanSlot(index) < Number(words));
  }
});
