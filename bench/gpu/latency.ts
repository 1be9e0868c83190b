/**
 * Measures the latency of single WebGPU calls, and of dispatches that wait for each other.
 *
 * @module
 */

import { DeviceClock } from "../../gpu/webgpu/device/clock.ts";
import { Commands } from "../../gpu/webgpu/dispatch/commands.ts";
import type { PooledBuffer } from "../../gpu/webgpu/memory/buffer_pool.ts";
import { Scope } from "../../gpu/webgpu/memory/scope.ts";
import type { Pipeline } from "../../gpu/webgpu/dispatch/pipelines.ts";
import { Staging } from "../../gpu/webgpu/transfer/readback.ts";
import { writeBytes } from "../../gpu/webgpu/transfer/upload.ts";
import type { Card } from "./card.ts";
import type { MeasuredGpu } from "./measured_gpu.ts";

const KIB = 1024;
const MIB = 2 ** 20;
const BYTES = 64 * KIB;
const RUNS = 50;

/** A kernel that adds one to each of 256 words. */
const ADD_ONE = `\
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(256)
fn add_one(@builtin(local_invocation_index) lane: u32) {
  if (lane < params[0].x) { words[lane] += 1u; }
}
`;

/** Measures waits, submits, writes, new buffers, and chains of dispatches. */
export async function measureLatency(card: Card, gpu: MeasuredGpu): Promise<void> {
  using scope = new Scope();
  const { context } = gpu;
  const words = scope.own(await context.pool.acquire("storage", BYTES, "latency"));
  await measureCalls(card, gpu, words);
  const pipeline = await context.pipelines.get({
    label: "add one",
    code: ADD_ONE,
    entry: "add_one",
    storage: ["write"],
  });
  await measureDispatches(card, gpu, words, pipeline);
}

async function measureCalls(
  card: Card,
  { context }: MeasuredGpu,
  words: PooledBuffer,
): Promise<void> {
  const { gpu } = context.device;
  const readBack = async (numWords: number) => {
    const staging = new Staging(context);
    staging.add(words, 0, numWords);
    using commands = new Commands(context, "latency");
    await staging.read(commands);
  };
  await card.timed("submit, wait, read 4 bytes", RUNS, () => readBack(1));
  await card.timed("submit, wait, read 64 KiB", RUNS, () => readBack(BYTES / 4));
  await card.timed("submit, wait", RUNS, async () => {
    using commands = new Commands(context, "latency");
    commands.clear(words, 0, 1);
    commands.submit();
    await context.device.settle(gpu.queue.onSubmittedWorkDone());
  });
  await card.timed("an empty submit", RUNS, () => gpu.queue.submit([]));
  await card.timed("an encoder", RUNS, () => {
    gpu.createCommandEncoder({ label: "latency" }).finish();
  });
  for (const bytes of [16, BYTES]) {
    const data = new Uint8Array(bytes);
    await card.timed(`${bytes} bytes written and submitted`, RUNS, () => {
      writeBytes(context, words, 0, data);
      gpu.queue.submit([]);
    });
  }
  for (const mib of [1, 64, 512]) {
    const size = card.scaled(mib * MIB, 4 * KIB) & ~3;
    for (const [kind, usage] of [["storage", 0x80 | 0x0c], ["staging", 0x01 | 0x08]] as const) {
      await card.timed(`a buffer of ${size} bytes for ${kind}`, 5, () => {
        gpu.createBuffer({ label: "latency", size, usage }).destroy();
      });
    }
  }
}

async function measureDispatches(
  card: Card,
  { context }: MeasuredGpu,
  words: PooledBuffer,
  pipeline: Pipeline,
): Promise<void> {
  const record = (commands: Commands, count: number) => {
    for (let k = 0; k < count; k++) {
      commands.dispatch(pipeline, { params: [256], storage: [words], workgroups: 1 });
    }
  };
  await card.timed("100 dispatches recorded", 20, () => {
    using commands = new Commands(context, "latency");
    record(commands, 100);
  });
  using clock = DeviceClock.open(context.device);
  if (clock === null) return card.note({ step: "dispatches", left: "the device has no clock" });
  await clock.calibrate();
  await new Promise((resolve) => setTimeout(resolve, 200));
  await clock.calibrate();
  for (const count of [0, 1, 100, 1000]) {
    await card.step(
      `${count} dispatches, each after the other, by the device's clock`,
      async () => {
        const times: number[] = [];
        for (let k = 0; k < 5; k++) {
          using commands = new Commands(context, "latency");
          record(commands, count);
          times.push(await clock.timeSubmit(commands));
        }
        return { leastMs: Math.min(...times), mostMs: Math.max(...times) };
      },
    );
  }
}
