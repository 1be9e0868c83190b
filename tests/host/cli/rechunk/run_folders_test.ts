/** The folders in which `rechunk run` builds: who may enter them, and what may be in their place. */

import { CommandError } from "../../../../base/errors/command_error.ts";
import { folderOf } from "../../../../cli/rechunk/check_places.ts";
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { builtAt, partialOf } from "../../../../cli/rechunk/partial_store.ts";
import { createFixed } from "../../../support/zarr/stored_arrays.ts";
import { namesIn } from "../../../support/processes/bad_commands.ts";
import { breakAt } from "../../../support/files/broken_files.ts";
import { inFolder } from "../../../support/files/folder.ts";
import { rechunked } from "../../../support/zarr/rechunk_here.ts";
import { sluice } from "../../../support/processes/sluice.ts";

const isUnix = Deno.build.os !== "windows";
const isRoot = isUnix && Deno.uid() === 0;

const metadata = {
  format: 3 as const,
  array: JSON.stringify({
    ...{ zarr_format: 3, node_type: "array", shape: [4, 6], data_type: "int32" },
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 6] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "." } },
    ...{ fill_value: 0, attributes: {} },
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  }),
};

async function writeArray(path: string): Promise<void> {
  const array = await createFixed(path, metadata, { chunk: [2, 6] });
  for (const at of [0, 1]) {
    const items = Int32Array.from({ length: 12 }, (_, item) => 12 * at + item + 1);
    await array.writeChunk([at, 0], new Uint8Array(items.buffer));
  }
}

const modeOf = (path: string) => Deno.lstatSync(path).mode! & 0o777;

/** A folder with an array, one for temporary files, and a run from one to the other by way of it. */
async function inShared(
  use: (at: {
    readonly input: string;
    readonly output: string;
    readonly temp: string;
    run(resume?: boolean): Promise<unknown>;
  }) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const [input, output, temp] = ["in.zarr", "out.zarr", "temp"].map((name) =>
      `${folder}/${name}`
    ) as [string, string, string];
    await writeArray(input);
    Deno.mkdirSync(temp);
    const run = (resume = false) =>
      rechunked(input, output, "4,1", 4_000_000, { temp, stages: 1, resume });
    await use({ input, output, temp, run });
  });
}

Deno.test({
  name: "what a run builds in is for its owner alone, and the name in a shared folder is a new one",
  ignore: !isUnix,
  fn: () =>
    inShared(async ({ output, temp, run }) => {
      const seen = new Set<string>();
      const numAll = await breakAt(Infinity, "killed", run);
      for (let at = 4; at < numAll - 8; at += 7) {
        await Deno.remove(output, { recursive: true }).catch(() => {});
        await Deno.remove(partialOf(output), { recursive: true }).catch(() => {});
        await breakAt(at, "killed", run);
        assertEquals(modeOf(partialOf(output)), 0o700);
        for (const name of [".sluice-rechunk.json", ".sluice-rechunk.lock"]) {
          if (namesIn(partialOf(output)).includes(name)) {
            assertEquals(modeOf(`${partialOf(output)}/${name}`), 0o600);
          }
        }
        for (const name of namesIn(temp)) {
          assertEquals(modeOf(`${temp}/${name}`), 0o700);
          assertMatch(name, /^sluice-rechunk-[0-9a-f]{16}-[0-9a-f-]{36}$/);
          assert(!seen.has(name), "the name was used before");
          seen.add(name);
        }
      }
      assert(seen.size > 3);
    }),
});

Deno.test({
  name: "the result may be read by those who may read what it is made of",
  ignore: !isUnix,
  fn: () =>
    inShared(async ({ input, output, run }) => {
      Deno.chmodSync(input, 0o750);
      await run();
      assertEquals(modeOf(output), 0o750 & ~Deno.umask());
      Deno.removeSync(output, { recursive: true });
      Deno.chmodSync(input, 0o500);
      await run();
      assertEquals(modeOf(output), 0o700 & ~Deno.umask());
    }),
});

Deno.test({
  name: "a folder without metadata, around an array, gets no more rights than it has",
  ignore: !isUnix,
  fn: () =>
    inFolder(async (folder) => {
      const [input, output] = [`${folder}/in.zarr`, `${folder}/out.zarr`];
      Deno.mkdirSync(`${input}/lost`, { recursive: true });
      Deno.writeTextFileSync(`${input}/.zgroup`, '{"zarr_format": 2}');
      await writeArray(`${input}/lost/found`);
      Deno.chmodSync(`${input}/lost`, 0o700);
      await rechunked(input, output, "4,1", 4_000_000);
      assertEquals(modeOf(`${output}/lost`), 0o700 & ~Deno.umask());
      assert(namesIn(`${output}/lost/found`).length > 0);
    }),
});

Deno.test({
  name: "a link in the place of a folder is refused, and what it leads to stays",
  ignore: !isUnix,
  fn: () =>
    inShared(async ({ output, temp, run }) => {
      const precious = `${temp}/precious`;
      Deno.mkdirSync(precious);
      Deno.writeTextFileSync(`${precious}/file`, "mine");
      Deno.symlinkSync(precious, partialOf(output));
      const problem = "is a link, and links are not followed here; remove it";
      for (const resume of [false, true]) {
        await assertRejects(() => run(resume), Error, `${partialOf(output)}: ${problem}`);
      }
      Deno.removeSync(partialOf(output));
      // The folder for temporary files of a run that goes on.
      await breakAt(40, "killed", () => run());
      const [name] = namesIn(temp).filter((name) => name.startsWith("sluice-"));
      Deno.removeSync(`${temp}/${name}`, { recursive: true });
      Deno.symlinkSync(precious, `${temp}/${name}`);
      await assertRejects(() => run(true), Error, `${temp}/${name}: ${problem}`);
      assertEquals(namesIn(precious), ["file"]);
      Deno.removeSync(`${temp}/${name}`);
      await run(true);
      // One that is left from a run before is not swept through a link.
      Deno.symlinkSync(precious, `${temp}/${name}`);
      Deno.removeSync(output, { recursive: true });
      await run();
      assertEquals(namesIn(temp), ["precious", name!]);
      assertEquals(Deno.readTextFileSync(`${precious}/file`), "mine");
    }),
});

Deno.test({
  name: "a link among the files of a run is not followed",
  ignore: !isUnix,
  fn: () =>
    inShared(async ({ output, temp, run }) => {
      const precious = `${temp}/precious`;
      Deno.writeTextFileSync(precious, "mine");
      await breakAt(40, "killed", () => run());
      const built = builtAt(output);
      for (
        const name of [
          `${partialOf(output)}/.sluice-rechunk.json.partial`,
          `${built}/zarr.json.partial`,
          ...[0, 1, 2].map((at) => `${built}/c.0.${at}.partial`),
        ]
      ) {
        await Deno.remove(name).catch(() => {});
        Deno.symlinkSync(precious, name);
      }
      await run(true);
      assertEquals(Deno.readTextFileSync(precious), "mine");
    }),
});

Deno.test("a note that names a folder which no run made is refused, and the folder stays", () =>
  inShared(async ({ output, temp, run }) => {
    Deno.mkdirSync(`${temp}/sluice-rechunk-of-mine`);
    const places = [temp, `${temp}/sluice-rechunk-of-mine`, "sluice-rechunk-x", "/", ""];
    for (const place of places) {
      for (const isComplete of [true, false]) {
        Deno.mkdirSync(partialOf(output));
        const note = {
          format: "sluice rechunk run 2",
          words: {},
          temp: place,
          done: [],
          isComplete,
        };
        Deno.writeTextFileSync(`${partialOf(output)}/.sluice-rechunk.json`, JSON.stringify(note));
        for (const resume of [true, false]) {
          const error = await run(resume).then(() => undefined, (error) => error);
          const problem = "exists, but no run can be resumed from it; remove it";
          assertEquals(error?.message, `${partialOf(output)}: ${problem}`);
        }
        Deno.removeSync(partialOf(output), { recursive: true });
      }
    }
    assertEquals(namesIn(temp), ["sluice-rechunk-of-mine"]);
  }));

Deno.test("an empty path, as an unset variable gives it, is a mistake", () => {
  assertThrows(() => folderOf(""), CommandError, "The path of a store is empty");
  assertEquals([folderOf("a.zarr/"), folderOf(".")], ["a.zarr", "."]);
});

Deno.test({
  name: "a folder of another user is refused",
  // Others may not give folders away.
  ignore: !isRoot,
  fn: () =>
    inShared(async ({ output, temp, run }) => {
      const problem = "belongs to another user, and is not used; remove it";
      Deno.mkdirSync(partialOf(output));
      Deno.chownSync(partialOf(output), 4321, 4321);
      for (const resume of [false, true]) {
        await assertRejects(() => run(resume), Error, `${partialOf(output)}: ${problem}`);
      }
      assertEquals(namesIn(partialOf(output)), []);
      Deno.removeSync(partialOf(output));
      await breakAt(40, "killed", () => run());
      const [name] = namesIn(temp);
      Deno.chownSync(`${temp}/${name}`, 4321, 4321);
      await assertRejects(() => run(true), Error, `${temp}/${name}: ${problem}`);
    }),
});

async function makePipe(path: string): Promise<void> {
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  assert(success, "mkfifo failed");
}

Deno.test({
  name: "a pipe or a device where a folder or a file of a run would be is one clear line",
  ignore: !isUnix,
  fn: () =>
    inShared(async ({ input, output, temp, run }) => {
      await makePipe(partialOf(output));
      await assertRejects(() => run(), Error, `${partialOf(output)}: is not a folder; remove it`);
      Deno.removeSync(partialOf(output));
      await breakAt(40, "killed", () => run());
      const [name] = namesIn(temp);
      const own = [
        `${partialOf(output)}/.sluice-rechunk.lock`,
        `${temp}/${name}/.sluice-rechunk.lock`,
      ];
      for (const path of own) {
        Deno.removeSync(path);
        await makePipe(path);
        await assertRejects(() => run(true), Error, `${path}: is not a file; remove it`);
        Deno.removeSync(path);
      }
      const note = `${partialOf(output)}/.sluice-rechunk.json`;
      Deno.renameSync(note, `${note}.kept`);
      await makePipe(note);
      await assertRejects(() => run(true), Error, `${partialOf(output)}: is not a file`);
      Deno.renameSync(`${note}.kept`, note);
      const journal = `${temp}/${name}/journal.json`;
      Deno.removeSync(journal);
      await makePipe(journal);
      await assertRejects(() => run(true), Error, `${journal}: is not a file`);
      Deno.removeSync(journal);
      Deno.removeSync(`${temp}/${name}/store-1`, { recursive: true });
      await run(true);
      await makePipe(`${temp}/pipe`);
      const words = ["rechunk", "run", input, `${output}2`, "--to", "4,1", "--max-mem", "4MB"];
      for (const path of [`${temp}/pipe`, "/dev/null"]) {
        const { status, err } = await sluice([...words, "--temp", path]);
        const problem = "is not a folder that --temp can use";
        assertEquals([status, err], [1, `sluice: error: ${path}: ${problem}\n`]);
        const onto = await sluice(words.with(3, path));
        assertEquals([onto.status, onto.out], [1, ""]);
        assertMatch(onto.err, /^sluice: error: .*: exists already, and is not replaced.*\n$/);
      }
      // A member that is copied as it is.
      Deno.mkdirSync(`${temp}/group`);
      Deno.writeTextFileSync(`${temp}/group/zarr.json`, '{"zarr_format":3,"node_type":"group"}');
      for (const member of ["a", "b"]) await writeArray(`${temp}/group/${member}`);
      const other = JSON.parse(Deno.readTextFileSync(`${temp}/group/b/zarr.json`));
      other.codecs = [{ name: "unknown" }];
      Deno.writeTextFileSync(`${temp}/group/b/zarr.json`, JSON.stringify(other));
      await makePipe(`${temp}/group/b/pipe`);
      const grouped = await sluice(words.with(2, `${temp}/group`));
      assertMatch(
        grouped.err,
        /group\/b\/pipe: is a named pipe, not a file\n$/,
      );
      assertEquals(grouped.status, 1);
    }),
});
