/** A folder that appears under its name when it is complete, and leaves nothing otherwise. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { FileError } from "../../../../base/errors/file_error.ts";
import { OutputFolder } from "../../../../streams/sink/output_folder.ts";
import { removePartialOutputs } from "../../../../streams/sink/output_file.ts";
import { namesIn } from "../../../support/processes/bad_commands.ts";
import { inFolder } from "../../../support/values/streams_samples.ts";

/** A folder that is being filled, with a file in a folder in it. */
async function begun(path: string): Promise<OutputFolder> {
  const output = await OutputFolder.create(path);
  Deno.mkdirSync(`${output.path}/a`);
  Deno.writeTextFileSync(`${output.path}/a/b.txt`, "c");
  return output;
}

Deno.test("a folder has its name once it is complete", () =>
  inFolder(async (folder) => {
    const output = await begun(`${folder}/out.zarr/`);
    const [partial, ...others] = namesIn(folder);
    assertMatch(partial!, /^\.out\.zarr\.[0-9a-f]{8}\.partial$/);
    assertEquals(others, []);
    await output.commit();
    assertEquals(namesIn(folder), ["out.zarr"]);
    assertEquals(Deno.readTextFileSync(`${folder}/out.zarr/a/b.txt`), "c");
    // Complete is complete.
    output.discard();
    removePartialOutputs();
    assertEquals(namesIn(folder), ["out.zarr"]);
  }));

Deno.test("a folder that is given up leaves nothing, nor does one that a signal ends", () =>
  inFolder(async (folder) => {
    const output = await begun(`${folder}/out.zarr`);
    output.discard();
    assertEquals(namesIn(folder), []);
    await begun(`${folder}/out.zarr`);
    removePartialOutputs();
    assertEquals(namesIn(folder), []);
  }));

Deno.test("what comes into being under the name meanwhile stays, and the folder is removed", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.zarr`;
    const output = await begun(path);
    Deno.mkdirSync(path);
    await assertRejects(
      () => output.commit(),
      FileError,
      "was created in the meantime, and is not replaced",
    );
    assertEquals([namesIn(folder), namesIn(path)], [["out.zarr"], []]);
  }));

Deno.test("what is no new folder is refused before anything is written", () =>
  inFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/there`, "");
    for (
      const [path, problem] of [
        [`${folder}/there`, "exists already, and is not replaced; remove it first"],
        [`${folder}/none/out`, `cannot be written: the folder ${folder}/none does not exist`],
        ["https://example.org/out", "is a URL, but only files here can be written"],
        ["/dev/stdout", "is a stream, but only a folder can be written"],
      ] as const
    ) {
      await assertRejects(() => OutputFolder.create(path), FileError, problem);
    }
    assertEquals(namesIn(folder), ["there"]);
  }));
