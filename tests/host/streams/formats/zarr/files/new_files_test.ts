import { assert, assertEquals } from "@std/assert";
import {
  commitPartial,
  createPartial,
  NewFiles,
  removeLeftovers,
} from "../../../../../../streams/formats/zarr/files/new_files.ts";
import { inFolder } from "../../../../../support/files/folder.ts";

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("two who write the same file have a temporary name each, and the last one wins whole", () =>
  inFolder({}, (folder) => {
    const path = `${folder}/a/c.0`;
    const [first, second] = [createPartial(path), createPartial(path)];
    assert(first.partial !== second.partial);
    first.file.writeSync(Uint8Array.of(1, 1, 1));
    // The one that gave up in the middle cannot give its part of a file the name of a whole one.
    second.file.writeSync(Uint8Array.of(2, 2));
    commitPartial(second);
    assertEquals([...Deno.readFileSync(path)], [2, 2]);
    first.file.close();
    assertEquals(namesIn(`${folder}/a`).length, 2);
    removeLeftovers(folder);
    assertEquals(namesIn(`${folder}/a`), ["c.0"]);
    return Promise.resolve();
  }));

Deno.test("durable files appear together when they are flushed, others immediately", () =>
  inFolder({}, async (folder) => {
    const write = (files: NewFiles, name: string) => {
      const made = createPartial(`${folder}/${name}`);
      made.file.writeSync(Uint8Array.of(7));
      return files.commit(made);
    };
    const durable = new NewFiles({ isDurable: true });
    await write(durable, "a");
    await write(durable, "b");
    await write(new NewFiles({ isDurable: false }), "c");
    assertEquals(namesIn(folder).filter((name) => !name.endsWith(".partial")), ["c"]);
    await durable.flush();
    assertEquals(namesIn(folder), ["a", "b", "c"]);
  }));
