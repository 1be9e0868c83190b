import { assertEquals } from "@std/assert";
import { flightsFile, inFolder, sluiceCommand } from "../../support/sluice.ts";

/** Waits until the folder holds a file that is being written. */
async function partialFile(folder: string): Promise<void> {
  for (let i = 0; i < 400; i++) {
    for (const { name } of Deno.readDirSync(folder)) if (name.includes(".partial")) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("no output was begun within 10 s");
}

for (const [signal, status] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
  Deno.test({
    name: `${signal} in the middle removes what was begun and exits with ${status}`,
    ignore: Deno.build.os === "windows",
    fn: () =>
      inFolder({ "out.arrow": "before" }, async (cwd) => {
        const files = Array<string>(8).fill(flightsFile);
        const command = [
          "read",
          ...files,
          "then",
          "with",
          "o = origin.lower()",
          "then",
          "write",
          "out.arrow",
        ];
        const child = sluiceCommand(command, { cwd }).spawn();
        const output = child.output();
        await partialFile(cwd);
        child.kill(signal);
        const { code, stdout, stderr } = await output;
        assertEquals([code, stdout.length, new TextDecoder().decode(stderr)], [status, 0, ""]);
        assertEquals([...Deno.readDirSync(cwd)].map(({ name }) => name), ["out.arrow"]);
        assertEquals(await Deno.readTextFile(`${cwd}/out.arrow`), "before");
      }),
  });
}
