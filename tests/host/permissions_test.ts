import { assertEquals } from "@std/assert";
import { RangeServer } from "../support/files/range_server.ts";
import { onTerminal, Screen } from "../support/processes/terminal.ts";
import { checkoutPath, inFolder } from "../support/processes/sluice.ts";
import { someOf } from "../support/random/test_size.ts";

/** A use of the library, and the permissions that docs/permissions.md names for it. */
interface Use {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly program: string;
}

/** Where Deno keeps packages. */
const packages = npmCache();

function npmCache(): string {
  const { stdout } = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync();
  return JSON.parse(new TextDecoder().decode(stdout)).npmCache;
}

const uses: readonly Use[] = [
  {
    name: "record batches in memory, expressions and joins on the host, on threads too",
    permissions: [],
    program: `
      import { tableFromArrays } from "apache-arrow";
      import { createEngine, expr, fromBatches, join, toTable, withColumns } from "MOD";
      const names = Array.from({ length: 300_000 }, (_, row) => "name " + row);
      const table = tableFromArrays({ key: names });
      const engine = createEngine({ threads: 2 });
      for (let run = 0; run < 3; run++) {
        const upper = expr('key.upper().replace("1", "one").lower()');
        const result = await toTable(
          fromBatches(table, { engine })
            .pipeThrough(withColumns({ upper }))
            .pipeThrough(join(fromBatches(table.slice(7, 8)), { on: "key" })),
        );
        if (result.get(0)?.upper !== "name 7") throw new Error("wrong");
      }
      await engine.close();`,
  },
  {
    name: "reading text and Arrow files",
    permissions: ["--allow-read=."],
    program: `
      import { expr, read, toTable, withColumns } from "MOD";
      for (const file of ["a.csv", "a.ndjson", "a.arrow"]) {
        const upper = expr("city.upper()");
        const table = await toTable(read(file).pipeThrough(withColumns({ upper })));
        if (table.get(0)?.upper !== "ROME") throw new Error("wrong");
      }`,
  },
  {
    name: "reading Parquet files",
    permissions: [`--allow-read=.,${packages}`],
    program: `
      import { read, toTable } from "MOD";
      if ((await toTable(read("a.parquet"))).numRows !== 1) throw new Error("wrong");`,
  },
  {
    name: "writing files",
    permissions: [`--allow-read=.,${packages}`, "--allow-write=."],
    program: `
      import { read, write } from "MOD";
      for (const file of ["b.csv", "b.ndjson", "b.arrow", "b.parquet"]) {
        await read("a.csv").pipeTo(write(file));
        await read("a.csv").pipeTo(write(file));
      }`,
  },
  {
    name: "the choice of a device, and variables that are named",
    permissions: ["--allow-env=XDG_RUNTIME_DIR,SLUICE_DEVICE,SLUICE_THREADS"],
    program: `
      import { createEngine } from "MOD";
      const { reason } = await createEngine().describe();
      if (reason.includes("--allow-env")) throw new Error(reason);`,
  },
  {
    name: "a plugin that is imported",
    permissions: [],
    program: `
      import { tableFromArrays } from "apache-arrow";
      import { col, fromBatches, toTable, withColumns } from "MOD";
      import { shout } from "${new URL("../../examples/shout.ts", import.meta.url)}";
      const table = tableFromArrays({ name: ["hey!"] });
      const loud = shout(col("name"));
      const result = await toTable(fromBatches(table).pipeThrough(withColumns({ loud })));
      if (result.get(0)?.loud !== "hey!!") throw new Error("wrong");`,
  },
];

/** Runs a body in a folder with one table in every format. */
function withFiles(body: (folder: string) => Promise<void>): Promise<void> {
  return inFolder({ "a.csv": "city\nRome\n" }, async (folder) => {
    const { read, write } = await import("../../mod.ts");
    for (const suffix of ["ndjson", "arrow", "parquet"]) {
      await read(`${folder}/a.csv`).pipeTo(write(`${folder}/a.${suffix}`));
    }
    await body(folder);
  });
}

async function writeProgram(folder: string, program: string): Promise<readonly string[]> {
  const library = new URL("../../mod.ts", import.meta.url).href;
  await Deno.writeTextFile(`${folder}/program.ts`, program.replaceAll("MOD", library));
  return ["run", "--quiet", `--config=${checkoutPath("deno.json")}`];
}

// The drivers print where the variable is missing.
const env = { NO_COLOR: "1" };
const without = ["env", "-u", "XDG_RUNTIME_DIR", "-u", "SLUICE_DEVICE", "-u", "SLUICE_THREADS"];

for (const { name, permissions, program } of someOf(uses, 3)) {
  Deno.test(`${name}: ${permissions.join(" ") || "no permission"} is enough, in silence`, () =>
    withFiles(async (cwd) => {
      const run = await writeProgram(cwd, program);
      const { code, stdout, stderr } = await new Deno.Command(without[0]!, {
        args: [
          ...without.slice(1),
          Deno.execPath(),
          ...run,
          "--no-prompt",
          ...permissions,
          "program.ts",
        ],
        cwd,
        env,
      }).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      assertEquals([code, text(stdout), text(stderr)], [0, "", ""]);
    }));
}

Deno.test("reading files on a server: --allow-net=HOST is enough, for Arrow and text", () =>
  withFiles(async (cwd) => {
    await using server = new RangeServer({
      "a.csv": await Deno.readFile(`${cwd}/a.csv`),
      "a.arrow": await Deno.readFile(`${cwd}/a.arrow`),
    });
    const run = await writeProgram(
      cwd,
      `import { read, toTable } from "MOD";
      for (const file of ["a.csv", "a.arrow"]) {
        const table = await toTable(read("http://${server.host}/" + file));
        if (table.get(0)?.city !== "Rome") throw new Error("wrong");
      }`,
    );
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...run, "--no-prompt", `--allow-net=${server.host}`, "program.ts"],
      cwd,
      env,
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assertEquals([code, text(stdout), text(stderr)], [0, "", ""]);
    assertEquals(server.log.length, 2);
  }));

Deno.test("on a terminal nobody is asked for a permission that docs/permissions.md does not name", () =>
  withFiles(async (cwd) => {
    for (const { name, permissions, program } of someOf(uses, 2)) {
      const run = await writeProgram(cwd, program);
      const command = [...without, Deno.execPath(), ...run, ...permissions, "program.ts"];
      const { status, pieces } = await onTerminal(command, { cwd });
      const screen = new Screen();
      for (const { text } of pieces) screen.write(text);
      assertEquals([name, status, screen.text], [name, 0, ""]);
    }
  }));

Deno.test("without a look at XDG_RUNTIME_DIR, auto is the host, and says how to change that", () =>
  withFiles(async (cwd) => {
    const run = await writeProgram(
      cwd,
      `import { createEngine } from "MOD";
      console.log((await createEngine().describe()).reason);
      console.log((await createEngine({ device: "cpu" }).describe()).reason);`,
    );
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: [...run, "--no-prompt", "program.ts"],
      cwd,
      env,
    }).output();
    const expected = Deno.build.os === "linux"
      ? "graphics drivers are asked only with --allow-env=XDG_RUNTIME_DIR"
      : "there is no hardware adapter for WebGPU";
    assertEquals(new TextDecoder().decode(stdout), `${expected}\ndevice is cpu\n`);
  }));
