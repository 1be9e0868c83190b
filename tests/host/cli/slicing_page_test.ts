/** The commands and the programs of docs/slicing.md run, and answer what it says. */

import { assert, assertEquals } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { dirname } from "node:path";
import { fromBatches, regroup, write } from "../../../mod.ts";
import { RangeServer } from "../../support/range_server.ts";
import { checkoutPath, inFolder } from "../../support/sluice.ts";

const page = await Deno.readTextFile(checkoutPath("docs/slicing.md"));

/** A block of code, and the text that follows it, if that is its answer. */
interface Example {
  readonly code: string;
  readonly answer: string | undefined;
}

function examplesIn(language: string): Example[] {
  const blocks = page.matchAll(/^```(\w+)\n([^]*?)^```$(?:\n\n```text\n([^]*?)^```$)?/gm);
  return [...blocks].filter(([, own]) => own === language)
    .map(([, , code, answer]) => ({ code: code!, answer }));
}

/** A command `sluice` that stands for the installed one. */
const command = `#!/bin/sh
exec deno run -q -A --config='${checkoutPath("deno.json")}' '${checkoutPath("cli.ts")}' "$@"
`;

/** Runs a test beside the files that the page names, and with a server that has them too. */
async function besideFiles(test: (folder: string, origin: string) => Promise<void>): Promise<void> {
  const log = "time,level\n" + "12:00,info\n".repeat(200);
  await inFolder({ sluice: command, "log.csv": log }, async (folder) => {
    await Deno.chmod(`${folder}/sluice`, 0o755);
    const id = Int32Array.from({ length: 1500 }, (_, row) => row);
    const origin = Array.from(id, (row) => ["LAX", "SFO", "JFK"][row % 3]!);
    const delay = id.map((row) => row % 100);
    const flights = tableFromArrays({ id, origin, delay });
    for (const name of ["flights.arrow", "flights.parquet"]) {
      await fromBatches(flights).pipeThrough(regroup({ rows: 100 }))
        .pipeTo(write(`${folder}/${name}`));
    }
    await using server = new RangeServer({
      "flights.arrow": await Deno.readFile(`${folder}/flights.arrow`),
      "flights.parquet": await Deno.readFile(`${folder}/flights.parquet`),
    });
    await test(folder, server.url("").replace(/\/$/, ""));
  });
}

async function run(
  program: string,
  args: string[],
  cwd: string,
): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd,
    env: {
      PATH: `${cwd}:${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`,
      SLUICE_DEVICE: "cpu",
      NO_COLOR: "1",
    },
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

Deno.test({
  name: "the commands of docs/slicing.md run, and answer what it says",
  ignore: Deno.build.os === "windows",
  fn: () =>
    besideFiles(async (folder, origin) => {
      const examples = examplesIn("sh");
      assert(examples.length > 3);
      for (const { code, answer } of examples) {
        const script = code.replaceAll("https://example.com", origin);
        if (answer === undefined) {
          const { code, text } = await run("sh", ["-ec", script], folder);
          assertEquals([script, code, text.includes("error")], [script, 0, false], text);
        } else {
          const { text } = await run("sh", ["-c", script], folder);
          assertEquals(text.trimEnd(), answer.trimEnd());
        }
      }
    }),
});

Deno.test("the programs of docs/slicing.md run", () =>
  besideFiles(async (folder, origin) => {
    const examples = examplesIn("ts");
    assert(examples.length > 0);
    const library = new URL("../../../mod.ts", import.meta.url).href;
    for (const { code } of examples) {
      const program = code.replaceAll("https://example.com", origin)
        .replaceAll("@sluice/sluice", library);
      await Deno.writeTextFile(`${folder}/program.ts`, program);
      const options = ["run", "-q", "-A", `--config=${checkoutPath("deno.json")}`];
      const { code: status, text } = await run(
        Deno.execPath(),
        [...options, "program.ts"],
        folder,
      );
      assertEquals([status, text], [0, outputOf(code)]);
    }
  }));

/** What a program prints by its own comments: `// 1000 113` behind each console.log. */
function outputOf(program: string): string {
  const printed = program.matchAll(/^console\.log\(.*; \/\/ (.*)$/gm);
  return [...printed].map(([, text]) => `${text}\n`).join("");
}

Deno.test("the table of docs/slicing.md is what Python's rules give", () => {
  const [, positions] = /^## Positions$([^]*?)^## /m.exec(page)!;
  const rows = [...positions!.matchAll(/^\| (`[^|]*`) +\| ([^|]*?) +\|$/gm)];
  assert(rows.length > 8);
  for (const [, slices, given] of rows) {
    for (const [, slice] of slices!.matchAll(/`([^`]*)`/g)) {
      assertEquals([slice, pythonRows(slice!)], [slice, given === "none" ? "" : given]);
    }
  }
});

/** The rows that a slice takes of ten, by the definition of Python's slices. */
function pythonRows(slice: string): string {
  const [start, stop, step = 1] = slice.split(":").map((text) => text === "" ? undefined : +text);
  const [least, most] = step > 0 ? [0, 10] : [-1, 9];
  const adjusted = (bound: number) => Math.min(most, Math.max(least, bound + (bound < 0 ? 10 : 0)));
  const from = start === undefined ? (step > 0 ? least : most) : adjusted(start);
  const to = stop === undefined ? (step > 0 ? most : least) : adjusted(stop);
  const rows: number[] = [];
  for (let row = from; step > 0 ? row < to : row > to; row += step) rows.push(row);
  return rows.join(", ");
}
