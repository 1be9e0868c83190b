/** Parts of a measurement: each within its time, and none twice. */

import { assert, assertEquals } from "@std/assert";
import {
  CUT_STATUS,
  type RanParts,
  runParts,
  type TimedPart,
} from "../../../bench/support/run_parts.ts";
import { inFolder } from "../../support/files/folder.ts";

/** A part that runs some code, which can add lines to `results`. */
function part(name: string, code: string, more: Partial<TimedPart> = {}): TimedPart {
  return { name, seconds: 600, args: ["eval", code], ...more };
}

/** Code that writes a line of results, as parts do. */
function writes(folder: string, name: string): string {
  const line = JSON.stringify(`${JSON.stringify({ part: name })}\n`);
  return `Deno.writeTextFileSync("${folder}/results.jsonl", ${line}, { append: true });`;
}

async function run(
  folder: string,
  parts: readonly TimedPart[],
  limitSeconds = 3600,
): Promise<RanParts> {
  return await runParts(parts, { folder, limitSeconds, say: () => {} });
}

async function results(folder: string): Promise<string[]> {
  const text = await Deno.readTextFile(`${folder}/results.jsonl`);
  return text.trimEnd().split("\n").map((line) => {
    const { part, ended } = JSON.parse(line);
    return ended === undefined ? part : `${part} ended: ${ended}`;
  });
}

Deno.test("a second call goes on where the first one ended", () =>
  inFolder(async (folder) => {
    const parts = (code: string) => [
      part("first", writes(folder, "first")),
      part("wrong", `${code} ${writes(folder, "wrong")}`),
      part("last", writes(folder, "last")),
    ];
    const first = await run(folder, parts("console.log('why'); Deno.exit(3);"));
    assertEquals(first, { done: ["first", "last"], failed: ["wrong"], left: [], before: [] });
    assertEquals(await results(folder), ["first", "wrong ended: 3", "last"]);
    assert((await Deno.readTextFile(`${folder}/log.txt`)).includes("== wrong\nwhy"));
    const second = await run(folder, parts(""));
    assertEquals(second, { done: ["wrong"], failed: [], left: [], before: ["first", "last"] });
    assertEquals(await results(folder), ["first", "wrong ended: 3", "last", "wrong"]);
  }));

Deno.test("a part that hangs is ended with its children, and keeps what it has written", () =>
  inFolder(async (folder) => {
    const child = `new Deno.Command(Deno.execPath(), { args: ["eval", "await new Promise(` +
      `(f) => setTimeout(f, 3600000))"] }).spawn();`;
    const hangs = part(
      "hangs",
      `${writes(folder, "hangs")} ${child} await new Promise(() => {});`,
      {
        seconds: 5,
      },
    );
    const ran = await run(folder, [hangs, part("next", "")]);
    assertEquals(ran, { done: ["next"], failed: ["hangs"], left: [], before: [] });
    assertEquals(await results(folder), ["hangs", "hangs ended: out of time"]);
  }));

Deno.test("where too little time is left no part begins, and the next call has it", () =>
  inFolder(async (folder) => {
    const parts = [part("one", "")];
    assertEquals(await run(folder, parts, 9), { done: [], failed: [], left: ["one"], before: [] });
    assertEquals((await run(folder, parts)).done, ["one"]);
  }));

Deno.test("a part that had too little time for its steps is begun again where it had less than its own", () =>
  inFolder(async (folder) => {
    const parts = [part("cut", `Deno.exit(${CUT_STATUS});`)];
    assertEquals((await run(folder, parts, 60)).left, ["cut"]);
    assertEquals((await run(folder, parts)).done, ["cut"]);
    assertEquals((await run(folder, parts)).before, ["cut"]);
  }));

Deno.test("a part that says that it is done is done, whatever becomes of its process", () =>
  inFolder(async (folder) => {
    const says = "console.log('ok | 3 passed');";
    const code = `${says} Deno.kill(Deno.pid, 'SIGABRT');`;
    const sign = /^ok \| /m;
    const ran = await run(folder, [
      part("says so", code, { sign }),
      part("hangs then", `${says} await new Promise(() => setTimeout(() => {}, 1e9));`, {
        ...{ sign, seconds: 5 },
      }),
      part("does not", code),
    ]);
    assertEquals([ran.done, ran.failed], [["says so", "hangs then"], ["does not"]]);
  }));

Deno.test("a part is told how many seconds it has", () =>
  inFolder(async (folder) => {
    const code = "if (Deno.args[0] !== '600') Deno.exit(1);";
    const args = ["eval", code, "{seconds}"];
    assertEquals((await run(folder, [part("told", code, { args })])).done, ["told"]);
  }));
