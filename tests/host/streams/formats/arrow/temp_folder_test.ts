import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Field, Int32, makeData, RecordBatch, Schema, Struct, tableFromArrays } from "apache-arrow";
import { removePartialOutputs } from "../../../../../streams/sink/output_file.ts";
import { TempFolder } from "../../../../../streams/formats/arrow/temp_folder.ts";
import { inFolder } from "../../../../support/files/folder.ts";

const schema = new Schema([new Field("id", new Int32(), true)]);

function batchOf(ids: Int32Array): RecordBatch {
  const child = makeData({ type: new Int32(), data: ids });
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: ids.length, children: [child] }));
}

const entries = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

Deno.test("a temporary folder exists from its first file on, for its owner alone", () =>
  inFolder((parent) => {
    const folder = new TempFolder(parent, "cannot hold rows");
    assertEquals(entries(parent), []);
    const file = folder.create(schema);
    const [name] = entries(parent);
    assertEquals(Deno.statSync(`${parent}/${name}`).mode! & 0o777, 0o700);
    const [inside] = entries(`${parent}/${name}`);
    assertEquals(Deno.statSync(`${parent}/${name}/${inside}`).mode! & 0o777, 0o600);
    file.write(batchOf(Int32Array.of(1)));
    folder.remove();
    assertEquals(entries(parent), []);
    folder.remove();
    return Promise.resolve();
  }));

Deno.test("two folders in one place have different names", () =>
  inFolder((parent) => {
    using first = new TempFolder(parent, "cannot hold rows");
    using second = new TempFolder(parent, "cannot hold rows");
    first.create(schema).finish();
    second.create(schema).finish();
    assertEquals(new Set(entries(parent)).size, 2);
    return Promise.resolve();
  }));

Deno.test("a temporary file gives its batches again and again, and its bytes are counted", () =>
  inFolder(async (parent) => {
    using folder = new TempFolder(parent, "cannot hold rows");
    const file = folder.create(schema);
    // Small batches are written together, and a large one by itself.
    const sizes = [3, 0, 200_000, 5];
    for (const size of sizes) file.write(batchOf(Int32Array.from({ length: size }, (_, i) => i)));
    file.finish();
    assertEquals(file.numRows, 200_008);
    const [name] = entries(parent);
    const { size } = Deno.statSync(`${parent}/${name}/0.arrows`);
    assertEquals(folder.bytesWritten, size);
    for (let round = 0; round < 2; round++) {
      const batches = await Array.fromAsync(file.batches());
      assertEquals(batches.map(({ numRows }) => numRows), sizes);
      assertEquals(batches[2]!.getChildAt(0)!.at(-1), 199_999);
    }
    file.remove();
    assertEquals(entries(`${parent}/${name}`), []);
  }));

Deno.test("handlers of signals remove temporary folders along with partial outputs", () =>
  inFolder((parent) => {
    const folder = new TempFolder(parent, "cannot hold rows");
    folder.create(schema).finish();
    removePartialOutputs();
    assertEquals(entries(parent), []);
    folder.remove();
    return Promise.resolve();
  }));

Deno.test("a folder that does not exist and one that nothing may be added to are errors that name it", () =>
  inFolder((parent) => {
    const error = assertThrows(
      () => new TempFolder(`${parent}/none`, "cannot hold rows").create(schema),
      Error,
    );
    assertEquals(error.message, `${parent}/none: cannot hold rows, no such folder`);
    Deno.writeTextFileSync(`${parent}/file`, "");
    const other = assertThrows(
      () => new TempFolder(`${parent}/file`, "cannot hold rows").create(schema),
      Error,
    );
    assertEquals(
      other.message,
      `${parent}/file: cannot hold rows, a part of its path is not a folder`,
    );
    return Promise.resolve();
  }));

Deno.test("a full disk is an error that names the folder", () =>
  inFolder(async (parent) => {
    using folder = new TempFolder(parent, "cannot hold rows");
    const file = folder.create(schema);
    const write = Deno.FsFile.prototype.writeSync;
    Deno.FsFile.prototype.writeSync = () => {
      throw new Error("No space left on device (os error 28)");
    };
    try {
      const error = assertThrows(() => file.write(batchOf(Int32Array.of(1))), Error);
      assert(error.message.startsWith(`${parent}/sluice-`), error.message);
      assert(error.message.endsWith(": cannot hold rows, no space left on device"), error.message);
    } finally {
      Deno.FsFile.prototype.writeSync = write;
    }
    const { batches: [batch] } = tableFromArrays({ id: Int32Array.of(1) });
    file.write(batch!);
    file.finish();
    Deno.removeSync(`${parent}/${entries(parent)[0]}/0.arrows`);
    await assertRejects(() => Array.fromAsync(file.batches()), Error, "no such");
  }));
