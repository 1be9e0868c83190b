/** The choice of `auto` on an adapter that says that it is hardware, and its probe. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { DeviceProbe } from "../../../../../gpu/backend.ts";
import { WebGpuBackend } from "../../../../../gpu/webgpu/backend.ts";
import { requestWebGpuDevice } from "../../../../../gpu/webgpu/device/device.ts";
import { probeDevice, probeOnce } from "../../../../../gpu/webgpu/trial/probe.ts";
import { createEngine, expr, fromBatches, head, toTable, withColumns } from "../../../../../mod.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { closing } from "../../../../support/running/closing.ts";
import { anyDevice } from "../../../../support/device/device_options.ts";
import { takeForHardware } from "../../../../support/device/hardware.ts";
import { numberedBatches } from "../../../../support/pipelines/pipeline_streams.ts";
import { checkoutPath, inFolder, sluice } from "../../../../support/processes/sluice.ts";

const FIGURES =
  /^a wait \d+\.\d\d ms, upload \d+\.\d GB\/s, download \d+\.\d GB\/s, kernel \d+\.\d GB\/s$/;

/** Runs with an adapter that says that it is hardware; returns the name it has. */
async function withCard(name: string, use: () => Promise<void>): Promise<void> {
  const undo = takeForHardware(name);
  try {
    await use();
  } finally {
    undo();
  }
}

deviceTest("a probe measures the device, and leaves neither buffers nor counts", async () => {
  const device = (await requestWebGpuDevice(anyDevice))!;
  const probe = await probeDevice(device);
  for (const figure of Object.values(probe)) assert(figure > 0 && figure < Infinity);
  assertEquals(Object.keys(probe).length, 4);
  assertEquals(new Set(Object.values(device.counters)), new Set([0]));
  const [first, second] = await Promise.all([probeOnce(device), probeOnce(device)]);
  assert(first === second, "it is remembered");
  await device.destroy();
});

deviceTest(
  "auto takes the host where a software adapter is taken for hardware, and says why",
  () =>
    withCard("Slow card", async () => {
      await using engine = closing(createEngine({ device: "auto" }));
      const { kind, reason, probe } = await engine.describe();
      assertEquals(kind, "host");
      assertMatch(
        reason,
        /^for 1\.1 GB the host takes about [\d.]+ m?s, Slow card about [\d.]+ s$/,
      );
      assertMatch(probe!, FIGURES);
      const stream = fromBatches(numberedBatches(3, 5), { engine })
        .pipeThrough(withColumns({ loud: expr("word.upper()") }));
      assertMatch(
        await stream.explain(),
        /^device: the host \(for 960 B the host takes about 0 ms, /,
      );
      assertEquals((await toTable(stream)).getChild("loud")!.get(14), "W14");
    }),
);

deviceTest(
  "auto takes a fast card for large plans, and the host for small ones",
  () =>
    withCard("Fast card", async () => {
      const { probeSpeed } = WebGpuBackend.prototype;
      const GB_S = 1e6;
      const probe: DeviceProbe = {
        waitMs: 10,
        uploadBytesPerMs: 20 * GB_S,
        downloadBytesPerMs: 20 * GB_S,
        kernelBytesPerMs: 1000 * GB_S,
      };
      WebGpuBackend.prototype.probeSpeed = () => Promise.resolve(probe);
      try {
        await using engine = closing(createEngine({ device: "auto", threads: 1 }));
        const loud = withColumns({ loud: expr("word.upper()") });
        // Nobody knows how long it is.
        const unknown = () => fromBatches(ReadableStream.from(numberedBatches(9, 50)), { engine });
        const large = await toTable(unknown().pipeThrough(loud));
        assertEquals((await engine.describe()).kind, "webgpu");
        assertEquals(large.getChild("loud")!.get(449), "W449");
        const few = withColumns({ loud: expr("word.upper()") });
        const small = fromBatches(numberedBatches(9, 50), { engine }).pipeThrough(few);
        assertEquals((await toTable(small.pipeThrough(head(7)))).getChild("loud")!.get(6), "W6");
        const { kind, reason } = await engine.describe();
        assertEquals(kind, "host");
        assertMatch(reason, /^for 448 B the host takes about 0 ms, Fast card about 20 ms$/);
      } finally {
        WebGpuBackend.prototype.probeSpeed = probeSpeed;
      }
    }),
);

deviceTest(
  "doctor and --stats show the figures of the probe and the reason, a line each",
  () =>
    inFolder({ "people.csv": `name\n${"Ada\n".repeat(30)}` }, async (cwd) => {
      const options = {
        cwd,
        preload: checkoutPath("tests/support/device/hardware.ts"),
        env: { SLUICE_DEVICE: "auto", SLUICE_TEST_HARDWARE: "1", XDG_RUNTIME_DIR: "/tmp" },
      };
      const doctor = await sluice(["doctor"], options);
      assertEquals(doctor.status, 0);
      assertMatch(doctor.out, /^computes on +the host$/m);
      assertMatch(
        doctor.out,
        /^because +for 1\.1 GB the host takes about .*, Taken for hardware /m,
      );
      const [, figures = ""] = /^measured +(.*)$/m.exec(doctor.out) ?? [];
      assertMatch(figures, FIGURES);
      const words = ["read", "people.csv", "then", "with", "loud = name.upper()", "then", "show"];
      const { status, err } = await sluice(["--stats", ...words], options);
      assertEquals(status, 0);
      assertMatch(
        err,
        /^device +the host \(the host takes about 0 ms, too little to open an adapt/m,
      );
    }),
);
