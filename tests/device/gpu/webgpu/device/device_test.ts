/**
 * The device: errors that WebGPU would swallow, and a device that goes away in the middle of work.
 */

import { assert, assertEquals, assertInstanceOf, assertRejects, assertThrows } from "@std/assert";
import { type Column, releaseColumn } from "../../../../../gpu/column/column.ts";
import { DeviceError } from "../../../../../base/errors/device_error.ts";
import {
  createContext,
  type WebGpuContext,
} from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { requestWebGpuDevice } from "../../../../../gpu/webgpu/device/device.ts";
import { oneLine } from "../../../../../gpu/webgpu/device/driver_message.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import { filterOnDevice } from "../../../../../gpu/webgpu/gather/filter.ts";
import { uploadColumn } from "../../../../../gpu/webgpu/transfer/upload.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { columnOf, stringColumn } from "../../../../support/values/host_columns.ts";
import { turns, until } from "../../../../support/running/until.ts";

const ROWS = Array.from({ length: 5_000 }, (_, row) => row);
const TEXTS = stringColumn(ROWS.map((row) => `text ${row}`));
const MASK = columnOf({ kind: "bool" }, ROWS.map((row) => row % 2 === 0));

/** A device that the test itself takes away. */
async function openContext(): Promise<WebGpuContext> {
  const device = await requestWebGpuDevice({ software: true });
  if (device === null) throw new Error("There is no WebGPU adapter");
  return createContext(device, { budgetBytes: 2 ** 28 });
}

deviceTest("a software adapter is only taken when it is wanted", async () => {
  const device = await requestWebGpuDevice({ software: true });
  const hardware = await requestWebGpuDevice({ software: false });
  assertEquals(hardware === null, device!.adapter.software);
  await hardware?.destroy();
  await device!.destroy();
});

deviceTest("the device has the limits of its adapter, not the defaults", async () => {
  const { device } = await openContext();
  const { limits } = device.adapter;
  assertEquals(device.gpu.limits.maxBufferSize, limits.maxBufferSize);
  assertEquals(
    device.gpu.limits.maxStorageBuffersPerShaderStage,
    limits.maxStorageBuffersPerShaderStage,
  );
  assert(device.maxBindingBytes <= limits.maxStorageBufferBindingSize);
  assertEquals(device.maxBindingBytes % 4, 0);
  await device.destroy();
});

deviceTest(
  "a kernel that does not compile is a DeviceError with its label and the reason",
  async () => {
    const { device, pipelines } = await openContext();
    const kernel = { label: "upper(name)", entry: "main", storage: [] };
    await assertRejects(
      () => pipelines.get({ ...kernel, code: "fn main( {" }),
      DeviceError,
      "upper(name): Shader",
    );
    await assertRejects(
      () => pipelines.get({ ...kernel, code: "@compute @workgroup_size(1) fn other() {}" }),
      DeviceError,
      "upper(name): ",
    );
    assertEquals(device.failure, null);
    await device.destroy();
  },
);

deviceTest("a kernel is compiled once, however often it is asked for", async () => {
  const { device, pipelines } = await openContext();
  const kernel = { label: "empty", entry: "main", storage: [] };
  const code = "@compute @workgroup_size(1) fn main() {}";
  const [first, second] = await Promise.all([
    pipelines.get({ ...kernel, code }),
    pipelines.get({ ...kernel, code, label: "other label" }),
  ]);
  assert(first === second);
  assertEquals(device.counters.compilations, 1);
  await device.destroy();
});

deviceTest(
  "kernels that are asked for together all compile, until an abort",
  async () => {
    const { device, pipelines } = await openContext();
    const spec = (n: number) => ({
      label: `kernel ${n}`,
      entry: "main",
      storage: [],
      code: n === 3 ? "fn main( {" : `@compute @workgroup_size(${n}) fn main() {}`,
    });
    const compiled = await pipelines.getAll([1, 2, 1].map(spec));
    assertEquals(compiled.map(({ label }) => label), ["kernel 1", "kernel 2", "kernel 1"]);
    assertEquals(device.counters.compilations, 2);
    await assertRejects(
      () => pipelines.getAll([3, 4].map(spec)),
      DeviceError,
      "kernel 3: Shader",
    );
    // The other one is still being compiled.
    await pipelines.get(spec(4));
    assertEquals(device.counters.compilations, 3);
    const stopping = new AbortController();
    const asked = pipelines.getAll([5, 6, 7].map(spec), stopping.signal);
    stopping.abort(new Error("not wanted"));
    await assertRejects(() => asked, Error, "not wanted");
    // The one that was asked for before the abort is compiled. One that was asked for behind it would be,
    // too, by the time that another one is.
    await pipelines.get(spec(5));
    assertEquals(device.counters.compilations, 4);
    await pipelines.get(spec(8));
    assertEquals(device.counters.compilations, 5);
    await device.destroy();
  },
);

deviceTest("an error outside of every scope makes the device unusable", async () => {
  const { device } = await openContext();
  device.gpu.createBuffer({ size: 16, usage: 0xffff });
  await until(() => device.failure !== null, "the device has failed");
  assertThrows(() => device.check(), DeviceError, "The device failed: ");
  await device.destroy();
});

deviceTest("work on a device that was destroyed is a DeviceError", async () => {
  const context = await openContext();
  const column = (await uploadColumn(context, TEXTS, { label: "text" }))!;
  const filtered = await filterOnDevice(context, [column], MASK, ROWS.length);
  await context.device.destroy();
  for (
    const work of [
      () => uploadColumn(context, TEXTS, { label: "text" }),
      () => downloadColumns(context, filtered.columns),
      () => filterOnDevice(context, [column], MASK, ROWS.length),
      () => context.pipelines.get({ label: "late", code: "", entry: "main", storage: [] }),
    ]
  ) await assertRejects<unknown>(work, DeviceError, "The device was closed");
  [column, ...filtered.columns].forEach(releaseColumn);
  assertEquals(context.pool.inUseBuffers, 0);
  assertEquals(context.device.counters.liveBuffers, 0);
});

deviceTest(
  "a device that is destroyed at any moment ends the work in a DeviceError",
  async () => {
    const outcomes = new Set<string>();
    for (const [round, numTurns] of [0, 1, 3, 8, 20, 40, 60, 80, 120, Infinity].entries()) {
      const context = await openContext();
      const made: Column[] = [];
      const work = [0, 1, 2].map(async () => {
        const { columns } = await filterOnDevice(context, [TEXTS, TEXTS], MASK, ROWS.length);
        made.push(...columns);
        return await downloadColumns(context, columns);
      });
      const results = Promise.allSettled(work);
      if (numTurns === Infinity) await results;
      else await turns(numTurns);
      if (round % 2 === 0) await context.device.destroy();
      else await context.device.gpu.destroy();
      for (const result of await results) {
        outcomes.add(result.status);
        if (result.status === "rejected") assertInstanceOf(result.reason, DeviceError);
      }
      made.forEach(releaseColumn);
      assertEquals(context.pool.inUseBuffers, 0, `after ${numTurns} turns`);
      await context.device.destroy();
    }
    assertEquals(outcomes.size, 2, "some rounds destroyed it in the middle, some too late");
  },
);

Deno.test("oneLine() keeps the first line that says something", () => {
  assertEquals(
    oneLine("\nShader 'x' parsing error: expected ;\n  | 1:7\n"),
    "Shader 'x' parsing error: expected ;",
  );
  assertEquals(oneLine("Caused by:\n  out of memory\n"), "Caused by: out of memory");
  assertEquals(oneLine(""), "unknown reason");
});
