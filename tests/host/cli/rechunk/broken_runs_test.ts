/** `rechunk run` that ends at each of its operations on files, and what the next run makes of it. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import { copyFile } from "../../../../cli/rechunk/copy_files.ts";
import { FileError } from "../../../../base/errors/file_error.ts";
import { createFixed, createVariable } from "../../../support/zarr/stored_arrays.ts";
import { namesIn } from "../../../support/processes/bad_commands.ts";
import { breakAt, type Ending } from "../../../support/files/broken_files.ts";
import { inFolder } from "../../../support/files/folder.ts";
import { rechunked } from "../../../support/zarr/rechunk_here.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { textItems } from "../../../support/zarr/zarr_texts.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const ENDINGS: readonly Ending[] = ["killed", "data lost", "names lost"];
const MAX_MEM = 8_000_000;

/** A group with an array of two axes in two chunks, one of text, and one that is copied. */
async function writeGroup(path: string, codec: string): Promise<void> {
  Deno.mkdirSync(path);
  Deno.writeTextFileSync(`${path}/zarr.json`, '{"zarr_format":3,"node_type":"group"}');
  const codecs = codec === "plain" ? [] : [{ name: codec, configuration: { level: 1 } }];
  const metadata = (shape: number[], type: string, packing: object) => ({
    format: 3 as const,
    array: JSON.stringify({
      ...{ zarr_format: 3, node_type: "array", shape, data_type: type },
      chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
      chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
      ...{ fill_value: type === "string" ? "" : 0, attributes: {}, codecs: [packing, ...codecs] },
    }),
  });
  const little = { name: "bytes", configuration: { endian: "little" } };
  const numbers = await createFixed(`${path}/numbers`, metadata([4, 6], "int32", little), {
    chunk: [2, 6],
  });
  for (const at of [0, 1]) {
    const items = Int32Array.from({ length: 12 }, (_, item) => 12 * at + item + 1);
    await numbers.writeChunk([at, 0], new Uint8Array(items.buffer));
  }
  const like = metadata([2, 3], "string", { name: "vlen-utf8" });
  const text = await createVariable(`${path}/text`, like, { chunk: [2, 3] });
  const words = ["Zürich", "", "São Paulo", "東京", "a", "Genève"];
  await text.writeChunk([0, 0], textItems(words.map((word) => new TextEncoder().encode(word))));
  const axis = await createFixed(`${path}/axis`, metadata([3], "int32", little), {
    chunk: [3],
  });
  await axis.writeChunk([0], new Uint8Array(Int32Array.of(1, 2, 3).buffer));
}

/** All files below a folder with hashes of their bytes. */
function filesIn(folder: string, path = ""): [path: string, hash: string][] {
  return [...Deno.readDirSync(`${folder}/${path}`)].flatMap(({ name, isDirectory }) => {
    const below = `${path}${name}`;
    if (isDirectory) return filesIn(folder, `${below}/`);
    const hash = createHash("sha256").update(Deno.readFileSync(`${folder}/${below}`));
    return [[below, hash.digest("hex")] as [string, string]];
  }).sort(([one], [two]) => one < two ? -1 : 1);
}

/** Runs without an end on the way. */
async function wholly<T>(work: () => Promise<T>): Promise<T> {
  let result: T;
  await breakAt(Infinity, "killed", async () => result = await work());
  return result!;
}

Deno.test("a run that ends at any operation on files is resumed to what a whole one makes", () => {
  const codecs = ["plain", "gzip"];
  const draws = new Draws([...codecs, ...ENDINGS, "temp elsewhere", "temp inside", "1", "0"]);
  const parts = ["resumed", "begun", "complete"];
  const all = new Draws([...draws.missing, ...parts]);
  return forSeeds(fewOr(3, 10), (random) =>
    inFolder(async (folder) => {
      const codec = random.pick(codecs);
      const ending = random.pick(ENDINGS);
      const isElsewhere = random.chance(0.5);
      const stages = random.below(2);
      for (const drawn of [codec, ending, String(stages)]) all.add(drawn);
      all.add(isElsewhere ? "temp elsewhere" : "temp inside");
      const [input, temp] = [`${folder}/in.zarr`, `${folder}/temp`];
      await writeGroup(input, codec);
      Deno.mkdirSync(temp);
      const options = { stages, ...(isElsewhere ? { temp } : {}) };
      const run = (output: string, resume = false) =>
        rechunked(input, `${folder}/${output}`, "-1,2", MAX_MEM, { ...options, resume });
      const isMade = () => namesIn(folder).includes("out.zarr");
      await wholly(() => run("whole.zarr"));
      const whole = filesIn(`${folder}/whole.zarr`);
      const numAll = await breakAt(Infinity, ending, () => run("count.zarr"));
      assert(numAll > 80, `${numAll} operations`);
      // Some of them in each draw, from the first to behind the last.
      for (let at = random.below(12); at < numAll + 12; at += 8 + random.below(8)) {
        const numDone = await breakAt(at, ending, () => run("out.zarr"));
        // It may end once more while it goes on.
        if (!isMade() && random.chance(0.3)) {
          await breakAt(random.below(numAll), ending, () => run("out.zarr", true));
        }
        const title = `${codec}, ${ending}, ${stages} stages, ${at} of ${numDone} operations`;
        const isThere = isMade();
        if (isThere && !namesIn(folder).includes("out.zarr.partial")) all.add("complete");
        else {
          const findings = await wholly(() => run("out.zarr", true)).catch((error) => {
            // The note goes last: then nobody knows that this was the run.
            if (isThere && /exists already/.test(error.message)) return [];
            throw new Error(`${title}: ${error.message}`, { cause: error });
          });
          all.add(findings.length === 0 ? "resumed" : "begun");
        }
        assertEquals(filesIn(`${folder}/out.zarr`), whole, title);
        const names = namesIn(folder).filter((name) => name !== "out.zarr.partial" || !isThere);
        assertEquals(names, ["count.zarr", "in.zarr", "out.zarr", "temp", "whole.zarr"], title);
        assertEquals(namesIn(temp), [], title);
        Deno.removeSync(`${folder}/out.zarr`, { recursive: true });
        if (isThere) await Deno.remove(`${folder}/out.zarr.partial`).catch(() => {});
      }
    }), all);
});

Deno.test("a file that is copied is copied anew, whatever a broken-off run left in its place", () =>
  inFolder({ "in": "whole", "other": "of another" }, async (folder) => {
    const [from, to] = [`${folder}/in`, `${folder}/out/c/0`];
    Deno.chmodSync(from, 0o444);
    await copyFile(from, to);
    assertEquals(Deno.readTextFileSync(to), "whole");
    for (const left of ["", "who", "\0\0\0\0\0", "something long"]) {
      Deno.removeSync(to);
      Deno.writeTextFileSync(to, left, { mode: 0o444 });
      await copyFile(from, to);
      assertEquals(Deno.readTextFileSync(to), "whole");
    }
    Deno.removeSync(to);
    Deno.symlinkSync(`${folder}/other`, to);
    await copyFile(from, to);
    assertEquals(Deno.readTextFileSync(`${folder}/other`), "of another");
    assertEquals([Deno.readTextFileSync(to), namesIn(`${folder}/out/c`)], ["whole", ["0"]]);
    const error = await assertRejects(() => copyFile(`${folder}/none`, to), FileError);
    assertEquals(error.message, `${folder}/none: no such file`);
  }));

Deno.test("a run that ends at any operation on files can be begun anew, and leaves nothing", () =>
  forSeeds(fewOr(1, 3), (random) =>
    inFolder(async (folder) => {
      const [input, temp] = [`${folder}/in.zarr`, `${folder}/temp`];
      await writeGroup(input, "plain");
      Deno.mkdirSync(temp);
      const run = () =>
        rechunked(input, `${folder}/out.zarr`, "-1,2", MAX_MEM, { temp, stages: 1 });
      const numAll = await breakAt(Infinity, "killed", run);
      const whole = filesIn(`${folder}/out.zarr`);
      for (let at = random.below(12); at < numAll; at += 8 + random.below(8)) {
        await Deno.remove(`${folder}/out.zarr`, { recursive: true });
        await breakAt(at, random.pick(ENDINGS), run);
        for (const name of ["out.zarr", "out.zarr.partial"]) {
          await Deno.remove(`${folder}/${name}`, { recursive: true }).catch(() => {});
        }
        await wholly(run);
        assertEquals(filesIn(`${folder}/out.zarr`), whole);
        assertEquals([namesIn(folder), namesIn(temp)], [["in.zarr", "out.zarr", "temp"], []]);
      }
    })));

Deno.test("what a complete run left is swept by the next, which asks for the same if it resumes", () =>
  inFolder(async (folder) => {
    const [input, output] = [`${folder}/in.zarr`, `${folder}/out.zarr`];
    await writeGroup(input, "plain");
    const run = (resume: boolean) => rechunked(input, output, "-1,2", MAX_MEM, { resume });
    // The last five remove what is left: lock, temporary folder, note, and the folder.
    const numAll = await breakAt(Infinity, "killed", () => run(false));
    const leave = async () => {
      Deno.removeSync(output, { recursive: true });
      await breakAt(numAll - 5, "killed", () => run(false));
      assertEquals(namesIn(folder), ["in.zarr", "out.zarr", "out.zarr.partial"]);
    };
    await leave();
    assertEquals(await run(true), ["complete"]);
    assertEquals(namesIn(folder), ["in.zarr", "out.zarr"]);
    await leave();
    await assertRejects(() => run(false), Error, "exists already, and is not replaced");
    assertEquals(namesIn(folder), ["in.zarr", "out.zarr"]);
    await leave();
    Deno.renameSync(output, `${folder}/other.zarr`);
    const [finding] = await run(false);
    assertEquals(
      finding,
      `reusing ${output}.partial, which a complete run left`,
    );
    assertEquals(filesIn(output), filesIn(`${folder}/other.zarr`));
  }));
