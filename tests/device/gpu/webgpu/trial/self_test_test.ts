/** The test that an adapter takes before it is used, with adapters that compute wrongly. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { DeviceError } from "../../../../../base/errors/device_error.ts";
import { requestWebGpuDevice } from "../../../../../gpu/webgpu/device/device.ts";
import { selfTest } from "../../../../../gpu/webgpu/trial/self_test.ts";
import { createEngine } from "../../../../../mod.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import type { Fault, FAULTS } from "../../../../support/device/faults.ts";
import { checkoutPath, inFolder, sluice } from "../../../../support/processes/sluice.ts";
import { someOf } from "../../../../support/random/test_size.ts";
import {
  plantFault,
  refuseToOpen,
  WRONG_ADAPTER,
} from "../../../../support/device/wrong_adapter.ts";

deviceTest(
  "an adapter that computes what it must passes with one submit and one wait",
  async () => {
    const device = (await requestWebGpuDevice({ software: true }))!;
    let submits = 0;
    let waits = 0;
    const { queue } = device.gpu;
    const { submit } = queue;
    const { mapAsync } = GPUBuffer.prototype;
    queue.submit = (...args) => (submits++, submit.apply(queue, args));
    GPUBuffer.prototype.mapAsync = function (this: GPUBuffer, ...args) {
      waits++;
      return mapAsync.apply(this, args);
    };
    try {
      await selfTest(device);
    } finally {
      GPUBuffer.prototype.mapAsync = mapAsync;
    }
    assertEquals([submits, waits], [1, 1]);
    assertEquals(new Set(Object.values(device.counters)), new Set([0]));
    await device.destroy();
  },
);

/** What is said of each fault behind the name of the adapter. */
const PROBLEMS: Readonly<Record<keyof typeof FAULTS, RegExp>> = {
  "remainders are unsigned": /^computes wrongly: -1 % 7 is 3, not -1$/,
  "quotients are rounded down": /^computes wrongly: 1 \/ -2 is -1, not 0$/,
  "shifts lose a bit of their count": /^computes wrongly: 1 << -1 is 32768, not -2147483648$/,
  "memory is not shared in time": /^computes wrongly: the sums of sizes are wrong$/,
  "a word has one writer": /^computes wrongly: text of neighbouring rows is lost$/,
  "memory of a workgroup has one writer": /^computes wrongly: the sums of sizes are wrong$/,
  "a slot is claimed twice": /^computes wrongly: words that many rows change are wrong$/,
  "kernels do not compile": /^cannot be used: self-test: Shader .*error/,
};

for (const [fault, problem] of someOf(Object.entries(PROBLEMS), 3)) {
  deviceTest(`an adapter where ${fault} is refused: auto takes the host, gpu fails`, async () => {
    const heal = plantFault(fault as Fault);
    try {
      const auto = createEngine({ device: "auto" });
      const { kind, reason } = await auto.describe();
      assertEquals(kind, "host");
      assert(reason.startsWith(`${WRONG_ADAPTER} `), reason);
      assert(problem.test(reason.slice(WRONG_ADAPTER.length + 1)), reason);
      await auto.close();
      const gpu = createEngine({ device: "gpu" });
      const error = await assertRejects(() => gpu.describe(), DeviceError);
      assertEquals(error.message, reason);
      await gpu.close();
    } finally {
      heal();
    }
  });
}

deviceTest(
  "an adapter that cannot be opened leaves auto on the host, with the reason",
  async () => {
    const heal = refuseToOpen();
    const engine = createEngine({ device: "auto" });
    try {
      const { kind, reason } = await engine.describe();
      assertEquals([kind, reason], ["host", `Cannot open ${WRONG_ADAPTER}: Error: Out of luck`]);
    } finally {
      heal();
      await engine.close();
    }
  },
);

deviceTest(
  "doctor says what an adapter computes wrongly, and small work does not ask it",
  async () => {
    const options = {
      preload: checkoutPath("tests/support/device/wrong_adapter.ts"),
      env: {
        SLUICE_DEVICE: "auto",
        SLUICE_TEST_FAULT: "remainders are unsigned",
        XDG_RUNTIME_DIR: "/tmp",
      },
    };
    await inFolder({ "people.csv": "name\nAda\nGrace\n" }, async (cwd) => {
      const words = ["read", "people.csv", "then", "with", "loud = name.upper()", "then", "count"];
      const auto = await sluice(["--stats", ...words], { cwd, ...options });
      assertEquals([auto.status, auto.out], [0, "2\n"]);
      assertStringIncludes(auto.err, "the host (no step computes what an adapter could)");
      const doctor = await sluice(["doctor"], { cwd, ...options });
      assertEquals(doctor.status, 0);
      assert(
        /^because +Planted adapter computes wrongly: -1 % 7 is /m.test(doctor.out),
        doctor.out,
      );
      const gpu = await sluice(["--device", "gpu", ...words], { cwd, ...options });
      assertEquals([gpu.status, gpu.out], [1, ""]);
      assert(
        /^sluice: error: .*Planted adapter computes wrongly: -1 % 7 is .*\n$/.test(gpu.err),
        gpu.err,
      );
    });
  },
);
