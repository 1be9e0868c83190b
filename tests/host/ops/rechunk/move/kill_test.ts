import { assert, assertEquals } from "@std/assert";
import { inFolder } from "../../../../support/files/folder.ts";
import { runJob, writeStack } from "../../../../support/zarr/rechunk_files.ts";

for (const threads of [1, 3]) {
  const title =
    `a process of ${threads} threads that is killed again and again comes to the same ` +
    "bytes as one that is not";
  Deno.test(title, () =>
    inFolder(async (folder) => {
      const from = `${folder}/in.zarr`;
      await writeStack(from, { chunk: [8, 12, 10], numChunks: 6, codec: "plain" });
      const job = { from, chunk: [48, 3, 5], maxMem: 12_000 + 5_000 * threads, stages: 1 };
      const whole = `${folder}/whole.zarr`;
      await runJob({ ...job, to: whole, temp: `${folder}/whole-temp`, threads: 1 });
      const [to, temp] = [`${folder}/out.zarr`, `${folder}/temp`];
      const resumed = { ...job, to, temp, resume: true, threads };
      let numKills = 0;
      // Each of them comes somewhat further than the one before. Several threads tell of less.
      const step = threads === 1 ? 5 : 2;
      while ((await runJob({ ...resumed, killAfter: 2 + step * numKills })).signal === "SIGKILL") {
        numKills++;
      }
      assert(numKills >= (threads === 1 ? 3 : 1), `The process was killed ${numKills} times`);
      assertEquals(filesOf(to), filesOf(whole));
      const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
      assertEquals(names, ["in.zarr", "out.zarr", "whole.zarr"]);
    }));
}

/** The bytes of all files in a folder, by their names. */
function filesOf(folder: string): Map<string, Uint8Array> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  return new Map(names.map((name) => [name, Deno.readFileSync(`${folder}/${name}`)]));
}
