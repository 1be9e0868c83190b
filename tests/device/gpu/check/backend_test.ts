import { assert, assertEquals, assertRejects } from "@std/assert";
import { CheckBackend } from "../../../../gpu/check/backend.ts";
import { createHostBackend } from "../../../../gpu/host/backend.ts";
import { createWebGpuBackend } from "../../../../gpu/webgpu/backend.ts";
import { createEngine, expr, fromBatches, join, toTable, withColumns } from "../../../../mod.ts";
import { leaveRandomCase } from "../../../fuzz/left_case.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { anyDevice } from "../../../support/device/device_options.ts";
import { numberedBatches } from "../../../support/pipelines/pipeline_streams.ts";
import { flipped, PlantedBackend, without } from "../../../support/pipelines/planted_backend.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { checkoutPath, inFolder, sluice } from "../../../support/processes/sluice.ts";

const preload = checkoutPath("tests/support/device/wrong_adapter.ts");
const env = { XDG_RUNTIME_DIR: "/tmp" };
const NAMES = `id,name\n${
  ["Ada", "Alan", "Liz", "Fritz", "Grace"].map((n, i) => `${i},${n}\n`).join("")
}`;

deviceTest("--device check names what differs, and the command that shows it again", async () => {
  await inFolder({ "names.csv": NAMES }, async (cwd) => {
    const words = [
      ...["read", "names.csv", "then", "filter", "id >= 1"],
      ...["then", "with", "loud = name.upper()", "then", "slice", "1:", "then", "drop", "id"],
      ...["then", "write", "loud.arrow"],
    ];
    const options = { cwd, preload, env: { ...env, SLUICE_TEST_FAULT: "z is a capital A" } };
    const failed = await sluice(["--device=check", ...words], options);
    const message = "column loud = name.upper(): kernel name.upper() gives";
    const again = "read names.csv then filter 'id >= 1' then slice 1:2 then " +
      "with 'loud = name.upper()' then drop id then show";
    assertEquals([failed.status, failed.out, failed.err], [
      1,
      "",
      `sluice: error: step 3, with: ${message} "LIZ" on the host, "LIA" on the device (row 1)\n` +
      `  reproduce with: sluice --device=check ${again}\n`,
    ]);
    assertEquals([...Deno.readDirSync(cwd)].map(({ name }) => name), ["names.csv"]);

    const shown = again.split(/ (?=(?:[^']*'[^']*')*[^']*$)/).map((word) =>
      word.replaceAll("'", "")
    );
    const repeated = await sluice(shown, {
      ...options,
      env: { ...options.env, SLUICE_DEVICE: "check" },
    });
    assertEquals(repeated.status, 1);
    assert(repeated.err.includes(`${message} "LIZ" on the host, "LIA" on the device (row 0)`));
    assert(repeated.err.includes("reproduce with: sluice --device check read names.csv then"));

    const right = await sluice(["--device", "check", ...words], { cwd, env });
    assertEquals([right.status, right.err], [0, ""]);
  });
});

deviceTest("what is left in the middle, or differs, gives all memory back", async () => {
  const device = (await createWebGpuBackend(anyDevice))!;
  const engine = createEngine({ device: "cpu" });
  const checked = (backend: CheckBackend) =>
    Object.assign(engine, { backend: () => Promise.resolve(backend) });
  const inUse = () => device.context.pool.inUseBuffers;
  checked(new CheckBackend(createHostBackend({ threads: 1 }), device));
  await forSeeds(12, (random) => leaveRandomCase(random, engine, inUse));

  const faults = { kernels: { "word.upper()": flipped(3) }, join: without(1) };
  checked(new CheckBackend(createHostBackend({ threads: 1 }), new PlantedBackend(device, faults)));
  const people = () => fromBatches(numberedBatches(3, 9), { engine });
  const loud = people().pipeThrough(withColumns({ loud: expr("word.upper()") }));
  await assertRejects(() => toTable(loud), Error, 'kernel word.upper() gives "W3"');
  assertEquals(inUse(), 0);
  const joined = people().pipeThrough(join(people(), { on: "id" }));
  await assertRejects(() => toTable(joined), Error, "the join gives");
  assertEquals(inUse(), 0);
  await device.close();
});
