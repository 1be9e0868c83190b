import { assert, assertEquals } from "@std/assert";
import { inFolder } from "../../../../support/folder.ts";
import { runJob, writeStack } from "../../../../support/rechunk_files.ts";

Deno.test("a process that is killed again and again comes to the same bytes as one that is not", () =>
  inFolder(async (folder) => {
    const from = `${folder}/in.zarr`;
    await writeStack(from, { chunk: [8, 12, 10], numChunks: 6, codec: "plain" });
    const job = { from, chunk: [48, 3, 5], maxMem: 12_000, stages: 1 };
    const whole = `${folder}/whole.zarr`;
    await runJob({ ...job, to: whole, temp: `${folder}/whole-temp` });
    const [to, temp] = [`${folder}/out.zarr`, `${folder}/temp`];
    const resumed = { ...job, to, temp, resume: true };
    let numKills = 0;
    // Each of them comes somewhat further than the one before.
    while ((await runJob({ ...resumed, killAfter: 2 + 5 * numKills })).signal === "SIGKILL") {
      numKills++;
    }
    assert(numKills > 2, `The process was killed ${numKills} times`);
    assertEquals(filesOf(to), filesOf(whole));
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assertEquals(names, ["in.zarr", "out.zarr", "whole.zarr"]);
  }));

/** The bytes of all files in a folder, by their names. */
function filesOf(folder: string): Map<string, Uint8Array> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  return new Map(names.map((name) => [name, Deno.readFileSync(`${folder}/${name}`)]));
}
