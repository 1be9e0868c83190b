import { assert } from "@std/assert";
import { WebGpuBackend } from "../../../gpu/webgpu/backend.ts";
import { isDeviceType } from "../../../gpu/webgpu/memory/device_column.ts";
import { uploadColumn } from "../../../gpu/webgpu/transfer/upload.ts";
import { type ContextOptions, contextTest } from "../device/device_kernels.ts";
import type { BackendCase } from "./backend_case.ts";
import { createEngine } from "../../../mod.ts";
import { type EngineCase, runEngineCase } from "./engine_case.ts";
import { deviceTest } from "../device/adapter.ts";

/** Registers cases on a device, each of which has to give back all memory; `where` follows the titles. */
export function onDevice(options: ContextOptions = {}, where = ""): BackendCase {
  return (title, use, { mayIdle = false } = {}) => {
    contextTest(`${title}${where}`, async (context) => {
      const backend = new WebGpuBackend(context);
      await use({
        backend,
        place: async (column) =>
          isDeviceType(column.type)
            ? await uploadColumn(context, column, { label: "input" }) ?? column
            : column,
        placeOf: (type) => isDeviceType(type) ? "device" : "host",
        amount: ({ device }) => device,
      });
      assert(mayIdle || backend.counters.dispatches > 0, "The device computed nothing");
    }, options);
  };
}

/** Registers a case of engines on a device. */
export const onDeviceEngine: EngineCase = (title, use) => {
  deviceTest(title, () =>
    runEngineCase(use, {
      create: (options) => createEngine({ device: "gpu", ...options }),
      inUse: async (engine) => (await engine.backend() as WebGpuBackend).context.pool.inUseBuffers,
      amount: ({ device }) => device,
    }));
};
