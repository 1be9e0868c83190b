import { assertEquals } from "@std/assert";
import { checkoutPath, flightsFile, inFolder } from "../../support/sluice.ts";

/** Runs a line of bash in which `sluice` is the command line. */
async function bash(
  line: string,
  cwd: string,
): Promise<{ code: number; out: string; err: string }> {
  const sluice = `sluice() { "$DENO" run -q -A --config="$CONFIG" "$CLI" "$@"; }`;
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", `set -o pipefail; ${sluice}\n${line}`],
    cwd,
    env: {
      DENO: Deno.execPath(),
      CONFIG: checkoutPath("deno.json"),
      CLI: checkoutPath("cli.ts"),
      FLIGHTS: flightsFile,
      SLUICE_DEVICE: "cpu",
      NO_COLOR: "1",
    },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}

const ignore = Deno.build.os === "windows";

Deno.test({
  name: "an Arrow stream goes from one process to the next",
  ignore,
  fn: () =>
    inFolder({}, async (cwd) => {
      const line =
        `sluice read "$FLIGHTS" then filter 'delay > 600' | sluice select origin | sluice count`;
      assertEquals(await bash(line, cwd), { code: 0, out: "272\n", err: "" });
    }),
});

Deno.test({
  name: "a reader that stops early ends the writer quietly",
  ignore,
  fn: () =>
    inFolder({}, async (cwd) => {
      const stopped = await bash(`sluice read "$FLIGHTS" | head -c 100 | wc -c`, cwd);
      assertEquals({ ...stopped, out: stopped.out.trim() }, { code: 0, out: "100", err: "" });
      const few = await bash(`sluice read "$FLIGHTS" | sluice head 3 then count`, cwd);
      assertEquals(few, { code: 0, out: "3\n", err: "" });
      const lines = await bash(`sluice read "$FLIGHTS" then show 100000 | head -n 1`, cwd);
      assertEquals([lines.code, lines.err], [0, ""]);
    }),
});

Deno.test({
  name: "/dev/full as stdout is a failure of one line",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder({}, async (cwd) => {
      const { code, err } = await bash(`sluice read "$FLIGHTS" > /dev/full`, cwd);
      assertEquals(code, 1);
      assertEquals(/^sluice: error: [^\n]+\n$/.test(err), true, err);
    }),
});
