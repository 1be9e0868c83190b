import { assertEquals, assertMatch } from "@std/assert";
import { Dictionary, Int32, LargeUtf8, type RecordBatch, Utf8, Utf8View } from "apache-arrow";
import { encodeArrow } from "../../../streams/formats/arrow/arrow.ts";
import { type CommandResult, inFolder, sluice } from "../../support/processes/sluice.ts";
import { batchOf } from "../../support/values/streams_samples.ts";

const texts = [["a", "b"], ["longer than all before", null], ["c"]];

function wordsBatch(words: readonly (string | null)[]): RecordBatch {
  return batchOf({
    id: [new Int32(), words.map((_, index) => index)],
    text: [new LargeUtf8(), words],
    tag: [new Dictionary(new Utf8(), new Int32(), 1), words],
    view: [new Utf8View(), words],
    name: [new Utf8(), words],
  });
}

const batches = texts.map(wordsBatch);
const stdin = encodeArrow(batches[0]!.schema, batches);

/** Runs a command on an Arrow stream of three batches, where only the environment given counts. */
function run(words: string, env: Record<string, string> = {}): Promise<CommandResult> {
  const variables = { SLUICE_LARGE_STRINGS_THRESHOLD: "", SLUICE_LARGE_STRINGS_ENABLED: "" };
  return sluice(words.split(" "), { stdin, env: { ...variables, ...env } });
}

Deno.test("schema tells the types of the source, and when offsets have 64 bits", async () => {
  const { out } = await run("schema");
  assertEquals(out.split("\n"), [
    "id    int32",
    "text  utf8   (large_utf8 in the source)",
    "tag   utf8   (dictionary<utf8> in the source)",
    "view  utf8   (utf8_view in the source)",
    "name  utf8",
    "",
    "Offsets: 64-bit where a column has 2,147,483,647 bytes of text or more in a batch, else 32-bit",
    "",
  ]);
  const without = await run("select id then schema");
  assertEquals(without.out, "id  int32\n");
});

Deno.test("schema --batches tells in how many batches text had 64-bit offsets", async () => {
  const { out } = await run(
    "--threshold 22 with long=name+name then drop tag view then schema --batches",
  );
  assertEquals(out.split("\n").slice(0, 4), [
    "id    int32",
    "text  utf8   (large_utf8 in the source)  64-bit offsets in 1 of 3 batches, at most 22 bytes",
    "name  utf8   64-bit offsets in 1 of 3 batches, at most 22 bytes",
    "long  utf8   64-bit offsets in 1 of 3 batches, at most 44 bytes",
  ]);
  const narrow = await run("--threshold 23 select name then schema --batches");
  assertEquals(narrow.out.split("\n")[0], "name  utf8  32-bit offsets in every batch");
});

Deno.test("schema --batches counts the batches that come out of a join, not those it reads", async () => {
  const build = encodeArrow(batches[0]!.schema, batches.slice(0, 2));
  await inFolder({ "build.arrows": build }, async (cwd) => {
    const words =
      "--threshold 22 join build.arrows --on name then select name then schema --batches";
    const { out } = await sluice(words.split(" "), { stdin, cwd });
    assertEquals(
      out.split("\n")[0],
      "name  utf8  64-bit offsets in 1 of 3 batches, at most 22 bytes",
    );
  });
});

Deno.test("--stats tells which text of which steps had 64-bit offsets, and why", async () => {
  const { err } = await run("--stats --threshold 2 select text then head 3 then count");
  const lines = err.split("\n").map((line) => line.trim());
  const at = (step: string) => lines.findIndex((line) => line.startsWith(step));
  assertEquals(lines[at("step 1") + 1], "text: 64-bit offsets in 2 of 2 batches, at most 22 bytes");
  assertMatch(
    lines[at("step 3") + 1]!,
    /^text: 64-bit offsets in 2 of 2 batches, at most 22 bytes$/,
  );
  assertEquals(
    lines[at("offsets")],
    "offsets      64-bit where a column has 2 bytes of text or more in a batch, else 32-bit",
  );
  const { err: quiet } = await run("--stats --threshold 1KiB count");
  assertEquals(quiet.includes("offsets"), false);
});

Deno.test("without 64-bit offsets too much text is one line and status 1", async () => {
  const { status, err } = await run("with loud=name.upper() then show", {
    SLUICE_LARGE_STRINGS_ENABLED: "0",
    SLUICE_LARGE_STRINGS_THRESHOLD: "20",
  });
  assertEquals([status, err], [
    1,
    "sluice: error: step 1, with: Size of output exceeds 19 bytes: text of column loud ends at " +
    "byte 22 in row 0 of its batch; regroup to fewer rows, or allow 64-bit offsets\n",
  ]);
});

Deno.test("options and variables of large strings that make no sense are mistakes of the command", async () => {
  const cases: [string, Record<string, string>, string][] = [
    ["--threshold 0 count", {}, '--threshold takes a size such as 64MiB, not "0"'],
    [
      "--threshold 2GiB count",
      {},
      '--threshold is a number of bytes from 1 to 2147483647, not "2147483648"',
    ],
    [
      "count",
      { SLUICE_LARGE_STRINGS_THRESHOLD: "many" },
      'SLUICE_LARGE_STRINGS_THRESHOLD is a number of bytes from 1 to 2147483647, not "many"',
    ],
    [
      "doctor",
      { SLUICE_LARGE_STRINGS_ENABLED: "no" },
      'SLUICE_LARGE_STRINGS_ENABLED is 0 or 1, not "no"',
    ],
  ];
  for (const [words, env, message] of cases) {
    const { status, err } = await run(words, env);
    assertEquals([status, err], [2, `sluice: error: ${message}\n`]);
  }
});
