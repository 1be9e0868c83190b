/** Recorded work: grids, parameters, order. */

import { assertEquals } from "@std/assert";
import type { PooledBuffer } from "../../../../../gpu/webgpu/memory/buffer_pool.ts";
import { Commands } from "../../../../../gpu/webgpu/dispatch/commands.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import type { Pipeline } from "../../../../../gpu/webgpu/dispatch/pipelines.ts";
import { Staging, Totals } from "../../../../../gpu/webgpu/transfer/readback.ts";
import { encodeScan, SATURATED } from "../../../../../gpu/webgpu/dispatch/scan.ts";
import { writeBytes } from "../../../../../gpu/webgpu/transfer/upload.ts";
import { contextTest } from "../../../../support/device/device_kernels.ts";
import { deviceWork } from "../../../../support/device/device_work.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";

/** Adds params[0].y to the word of its own number, below params[0].x. */
const ADD = `
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(1)
fn add(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
) {
  let word = workgroup.x + workgroup.y * count.x;
  if (word < params[0].x) {
    words[word] += params[0].y;
  }
}`;

function compileAdd(context: WebGpuContext): Promise<Pipeline> {
  return context.pipelines.get({ label: "add", code: ADD, entry: "add", storage: ["write"] });
}

async function readWords(
  context: WebGpuContext,
  commands: Commands,
  buffer: PooledBuffer,
  words: number,
): Promise<number[]> {
  const staging = new Staging(context);
  staging.add(buffer, 0, words);
  const [bytes] = await staging.read(commands);
  return [...new Uint32Array(bytes!)];
}

contextTest("more workgroups than one dimension takes each run once", async (context) => {
  const add = await compileAdd(context);
  for (const workgroups of [0, 1, 65_535, 65_536, 140_000]) {
    const buffer = await context.pool.acquire("storage", 4 * 140_000, "words");
    const commands = new Commands(context, "grid");
    commands.clear(buffer, 0, 140_000);
    commands.dispatch(add, { params: [workgroups, 1], storage: [buffer], workgroups });
    const words = await readWords(context, commands, buffer, 140_000);
    buffer.release();
    assertEquals(words.lastIndexOf(1), workgroups - 1);
    assertEquals(words.reduce((sum, word) => sum + word, 0), workgroups);
  }
});

contextTest("every dispatch has parameters of its own, however many there are", async (context) => {
  const add = await compileAdd(context);
  const buffer = await context.pool.acquire("storage", 64, "words");
  const commands = new Commands(context, "many");
  commands.clear(buffer, 0, 3);
  for (let value = 1; value <= 300; value++) {
    commands.dispatch(add, {
      params: [1 + value % 3, value],
      storage: [buffer],
      workgroups: 3,
    });
  }
  const expected = [0, 0, 0];
  for (let value = 1; value <= 300; value++) {
    for (let word = 0; word <= value % 3; word++) expected[word]! += value;
  }
  assertEquals(await readWords(context, commands, buffer, 3), expected);
  buffer.release();
});

contextTest(
  "dispatches, copies and clears run in the order in which they were recorded",
  async (context) => {
    const add = await compileAdd(context);
    const [first, second] = [
      await context.pool.acquire("storage", 64, "first"),
      await context.pool.acquire("storage", 64, "second"),
    ];
    const commands = new Commands(context, "order");
    const addTwo = { params: [4, 2], storage: [first], workgroups: 4 };
    commands.clear(first, 0, 4);
    commands.dispatch(add, addTwo);
    commands.copy(first, 1, second, 0, 3);
    commands.dispatch(add, addTwo);
    commands.clear(first, 3, 1);
    commands.copy(first, 2, second, 3, 2);
    assertEquals(await readWords(context, commands, second, 4), [2, 2, 2, 4]);
    first.release();
    second.release();
  },
);

contextTest("work that is dropped gives its parameters back and never runs", async (context) => {
  const add = await compileAdd(context);
  const buffer = await context.pool.acquire("storage", 64, "words");
  const first = new Commands(context, "first");
  first.clear(buffer, 0, 2);
  first.submit();
  {
    using dropped = new Commands(context, "dropped");
    dropped.dispatch(add, { params: [1, 1], storage: [buffer], workgroups: 1 });
    assertEquals(context.pool.inUseBuffers, 2);
  }
  assertEquals(context.pool.inUseBuffers, 1);
  const commands = new Commands(context, "kept");
  commands.clear(buffer, 1, 1);
  assertEquals(await readWords(context, commands, buffer, 1), [0], "nothing was added");
  buffer.release();
});

contextTest(
  "the device gets no empty work, and of the parameters those that there are",
  async (context) => {
    const add = await compileAdd(context);
    const buffer = await context.pool.acquire("storage", 64, "words");
    const none = await deviceWork(async () => {
      using commands = new Commands(context, "none");
      commands.dispatch(add, { params: [1, 1], storage: [buffer], workgroups: 0 });
      commands.clear(buffer, 0, 0);
      commands.submit();
      await Promise.resolve();
    });
    assertEquals([none.submits, none.writes], [0, 0]);
    const some = await deviceWork(async () => {
      using commands = new Commands(context, "some");
      commands.clear(buffer, 0, 1);
      commands.flush();
      for (const value of [3, 4]) {
        commands.dispatch(add, { params: [1, value], storage: [buffer], workgroups: 1 });
      }
      commands.flush();
      assertEquals(await readWords(context, commands, buffer, 1), [7]);
    });
    const { minUniformBufferOffsetAlignment } = context.device.gpu.limits;
    assertEquals([some.submits, some.emptySubmits, some.writes], [3, 0, 1]);
    assertEquals(some.writtenBytes, minUniformBufferOffsetAlignment + 16);
    buffer.release();
  },
);

/** Scans sums that lie behind `firstWord` other words; returns all words, and the total. */
async function scan(
  context: WebGpuContext,
  words: Uint32Array,
  firstWord: number,
  counts: Uint32Array = new Uint32Array(0),
): Promise<{ words: number[]; total: number; counted: number }> {
  const bytes = words.byteLength + counts.byteLength;
  const sums = await context.pool.acquire("storage", bytes, "sums");
  writeBytes(context, sums, 0, new Uint8Array(words.buffer));
  if (counts.length > 0) writeBytes(context, sums, words.length, new Uint8Array(counts.buffer));
  const totals = await Totals.create(context, 4);
  const commands = new Commands(context, "scan");
  const blocks = words.length - firstWord;
  await encodeScan(context, commands, {
    sums,
    firstWord,
    blocks,
    totals: totals.buffer,
    slot: 2,
    counts: counts.length > 0,
  });
  const values = await totals.read(commands);
  const staging = new Staging(context);
  staging.add(sums, 0, words.length);
  const [scanned] = await staging.read(new Commands(context, "read"));
  totals.release();
  sums.release();
  return { words: [...new Uint32Array(scanned!)], total: values[2]!, counted: values[3]! };
}

contextTest(
  "a scan replaces each sum by what comes before it, for any number of blocks",
  async (context) => {
    await forSeeds(1, async (random) => {
      for (const blocks of [1, 257, 1_024, 1_025, 4_096, 4_097, 70_000]) {
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
        const counts = Uint32Array.from({ length: blocks }, () => random.below(3));
        const counted = counts.reduce((total, count) => total + count);
        const scanned = await scan(context, words, firstWord, counts);
        assertEquals(scanned, { words: expected, total: sum, counted });
        assertEquals((await scan(context, words, firstWord)).words, expected);
      }
    });
  },
);

contextTest(
  "a sum that passes 32 bits stays at the largest value and never wraps",
  async (context) => {
    const { total } = await scan(context, new Uint32Array(600).fill(0x0100_0000), 0);
    assertEquals(total, SATURATED);
    const many = await scan(context, new Uint32Array(9000).fill(0x0010_0000), 0);
    assertEquals([many.total, many.words[4095], many.words[4096]], [
      SATURATED,
      0xfff0_0000,
      SATURATED,
    ]);
    const edge = await scan(context, Uint32Array.of(0x8000_0000, 0x7fff_fffe, 1, 5), 0);
    assertEquals(edge.words, [0, 0x8000_0000, 0xffff_fffe, SATURATED]);
    assertEquals(edge.total, SATURATED);
    assertEquals((await scan(context, Uint32Array.of(0x8000_0000, 5), 0)).total, 0x8000_0005);
  },
);
