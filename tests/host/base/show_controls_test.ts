import { assert, assertEquals, assertMatch } from "@std/assert";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { modulePaths } from "../../../scripts/check_layers.ts";
import { FileError } from "../../../base/errors/file_error.ts";
import { showControls } from "../../../base/show_controls.ts";
import { write } from "../../../streams/files/write.ts";
import { inFolder, sluice } from "../../support/processes/sluice.ts";
import { fewOr, someOf } from "../../support/random/test_size.ts";

/** What a terminal obeys, by Unicode's own classes. */
const obeyed = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** The sequences of an attack: title, clipboard, link, colour, a line that was never written. */
const evil = "\x1b]0;t\x07\x1b]52;c;Zm9v\x07\x1b]8;;http://x\x1b\\\x1b[2J\x9b31m\x90q\x9c" +
  "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u2028\u2029\x7f\t\b\r" +
  "\nsluice: error: all is well";
/** Names of files hold no slash. */
const evilFile = evil.replaceAll("/", "");
const json = JSON.stringify;

Deno.test("showControls() shows all that Unicode calls a control, and nothing else", () => {
  for (let code = 0; code <= 0x1_ffff; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const text = String.fromCodePoint(code);
    const shown = showControls(text);
    assertEquals(obeyed.test(shown), false, shown);
    assertEquals(shown === text, !obeyed.test(text), shown);
    assertEquals(showControls(shown), shown);
    if (shown !== text) assertEquals(JSON.parse(`"${shown}"`), text);
  }
});

Deno.test("errors of the library show the controls of names and values", () => {
  const error = new FileError(evil, `no column ${evil}`);
  assertEquals([obeyed.test(error.message), error.file], [false, evil]);
});

/** Commands that talk of names, values and paths that are evil. */
const commands: readonly (readonly string[])[] = [
  ["read", "a.ndjson", "then", "show"],
  ["read", "a.arrow", "then", "show"],
  ["read", "a.parquet", "then", "schema"],
  ["read", "a.csv", "then", "schema", "--batches"],
  ["read", "a.arrow", "then", "filter", `col(${json(evil)}) != "x"`, "then", "explain"],
  ["read", "a.csv", "then", "with", `x = col(${json(evil)}).upper() + "!"`, "then", "explain"],
  ["read", evilFile + ".csv", "then", "explain"],
  ["--stats", "read", evilFile + ".csv", "then", "write", evilFile + ".arrow"],
  ["--threshold", "1", "--stats", "read", "a.csv", "then", "with", `${evil} = n`, "then", "count"],
  ["read", "a.csv", "then", "select", "x"],
  ["read", "a.ndjson", "then", "select", evil + "x"],
  ["read", "a.arrow", "then", "with", "x = col(" + json(evil) + ") + n"],
  ["read", "a.arrow", "then", "with", `x = "${evil}" +`],
  ["read", "a.arrow", "then", "with", `${evil} == 1`],
  ["read", "a.arrow", "then", "with", `${evil} = n`, `${evil} = n`],
  ["read", "a.arrow", "then", "join", "a.csv", "--on", `n=${evil}`],
  ["read", "a.arrow", "then", "join", "a.csv", "--on", `${evil},${evil}`],
  ["read", "a.arrow", "then", "rename", `n=${evil}`],
  ["read", "twice.csv", "then", "count"],
  ["read", "twice.ndjson", "then", "select", evil, "then", "write", "out.csv"],
  ["read", "value.csv", "--types", "n=int64", "then", "count"],
  ["read", "value.ndjson", "--types", "n=int64", "then", "count"],
  ["read", "a.csv", "--types", `${evil}=int64`, "then", "count"],
  ["read", "a.csv", "--types", `n=${evil}`, "then", "count"],
  ["read", "a.csv", "--columns", evil + "x", "then", "count"],
  ["read", "nested.ndjson", "then", "write", "out.csv"],
  ["read", "a.ndjson", "a.csv", "then", "count"],
  ["read", evil],
  ["read", "none/" + evil + ".csv"],
  ["read", "a.csv", "--format", evil],
  ["read", "a.csv", "then", "write", evil],
  ["read", "a.csv", "then", "write", evil + "/out.csv"],
  ["read", "a.csv", "then", "write", "out.arrow", "--compression", evil],
  ["read", "a.csv", "then", "join", "a.csv", "--on", "n", "--how", evil],
  ["read", "a.csv", "then", "slice", evil],
  ["read", "a.csv", "then", evil],
  [evil],
  ["--" + evil],
  ["--device", evil, "doctor"],
  ["--plugin", evil, "doctor"],
  ["--plugin", `./${evil}.ts`, "ops"],
  ["--plugin", "./throws.ts", "ops"],
  ["--plugin", "./broken.ts", "ops"],
  ["--plugin", "./late.ts", "read", "a.csv", "then", "late", "then", "count"],
  ["--plugin", "./late.ts", "read", "a.csv", "then", "late", `--${evil}`, evil, "then", "explain"],
  ["help", evil],
  ["ops", evil],
];

async function evilFiles(): Promise<Record<string, string | Uint8Array>> {
  const table = tableFromArrays({ [evil]: [evil, "b"], n: Float64Array.of(1, 2) });
  const quoted = `"${evil}"`;
  const csv = `${quoted},n\n${quoted},1\nb,2\n`;
  const path = await Deno.makeTempFile({ suffix: ".parquet" });
  await ReadableStream.from(table.batches).pipeTo(write(path));
  const parquet = await Deno.readFile(path);
  await Deno.remove(path);
  return {
    "a.csv": csv,
    [evilFile + ".csv"]: csv,
    "a.ndjson": `${json({ [evil]: evil, n: 1 })}\n`,
    "a.arrow": tableToIPC(table, "file"),
    "a.parquet": parquet,
    "twice.csv": `${quoted},${quoted}\n1,2\n`,
    "twice.ndjson": `${json({ [evil + "\0"]: 1 })}\n`,
    "value.csv": `n\n${quoted}\n`,
    "value.ndjson": `${json({ n: evil })}\n`,
    "nested.ndjson": `${json({ [evil]: [evil] })}\n`,
    "throws.ts": `throw new Error(${json(evil)});\n`,
    "broken.ts": `const ${evil}`,
    "late.ts": `import { defineOperator } from ${json(import.meta.resolve("../../../mod.ts"))};
      export const late = defineOperator({
        name: "late",
        rows: "any",
        schema: (input) => input,
        open: () => ({
          transform: (batch, controller) => {
            setTimeout(() => { throw new Error(${json(evil)}); });
            return new Promise(() => {});
          },
        }),
      });\n`,
  };
}

Deno.test({
  name: "no control from a file, a command or a plugin reaches the terminal",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await inFolder(await evilFiles(), async (cwd) => {
      let numFailed = 0;
      const run = async (args: readonly string[]) => {
        const { status, out, err } = await sluice(args, { cwd });
        for (const line of `${out}\n${err}`.split("\n")) {
          assert(!obeyed.test(line), `${json(args)}: ${json(line)}`);
          assert(!line.startsWith("sluice: error: all is well"), json(args));
        }
        if (status === 0) return;
        numFailed++;
        // One line, and perhaps the place below it.
        assertMatch(err, /^sluice: error: [^\n]+\n( {2}[^\n]*\n {2} *\^+\n)?$/, json(args));
        assertEquals(out, "", json(args));
      };
      const some = someOf(commands, 20);
      for (let i = 0; i < some.length; i += 2) {
        await Promise.all(some.slice(i, i + 2).map(run));
      }
      assert(numFailed > fewOr(0, 30), `${numFailed} commands failed`);
    });
  },
});

Deno.test("the variables of the environment are shown with their controls", async () => {
  for (const name of ["SLUICE_DEVICE", "SLUICE_THREADS", "SLUICE_LARGE_STRINGS_THRESHOLD"]) {
    const { status, err } = await sluice(["doctor"], { env: { [name]: evil } });
    assertEquals([status, obeyed.test(err.trimEnd())], [2, false], err);
  }
});

Deno.test("the command line writes text through one door", () => {
  const writers = [...modulePaths()].filter((path) => {
    const code = Deno.readTextFileSync(path).replace(/^ *(\*|\/\/).*$/gm, "");
    const writes = path.startsWith("cli")
      ? /\bconsole\.|\.writeSync\(|std(out|err)\.write/
      : /\bconsole\./;
    return writes.test(code);
  });
  // cli.ts runs on other runtimes too, where terminal.ts cannot be loaded.
  assertEquals(writers.sort(), ["cli.ts", "cli/print/terminal.ts"]);
});
