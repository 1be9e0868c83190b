import { assert, assertEquals } from "@std/assert";
import { TextFileReader, writeItems } from "../../../../../ops/rechunk/store/text_file.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { textItems } from "../../../../support/zarr/zarr_texts.ts";

Deno.test("files are read one after the other into one piece of memory", () =>
  inFolder({}, (folder) => {
    const encoder = new TextEncoder();
    const texts = ["x".repeat(1000), "città", ""];
    texts.forEach((text, at) =>
      writeItems(`${folder}/${at}`, textItems([encoder.encode(text), encoder.encode("b")]))
    );
    const reader = new TextFileReader();
    const buffers = texts.map((text, at) => {
      const { offsets, data } = reader.read(`${folder}/${at}`, 2)!;
      const length = encoder.encode(text).length;
      assertEquals([...offsets], [0, length, length + 1]);
      assertEquals(new TextDecoder().decode(data), `${text}b`);
      return data.buffer;
    });
    assert(buffers.every((buffer) => buffer === buffers[0]));
    assertEquals(reader.read(`${folder}/none`, 2), undefined);
    return Promise.resolve();
  }));
