/** Times of kernels and copies: what is timed, and that work is the same with and without. */

import { assert, assertEquals } from "@std/assert";
import { DeviceClock } from "../../../../../gpu/webgpu/device/clock.ts";
import { probeDevice } from "../../../../../gpu/webgpu/trial/probe.ts";
import { Commands } from "../../../../../gpu/webgpu/dispatch/commands.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { Staging } from "../../../../../gpu/webgpu/transfer/readback.ts";
import { contextTest } from "../../../../support/device/device_kernels.ts";

const NUM_WORDS = 1000;

/** Doubles each word. */
const DOUBLE = `
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(64)
fn double(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params[0].x) { words[id.x] *= 2u; }
}`;

/** Two kernels among copies; gives the words that come out. */
async function work(context: WebGpuContext, isSent = true): Promise<number[]> {
  const { pipelines, pool } = context;
  const kernel = { label: "double", code: DOUBLE, entry: "double", storage: ["write"] } as const;
  const double = await pipelines.get(kernel);
  const [words, copied] = await Promise.all([
    pool.acquire("storage", 4 * NUM_WORDS, "words"),
    pool.acquire("storage", 4 * NUM_WORDS, "copied"),
  ]);
  const numbers = Uint32Array.from({ length: NUM_WORDS }, (_, k) => k);
  context.device.gpu.queue.writeBuffer(words.buffer, 0, numbers);
  using commands = new Commands(context, "work");
  const dispatch = { params: [NUM_WORDS], storage: [words], workgroups: 16 };
  commands.clear(copied, 0, NUM_WORDS);
  commands.dispatch(double, dispatch);
  commands.dispatch(double, dispatch);
  commands.copy(words, 0, copied, 0, NUM_WORDS - 1);
  const staging = new Staging(context);
  staging.add(copied, 0, NUM_WORDS);
  const [bytes] = isSent ? await staging.read(commands) : [new ArrayBuffer(0)];
  words.release();
  copied.release();
  return [...new Uint32Array(bytes!)];
}

contextTest("a profile times each dispatch, copy and clear, in their order", async (context) => {
  const plain = await work(context);
  assertEquals(plain, Array.from({ length: NUM_WORDS }, (_, k) => k < NUM_WORDS - 1 ? 4 * k : 0));
  assertEquals(context.device.profile, null);
  const profile = await context.device.startProfile();
  if (profile === null) return assert(!context.device.gpu.features.has("timestamp-query"));
  for (let round = 0; round < 3; round++) {
    assertEquals(await work(context), plain);
    const { works, numUntimed } = await profile.take();
    // The last copy is the one to the host.
    assertEquals(works.map(({ label }) => label), ["clear", "double", "double", "copy", "copy"]);
    assert(works.every(({ elapsedMs }) => elapsedMs >= 0), "no such time");
    assertEquals(numUntimed, 0);
  }
  context.device.stopProfile();
  assertEquals(await work(context), plain);
});

contextTest("work that is dropped is not timed, nor mixed up with what was", async (context) => {
  const profile = await context.device.startProfile();
  if (profile === null) return assert(!context.device.gpu.features.has("timestamp-query"));
  await work(context, false);
  assertEquals(await profile.take(), { works: [], numUntimed: 0 });
  await work(context, false);
  await work(context);
  assertEquals((await profile.take()).works.length, 5);
  context.device.stopProfile();
});

contextTest("works beyond the timestamps run, and are counted", async (context) => {
  const profile = await context.device.startProfile();
  if (profile === null) return assert(!context.device.gpu.features.has("timestamp-query"));
  const buffer = await context.pool.acquire("storage", 4, "word");
  const commands = new Commands(context, "many");
  for (let k = 0; k < 2060; k++) commands.clear(buffer, 0, 1);
  commands.submit();
  const { works, numUntimed } = await profile.take();
  assertEquals([works.length, numUntimed], [2048, 12]);
  assertEquals(await profile.take(), { works: [], numUntimed: 0 });
  buffer.release();
  context.device.stopProfile();
});

contextTest("a clock times a submit, of which more work takes longer", async (context) => {
  using clock = DeviceClock.open(context.device);
  if (clock === null) return assert(!context.device.gpu.features.has("timestamp-query"));
  const words = 2 ** 24;
  const buffer = await context.pool.acquire("storage", 4 * words, "words");
  const timeClears = async (count: number) => {
    using commands = new Commands(context, "clears");
    for (let k = 0; k < count; k++) commands.clear(buffer, 0, words);
    return await clock.timeSubmit(commands);
  };
  await timeClears(1);
  // A machine that is busy with other things may take its time for one.
  let [few, many] = [Infinity, 0];
  for (let round = 0; round < 20 && many <= 3 * few; round++) {
    few = Math.min(few, await timeClears(1));
    many = await timeClears(20);
  }
  assert(many > 3 * few, `20 clears took ${many} ms, one ${few} ms`);
  // By the host's clock, which sees the waits, too.
  await clock.calibrate();
  const start = performance.now();
  const both = await timeClears(20);
  const elapsedMs = performance.now() - start;
  await clock.calibrate();
  assert(both > 0 && both < 1.5 * elapsedMs + 5, `${both} ms in ${elapsedMs} ms`);
  buffer.release();
});

contextTest("a probe knows what a kernel does, whatever a wait takes", async (context) => {
  const { counters } = context.device;
  const before = { ...counters };
  const probe = await probeDevice(context.device);
  for (const [name, value] of Object.entries(probe)) {
    assert(value > 0 && value < 1e12, `${name} is ${value}`);
  }
  assertEquals({ ...counters }, before);
});
