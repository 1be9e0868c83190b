import { assertEquals } from "@std/assert";
import { deviceTest } from "../support/device/adapter.ts";
import { airportsFile, flightsFile, inFolder, sluice } from "../support/processes/sluice.ts";
import { assertManyMatches } from "../support/joins/many_matches.ts";

deviceTest("a command writes the same bytes with --device gpu and --device cpu", async () => {
  await inFolder({}, async (cwd) => {
    const steps = [
      ...["read", flightsFile, "then", "head", "20000"],
      ...["then", "with", 'route = origin.lower() + " > " + destination', "late = delay > 60"],
      ...["then", "join", airportsFile, "--on", "origin=iata", "--columns", "name,city"],
      ...["then", "filter", 'name.splitPart(" ", 1) != "Intl" || delay < 0'],
      ...["then", "regroup", "--rows", "1000", "then", "write"],
    ];
    for (const device of ["gpu", "cpu"]) {
      const { status, err } = await sluice(["--device", device, ...steps, `${device}.arrow`], {
        cwd,
        env: { XDG_RUNTIME_DIR: "/tmp" },
      });
      assertEquals([status, err], [0, ""]);
    }
    const [gpu, cpu] = ["gpu", "cpu"].map((device) => Deno.readFileSync(`${cwd}/${device}.arrow`));
    assertEquals(gpu!.length > 100_000, true);
    assertEquals(gpu, cpu);
  });
});

deviceTest(
  "a join of 12,000 rows with themselves counts 72,000,000 rows within 2 GiB",
  async () => {
    await assertManyMatches("gpu");
  },
);
