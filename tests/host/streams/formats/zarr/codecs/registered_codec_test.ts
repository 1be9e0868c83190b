/** Codecs that a program gives to zarrita are codecs here. */

import { assertEquals } from "@std/assert";
import { registry } from "zarrita";
import { createFixed, openFixed } from "../../../../../support/zarr/stored_arrays.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { assertFileError } from "../../../../../support/zarr/zarr_errors.ts";
import { readItems, writeItems } from "../../../../../support/zarr/zarr_items.ts";

const document = {
  zarr_format: 3,
  node_type: "array",
  shape: [5],
  data_type: "uint8",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
  chunk_key_encoding: { name: "default" },
  fill_value: 0,
  codecs: [{ name: "bytes" }, { name: "sluice.flip", configuration: { by: 3 } }],
};

Deno.test("a codec that is added to zarrita's registry is used, with its configuration", async () => {
  const metadata = { format: 3, array: JSON.stringify(document) } as const;
  await inFolder(async (folder) => {
    const path = `${folder}/a.zarr`;
    await assertFileError(
      createFixed(path, metadata, { chunk: [2] }),
      `${path}: its codec sluice.flip is not supported`,
    );
    const added = registry as unknown as Map<string, () => unknown>;
    added.set("sluice.flip", () => ({
      fromConfig: ({ by }: { by: number }) => {
        const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ by);
        return { kind: "bytes_to_bytes", encode: flip, decode: flip };
      },
    }));
    try {
      const items = Uint8Array.of(1, 2, 3, 4, 5);
      const writer = await createFixed(path, metadata, { chunk: [2] });
      await writeItems(writer, items);
      assertEquals(Deno.readFileSync(`${path}/c/0`), Uint8Array.of(2, 1));
      const opened = await openFixed(path);
      assertEquals(await readItems(opened), items);
      Deno.writeFileSync(`${path}/c/0`, new Uint8Array(3));
      await assertFileError(readItems(opened), `${path}/c/0: decodes to more than 2 bytes`);
    } finally {
      added.delete("sluice.flip");
    }
  });
});
