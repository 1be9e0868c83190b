import { assert, assertEquals } from "@std/assert";
import { partsOf, VariableFileReader } from "../../../../../ops/rechunk/store/variable_file.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { textItems } from "../../../../support/zarr/zarr_texts.ts";
import { ChunkFolder } from "../../../../../ops/rechunk/store/chunk_folder.ts";

Deno.test("files are read one after the other into one piece of memory", () =>
  inFolder({}, (folder) => {
    const encoder = new TextEncoder();
    const folderOfChunks = new ChunkFolder(folder);
    const texts = ["x".repeat(1000), "città", ""];
    texts.forEach((text, at) =>
      folderOfChunks.write([at], partsOf(textItems([encoder.encode(text), encoder.encode("b")])))
    );
    const reader = new VariableFileReader();
    const buffers = texts.map((text, at) => {
      const { offsets, data } = folderOfChunks.read([at], (file) => reader.read(file, 2))!;
      const length = encoder.encode(text).length;
      assertEquals([...offsets], [0, length, length + 1]);
      assertEquals(new TextDecoder().decode(data), `${text}b`);
      return data.buffer;
    });
    assert(buffers.every((buffer) => buffer === buffers[0]));
    assertEquals(folderOfChunks.read([3], (file) => reader.read(file, 2)), undefined);
    return Promise.resolve();
  }));
