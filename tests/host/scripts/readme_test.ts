import { assert, assertEquals } from "@std/assert";
import { dirname } from "node:path";
import { tableFromArrays, tableFromIPC } from "apache-arrow";
import manifest from "../../../deno.json" with { type: "json" };
import { writeParquet } from "../../../streams/formats/parquet/parquet.ts";
import { checkoutPath, commandScript, inFolder } from "../../support/sluice.ts";

const readme = await Deno.readTextFile(checkoutPath("README.md"));

/** The code blocks of the README that open with the given words. */
function blocksOf(opening: string): string[] {
  return [...readme.matchAll(/^```(.*)\n([^]*?)^```$/gm)]
    .filter(([, language]) => language === opening)
    .map(([, , code]) => code!);
}

/** The command in the README that has these words in it. */
function commandWith(words: string): string {
  const block = blocksOf("sh").find((block) => block.includes(words));
  if (block === undefined) throw new Error(`The README has no command with ${words}`);
  return block;
}

/** Runs `body` beside the files that the README names. */
async function besideFiles(body: (folder: string) => Promise<void>): Promise<void> {
  const airports = "iata,name\nLAX,Los Angeles!\nSFO,San Francisco\n";
  await inFolder({ "airports.csv": airports, sluice: commandScript("-A") }, async (folder) => {
    await Deno.chmod(`${folder}/sluice`, 0o755);
    const origin = Array.from({ length: 1_500 }, (_, row) => ["LAX", "SFO", "JFK"][row % 3]!);
    const flights = tableFromArrays({ origin, destination: origin.toReversed() });
    await ReadableStream.from(flights.batches).pipeTo(writeParquet(`${folder}/flights.parquet`));
    await body(folder);
  });
}

async function run(program: string, args: string[], cwd: string): Promise<string> {
  const path = `${cwd}:${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`;
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd,
    env: { PATH: path, SLUICE_DEVICE: "cpu", NO_COLOR: "1" },
  }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  return new TextDecoder().decode(stdout);
}

Deno.test({
  name: "the pipeline of the README writes the same file in TypeScript and on the command line",
  ignore: Deno.build.os === "windows",
  fn: () =>
    besideFiles(async (folder) => {
      const [module] = blocksOf("ts ignore") as [string];
      const url = new URL("../../../mod.ts", import.meta.url).href;
      await Deno.writeTextFile(
        `${folder}/pipeline.ts`,
        module.replace("@sluice/sluice", url),
      );
      const options = ["run", "-q", "-A", `--config=${checkoutPath("deno.json")}`];
      await run(Deno.execPath(), [...options, "pipeline.ts"], folder);
      const bytes = await Deno.readFile(`${folder}/last.arrow`);
      await Deno.remove(`${folder}/last.arrow`);

      await run("sh", ["-c", commandWith("last.arrow")], folder);
      assertEquals(await Deno.readFile(`${folder}/last.arrow`), bytes);
      const table = tableFromIPC(bytes);
      assertEquals(table.schema.names, ["origin", "destination", "route", "name"]);
      assertEquals(table.numRows, 1_000);
    }),
});

Deno.test({
  name: "the plugin of the README runs on the command line",
  ignore: Deno.build.os === "windows",
  fn: () =>
    besideFiles(async (folder) => {
      const line = commandWith("--plugin").replace("./examples/", checkoutPath("examples/"));
      const out = await run("sh", ["-c", `${line.trimEnd()} then show`], folder);
      assert(out.includes("Los Angeles!!"), out);
    }),
});

Deno.test({
  name: "the commands of the README about text over 2 GiB tell of it at a lower threshold",
  ignore: Deno.build.os === "windows",
  fn: () =>
    besideFiles(async (folder) => {
      const out = await run("sh", ["-c", `exec 2>&1\n${commandWith("schema --batches")}`], folder);
      assert(/route: +64-bit offsets in 1 of 1 batch, at most 13,500 bytes\n/.test(out), out);
      assert(
        /\norigin +utf8.* 64-bit offsets in 1 of 1 batch, at most 4,500 bytes\n/.test(out),
        out,
      );
    }),
});

Deno.test("the README names no task that does not exist", () => {
  const names = [...readme.matchAll(/\btask (?:--frozen=false )?(\w+)/g)].map(([, name]) => name!);
  assert(names.length > 5);
  assertEquals(names.filter((name) => !(name in manifest.tasks)), []);
});
