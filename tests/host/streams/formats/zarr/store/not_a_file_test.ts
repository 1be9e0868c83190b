/** What is no file where metadata or a chunk is to be: it is named, and nobody waits for it. */

import { assertEquals, assertMatch } from "@std/assert";
import { openSource } from "../../../../../../streams/files/read.ts";
import { filesBelow } from "../../../../../../cli/rechunk/copy_files.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { readAll } from "../../../../../support/values/streams_samples.ts";

const version2 = {
  ...{ zarr_format: 2, shape: [2], chunks: [2], fill_value: 0 },
  ...{ order: "C", filters: null, compressor: null },
};
const version3 = {
  ...{ zarr_format: 3, node_type: "array", shape: [2] },
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
  chunk_key_encoding: { name: "default" },
};
const index = [{ name: "bytes", configuration: { endian: "little" } }];
const sharding = { chunk_shape: [1], codecs: [{ name: "bytes" }], index_codecs: index };

/** Arrays by their name: the files that one has, and what may be no file. */
const arrays: Record<string, { metadata: Record<string, unknown>; files: string[] }> = {
  numbers: {
    metadata: { ".zarray": { ...version2, dtype: "|u1" } },
    files: [".zarray", ".zattrs", "0"],
  },
  text: {
    metadata: { ".zarray": { ...version2, dtype: "|O", filters: [{ id: "vlen-utf8" }] } },
    files: ["0"],
  },
  "version 3": {
    metadata: {
      "zarr.json": { ...version3, data_type: "uint8", fill_value: 0, codecs: [{ name: "bytes" }] },
    },
    files: ["zarr.json", "c/0"],
  },
  shards: {
    metadata: {
      "zarr.json": {
        ...{ ...version3, data_type: "uint8", fill_value: 0 },
        codecs: [{ name: "sharding_indexed", configuration: sharding }],
      },
    },
    files: ["c/0"],
  },
};

/** What may lie there, and what is said of it. */
const things: Record<string, (path: string) => void | Promise<unknown>> = {
  "is a named pipe, not a file": (path) => new Deno.Command("mkfifo", { args: [path] }).output(),
  "is a folder, not a file": (path) => Deno.mkdirSync(path),
  "is a device, not a file": (path) => Deno.symlinkSync("/dev/zero", path),
  "is a link to a file that does not exist": (path) => Deno.symlinkSync("/none/0", path),
};

for (const [name, { metadata, files }] of Object.entries(arrays)) {
  Deno.test(`what is no file is refused in an array: ${name}`, async () => {
    for (const file of files) {
      for (const [problem, make] of Object.entries(things)) {
        await inFolder({}, async (folder) => {
          const path = `${folder}/a.zarr`;
          Deno.mkdirSync(`${path}/c`, { recursive: true });
          for (const [name, document] of Object.entries(metadata)) {
            Deno.writeTextFileSync(`${path}/${name}`, JSON.stringify(document));
          }
          const place = `${path}/${file}`;
          if (file in metadata) Deno.removeSync(place);
          await make(place);
          const read = () => readAll(openSource(path));
          const error = await read().then(() => undefined, (error) => error);
          assertEquals(error?.message, `${place}: ${problem}`);
        });
      }
    }
  });
}

Deno.test("an array that is copied as it is has files only", () =>
  inFolder({ "0": "a chunk" }, async (folder) => {
    assertEquals(await filesBelow(folder), [{ path: "0", numBytes: 7 }]);
    await new Deno.Command("mkfifo", { args: [`${folder}/1`] }).output();
    const error = await filesBelow(folder).then(() => undefined, (error) => error);
    assertEquals(error?.message, `${folder}/1: is a named pipe, not a file`);
  }));

Deno.test("links in an array that is copied are followed, but not to nothing and not in a circle", () =>
  inFolder({ "0": "a chunk" }, async (folder) => {
    const path = `${folder}/a`;
    Deno.mkdirSync(`${path}/c`, { recursive: true });
    Deno.mkdirSync(`${folder}/d`);
    Deno.writeTextFileSync(`${folder}/d/1`, "other");
    Deno.symlinkSync("../../0", `${path}/c/0`);
    Deno.symlinkSync("../d", `${path}/d`);
    const files = [{ path: "c/0", numBytes: 7 }, { path: "d/1", numBytes: 5 }];
    const found = await filesBelow(path);
    assertEquals(found.sort((a, b) => a.path < b.path ? -1 : 1), files);
    const problems = { ".": "is a link to a folder that contains it", "..": "", "/none/0": "" };
    problems[".."] = problems["."];
    problems["/none/0"] = "is a link to a file that does not exist";
    for (const [target, problem] of Object.entries(problems)) {
      // With two of them, the ways through the folder would double at each step.
      Deno.symlinkSync(target, `${path}/c/1`);
      Deno.symlinkSync(target, `${path}/c/2`);
      const error = await filesBelow(path).then(() => undefined, (error) => error);
      assertMatch(error?.message, new RegExp(`^${path}/c/[12]: ${problem}$`));
      for (const name of ["1", "2"]) Deno.removeSync(`${path}/c/${name}`);
    }
  }));

Deno.test("what is no folder is not opened as an array", () =>
  inFolder({}, async (folder) => {
    await new Deno.Command("mkfifo", { args: [`${folder}/a.zarr`] }).output();
    const error = await readAll(openSource(`${folder}/a.zarr`)).then(() => undefined, (e) => e);
    const problem = "is a named pipe, not a folder with a Zarr array or group";
    assertEquals(error?.message, `${folder}/a.zarr: ${problem}`);
  }));
