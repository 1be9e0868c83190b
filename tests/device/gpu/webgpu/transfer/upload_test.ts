/** Large uploads go piece by piece, each submitted by itself. */

import { assert, assertEquals } from "@std/assert";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { Commands } from "../../../../../gpu/webgpu/dispatch/commands.ts";
import { Staging } from "../../../../../gpu/webgpu/transfer/readback.ts";
import { writeBytes } from "../../../../../gpu/webgpu/transfer/upload.ts";
import { contextTest } from "../../../../support/device/device_kernels.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";

const MIB = 2 ** 20;
const PIECE = 4 * MIB;

/** What a buffer of words of ones holds when bytes have been written to it from a word on. */
async function written(
  context: WebGpuContext,
  firstWord: number,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  const words = firstWord + Math.ceil(bytes.length / 4) + 1;
  const buffer = await context.pool.acquire("storage", 4 * words, "pieces");
  try {
    writeBytes(context, buffer, 0, new Uint8Array(4 * words).fill(0xff));
    writeBytes(context, buffer, firstWord, bytes);
    const staging = new Staging(context);
    staging.add(buffer, 0, words);
    using commands = new Commands(context, "pieces");
    return new Uint8Array((await staging.read(commands))[0]!);
  } finally {
    buffer.release();
  }
}

contextTest("bytes of several pieces arrive in their places, and no others", async (context) => {
  await forSeeds(3, async (random) => {
    const length = random.pick([PIECE, 2 * PIECE]) + random.pick([-4, -1, 0, 1, 4, 5]);
    const firstWord = random.pick([0, 1, 64]);
    for (const Memory of [ArrayBuffer, SharedArrayBuffer]) {
      const bytes = new Uint8Array(new Memory(length + 8), random.below(9), length);
      for (let at = 0; at < length; at += 509) bytes[at] = 1 + at % 251;
      const expected = new Uint8Array(4 * (firstWord + Math.ceil(length / 4) + 1)).fill(0xff);
      // The last word is filled up with zeros.
      expected.fill(0, 4 * firstWord, -4);
      expected.set(bytes, 4 * firstWord);
      const found = await written(context, firstWord, bytes);
      assertEquals(found.length, expected.length);
      const wrong = found.findIndex((byte, at) => byte !== expected[at]);
      assert(wrong < 0, `byte ${wrong} of ${length} from word ${firstWord} on is ${found[wrong]}`);
    }
  });
});

contextTest(
  "each whole piece is submitted by itself, and what is small is not",
  async (context) => {
    const { queue } = context.device.gpu;
    const calls: string[] = [];
    const { submit, writeBuffer } = queue;
    queue.submit = (works) => (calls.push("submit"), submit.call(queue, works));
    queue.writeBuffer = ((...args: Parameters<typeof writeBuffer>) => {
      calls.push("write");
      writeBuffer.apply(queue, args);
    }) as typeof writeBuffer;
    const callsOf = async (bytes: number) => {
      const buffer = await context.pool.acquire("storage", bytes + 4, "pieces");
      calls.length = 0;
      writeBytes(context, buffer, 0, new Uint8Array(bytes));
      buffer.release();
      return calls.join(" ");
    };
    assertEquals(await callsOf(MIB), "write");
    assertEquals(await callsOf(PIECE), "write submit");
    assertEquals(await callsOf(2 * PIECE + 5), "write submit write submit write write");
  },
);
