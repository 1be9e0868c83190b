/** Signals end a command whatever its main thread does, and leave no partial output. */

import { assertEquals } from "@std/assert";
import { inFolder, sluiceCommand } from "../../../support/processes/sluice.ts";
import { until } from "../../../support/running/until.ts";

const library = JSON.stringify(new URL("../../../../mod.ts", import.meta.url).href);

/** An operation that never ends for a long text, and an operator that never ends at a second batch. */
const plugin = `
import { defineOperator, defineStringOp } from ${library};

export const spin = defineStringOp({
  name: "spin",
  summary: "Never ends for a long text",
  kind: "emit",
  examples: [{ input: "Brig", result: "a" }],
  row(out, text) {
    let at = 0;
    while (text.size > 4) at = at * 1;
    out.put(97);
  },
});

export const endless = defineOperator({
  name: "endless",
  rows: "same",
  schema: (input) => input,
  open() {
    let numBatches = 0;
    return {
      transform(batch, controller) {
        while (numBatches > 0);
        numBatches++;
        controller.enqueue(batch);
      },
    };
  },
});
`;

/** Names in a folder. */
function namesIn(folder: string): string[] {
  return Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
}

const files = { "a.csv": "name\nBrig\n", "b.csv": "name\nLausanne\n", "plugin.ts": plugin };

const steps = { "a row function": ["with", "n = name.spin()"], "an operator": ["endless"] };

for (const [what, step] of Object.entries(steps)) {
  for (const [signal, status] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    Deno.test({
      name: `${signal} ends ${what} of a plugin that never ends, and removes its output`,
      ignore: Deno.build.os === "windows",
      fn: () =>
        inFolder(files, async (cwd) => {
          const words = ["read", "a.csv", "b.csv", "then", ...step, "then", "write", "out.csv"];
          const child = sluiceCommand(["--plugin", "./plugin.ts", ...words], { cwd }).spawn();
          const output = child.output();
          const hasOutput = () => namesIn(cwd).some((name) => name.endsWith(".partial"));
          await until(hasOutput, "the output was begun");
          child.kill(signal);
          const { code, stderr } = await output;
          assertEquals([code, new TextDecoder().decode(stderr)], [status, ""]);
          assertEquals(namesIn(cwd), Object.keys(files));
        }),
    });
  }
}

for (const [signal, status] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
  Deno.test({
    name: `${signal} ends a command over a large file whose main thread is busy`,
    ignore: Deno.build.os === "windows",
    fn: () =>
      inFolder({ "a.csv": `text\n${"Zürich HB\n".repeat(1_700_000)}` }, async (cwd) => {
        const { code, stderr } = await sluiceCommand(
          ["--memory", "8MiB", "read", "a.csv", "then", "write", "b.csv"],
          {
            cwd,
            preload: new URL("../../../support/processes/busy_writer.ts", import.meta.url).href,
            env: { SLUICE_TEST_SIGNAL: signal },
          },
        ).output();
        assertEquals([code, new TextDecoder().decode(stderr)], [status, ""]);
        assertEquals(namesIn(cwd), ["a.csv"]);
      }),
  });
}
