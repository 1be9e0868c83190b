import { assert, assertEquals } from "@std/assert";
import { deviceTest } from "../support/adapter.ts";
import { checkoutPath, inFolder, sluice } from "../support/sluice.ts";

const preload = checkoutPath("tests/support/wrong_adapter.ts");
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
    const again = "read names.csv then filter 'id >= 1' then slice 1: then slice 0:1 then " +
      "with 'loud = name.upper()' then drop id then show";
    assertEquals([failed.status, failed.out, failed.err], [
      1,
      "",
      `sluice: error: step 3, with: ${message} "LIZ" on the host, "LIA" on the device (row 0)\n` +
      `  shown again by: sluice --device=check ${again}\n`,
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
    assert(repeated.err.includes("shown again by: sluice --device check read names.csv then"));

    const right = await sluice(["--device", "check", ...words], { cwd, env });
    assertEquals([right.status, right.err], [0, ""]);
  });
});
