/**
 * Scan of block sums on a device, against a running sum.
 */

import { assertEquals } from "@std/assert";
import { Commands } from "../../gpu/webgpu/dispatch/commands.ts";
import type { WebGpuContext } from "../../gpu/webgpu/webgpu_context.ts";
import { Staging, Totals } from "../../gpu/webgpu/transfer/readback.ts";
import { encodeScan, SATURATED } from "../../gpu/webgpu/dispatch/scan.ts";
import { writeBytes } from "../../gpu/webgpu/transfer/upload.ts";
import { deviceTest } from "../support/adapter.ts";
import { withDevice } from "../support/device_kernels.ts";
import { forSeeds } from "../support/seeded_random.ts";

/** Scans sums that lie behind `firstWord` other words; returns all words, and the total. */
async function scan(
  context: WebGpuContext,
  words: Uint32Array,
  firstWord: number,
): Promise<{ words: number[]; total: number }> {
  const sums = await context.pool.acquire("storage", words.byteLength, "sums");
  writeBytes(context, sums, 0, new Uint8Array(words.buffer));
  const totals = await Totals.create(context, 3);
  const commands = new Commands(context, "scan");
  const blocks = words.length - firstWord;
  await encodeScan(context, commands, {
    sums,
    firstWord,
    blocks,
    totals: totals.buffer,
    slot: 2,
  });
  const values = await totals.read(commands);
  const staging = new Staging(context);
  staging.add(sums, 0, words.length);
  const [scanned] = await staging.read(new Commands(context, "read"));
  totals.release();
  sums.release();
  return { words: [...new Uint32Array(scanned!)], total: values[2]! };
}

deviceTest(
  "a scan replaces each sum by what comes before it, for any number of blocks",
  async () => {
    await withDevice(async (context) => {
      await forSeeds(1, async (random) => {
        for (const blocks of [1, 2, 255, 256, 257, 1_000, 70_000]) {
          const firstWord = random.below(5);
          const words = Uint32Array.from(
            { length: firstWord + blocks },
            () => random.below(50_000),
          );
          const expected = [...words];
          let sum = 0;
          for (let k = firstWord; k < words.length; k++) {
            expected[k] = sum;
            sum += words[k]!;
          }
          assertEquals(await scan(context, words, firstWord), { words: expected, total: sum });
        }
      });
    });
  },
);

deviceTest("a sum that passes 32 bits stays at the largest value and never wraps", async () => {
  await withDevice(async (context) => {
    const { total } = await scan(context, new Uint32Array(600).fill(0x0100_0000), 0);
    assertEquals(total, SATURATED);
    const edge = await scan(context, Uint32Array.of(0x8000_0000, 0x7fff_fffe, 1, 5), 0);
    assertEquals(edge.words, [0, 0x8000_0000, 0xffff_fffe, SATURATED]);
    assertEquals(edge.total, SATURATED);
    assertEquals((await scan(context, Uint32Array.of(0x8000_0000, 5), 0)).total, 0x8000_0005);
  });
});
