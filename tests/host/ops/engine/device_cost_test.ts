/** When a device is taken, for devices that are made up. */

import { assert, assertEquals } from "@std/assert";
import type { Backend, DeviceProbe } from "../../../../gpu/backend.ts";
import { DeviceError } from "../../../../base/errors/device_error.ts";
import { createHostBackend } from "../../../../gpu/host/backend.ts";
import { AutoDevices, type HardwareBackend } from "../../../../ops/engine/auto_devices.ts";
import {
  deviceMs,
  gains,
  hostMs,
  mayGain,
  type PlanWork,
} from "../../../../ops/engine/device_cost.ts";

const GB_S = 1e6;
/** A card with memory of its own, on a fast bus. */
const FAST: DeviceProbe = {
  waitMs: 10,
  uploadBytesPerMs: 12 * GB_S,
  downloadBytesPerMs: 12 * GB_S,
  kernelBytesPerMs: 400 * GB_S,
};
/** The same behind a link that is slower than the host computes. */
const FAR: DeviceProbe = { ...FAST, uploadBytesPerMs: GB_S / 2, downloadBytesPerMs: GB_S / 2 };
/** The host's own processor, by another name. */
const SOFTWARE: DeviceProbe = {
  waitMs: 12,
  uploadBytesPerMs: GB_S / 2,
  downloadBytesPerMs: GB_S / 2,
  kernelBytesPerMs: GB_S / 10,
};

const LARGE: PlanWork = { bytes: 1e9, batchBytes: 32 << 20, numSteps: 1, numKernels: 1 };

Deno.test("a device gains where kernels outweigh waits and transfers, by the threads of the host", () => {
  const cases: readonly [string, DeviceProbe, Partial<PlanWork>, number, boolean][] = [
    ["fast card", FAST, {}, 1, true],
    ["fast card, four threads", FAST, {}, 4, true],
    ["fast card, sixteen threads", FAST, {}, 16, false],
    ["fast card, sixteen threads, many kernels", FAST, { numKernels: 8 }, 16, true],
    ["fast card, little work", FAST, { bytes: 1e6 }, 1, false],
    ["fast card, tiny batches", FAST, { batchBytes: 1000 }, 4, false],
    ["fast card, no kernel", FAST, { numSteps: 0, numKernels: 0 }, 1, false],
    ["far card", FAR, {}, 1, false],
    ["far card, many kernels", FAR, { numKernels: 10 }, 1, true],
    ["slow wait", { ...FAST, waitMs: 1000 }, {}, 1, false],
    ["software", SOFTWARE, {}, 1, false],
    ["software, many kernels", SOFTWARE, { numKernels: 50 }, 1, false],
  ];
  for (const [name, probe, work, threads, expected] of cases) {
    assertEquals([name, gains({ ...LARGE, ...work }, probe, threads)], [name, expected]);
  }
});

Deno.test("both costs grow with the bytes, and the device's with waits that batches in flight share", () => {
  assertEquals(hostMs(LARGE, 4), hostMs(LARGE, 1) / 4);
  assertEquals(hostMs({ ...LARGE, numKernels: 3 }, 1), 3 * hostMs(LARGE, 1));
  const tiny = { ...LARGE, bytes: 256 << 10, batchBytes: 1024 };
  const rest = tiny.bytes * (2 / (12 * GB_S) + 1 / (400 * GB_S));
  // 256 batches are in flight together, and 257 are not.
  assertEquals(deviceMs(tiny, FAST), 2 * 10 + rest);
  const more = deviceMs({ ...tiny, bytes: tiny.bytes + 1024 }, FAST);
  assert(Math.abs(more - 4 * 10 - rest) < 0.01);
  assertEquals([mayGain(LARGE, 1), mayGain({ ...LARGE, bytes: 1e6 }, 1)], [true, false]);
});

/** The choice between the host and a card with a probe, and how often that was opened and closed. */
function autoWith(probe: DeviceProbe | Error | string) {
  const seen = { opened: 0, closed: 0, probed: 0 };
  const card = new Proxy(createHostBackend(), {
    get(target, key) {
      if (key === "kind") return "webgpu" satisfies Backend["kind"];
      if (key === "description") return "a card";
      if (key === "close") return () => void seen.closed++;
      if (key !== "probeSpeed") return Reflect.get(target, key, target);
      return () => {
        seen.probed++;
        return probe instanceof Error ? Promise.reject(probe) : Promise.resolve(probe);
      };
    },
  }) as HardwareBackend;
  const open = () => {
    seen.opened++;
    return Promise.resolve(typeof probe === "string" ? probe : card);
  };
  return { seen, devices: new AutoDevices(createHostBackend, open, 2) };
}

Deno.test("auto opens an adapter once, for the first plan that may gain, and chooses plan by plan", async () => {
  const { seen, devices } = autoWith(FAST);
  const choose = async (work: PlanWork) => {
    const { backend: { kind }, reason, probe } = await devices.choose(() => Promise.resolve(work));
    return [kind, reason, probe === undefined];
  };
  const none = { ...LARGE, numSteps: 0, numKernels: 0 };
  assertEquals(await choose(none), ["host", "no step computes what an adapter could", true]);
  const small = { ...LARGE, bytes: 32e6 };
  const tooLittle = "the host takes about 20 ms, too little to open an adapter";
  assertEquals(await choose(small), ["host", tooLittle, true]);
  assertEquals(seen, { opened: 0, closed: 0, probed: 0 });
  const reason = "for 1.0 GB the host takes about 625 ms, a card about 249 ms";
  assertEquals(await choose(LARGE), ["webgpu", reason, false]);
  // It is open now, and still does not gain.
  const less = "for 32.0 MB the host takes about 20 ms, a card about 25 ms";
  assertEquals(await choose(small), ["host", less, false]);
  assertEquals(seen, { opened: 1, closed: 0, probed: 1 });
  await devices.close();
  assertEquals(seen.closed, 1);
});

Deno.test("auto takes the host where an adapter cannot be opened, or fails in its probe", async () => {
  for (const problem of ["there is none", new DeviceError("there is none")]) {
    const { seen, devices } = autoWith(problem);
    const { backend: { kind }, reason } = await devices.choose(() => Promise.resolve(LARGE));
    assertEquals([kind, reason], ["host", "there is none"]);
    assertEquals(seen.closed, problem instanceof Error ? 1 : 0);
    await devices.close();
  }
});
