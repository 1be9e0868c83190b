/** Programs with a card that end in different ways: none hangs, and no driver says a word. */

import { assertEquals } from "@std/assert";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { checkoutPath } from "../../../../support/processes/sluice.ts";
import { someOf } from "../../../../support/random/test_size.ts";

/** A program with a card, whose engine stays open. */
const PROGRAM = `
import { createEngine, expr, fromBatches, toTable, withColumns } from "${checkoutPath("mod.ts")}";
import { takeForHardware } from "${checkoutPath("tests/support/device/hardware.ts")}";
import { tableFromArrays } from "${import.meta.resolve("apache-arrow")}";
takeForHardware("A card");
async function go(engine) {
  const names = fromBatches(tableFromArrays({ name: ["Éva", "Šimon"] }).batches, { engine });
  const loud = await toTable(names.pipeThrough(withColumns({ loud: expr("name.upper()") })));
  console.log(loud.getChild("loud").toArray().join(" "));
}
const engine = createEngine({ device: "gpu" });
`;
const DONE = "ÉVA ŠIMON\n";

/** Programs by what they do: the permissions that they have, what they print, and how they end. */
const PROGRAMS: Readonly<
  Record<string, { code: string; permissions?: readonly string[]; out?: string; status?: number }>
> = {
  "leaves its engine open": { code: "await go(engine);" },
  "may only read": { code: "await go(engine);", permissions: ["--allow-read"] },
  "may read, and what a card needs": {
    code: "await go(engine);",
    permissions: ["--allow-read", "--allow-env=XDG_RUNTIME_DIR"],
  },
  "may not read": { code: "await go(engine);", permissions: ["--allow-env"] },
  "exits while its card computes": {
    code: "await go(engine); go(engine); setTimeout(() => Deno.exit(3), 3);",
    status: 3,
  },
  "goes on when all is done": {
    code: `await go(engine);
      let left = 2;
      addEventListener("beforeunload", (event) => {
        if (left-- <= 0) return;
        event.preventDefault();
        go(engine);
      });`,
    out: DONE.repeat(3),
  },
  "opens several at once": {
    code: `await Promise.all([1, 2, 3].map(() => go(createEngine({ device: "gpu" }))));`,
    out: DONE.repeat(3),
  },
};

for (const [title, { code, permissions, out, status = 0 }] of someOf(Object.entries(PROGRAMS), 3)) {
  deviceTest(`a program with a card that ${title} ends as it wants, without a word`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/program.ts`, PROGRAM + code);
      // Drivers ask for this variable, which is theirs to have.
      const { XDG_RUNTIME_DIR: _, ...env } = Deno.env.toObject();
      const asksQuietly = permissions === undefined || permissions.includes("--allow-env");
      const result = await new Deno.Command(Deno.execPath(), {
        args: [
          ...["run", "-q", "--no-check", "--no-prompt", ...permissions ?? ["--allow-all"]],
          ...["--config", checkoutPath("deno.json"), `${folder}/program.ts`],
        ],
        clearEnv: true,
        env: { ...env, ...(asksQuietly ? {} : { XDG_RUNTIME_DIR: "/tmp" }), NO_COLOR: "1" },
      }).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      const wanted = status === 0 ? out ?? DONE : text(result.stdout);
      assertEquals([text(result.stderr), text(result.stdout)], ["", wanted]);
      assertEquals(result.code, status);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
