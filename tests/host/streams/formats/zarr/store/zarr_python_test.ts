/** What zarr-python 2 writes is read, and in other chunks it is the same array for it. */

import { assertEquals } from "@std/assert";
import {
  createFixed,
  createVariable,
  openFixed,
} from "../../../../../support/zarr/stored_arrays.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { someOf } from "../../../../../support/random/test_size.ts";
import { readItems, writeItems } from "../../../../../support/zarr/zarr_items.ts";
import { askZarrPython, zarrPythonTest } from "../../../../../support/judges/zarr_python.ts";
import { openTexts, readTexts, writeTexts } from "../../../../../support/zarr/zarr_texts.ts";

zarrPythonTest("arrays of zarr-python 2 are read, and stay the same in other chunks", async () => {
  await inFolder(async (folder) => {
    const made = await askZarrPython([{ make: folder }]);
    assertEquals(made.length > 200, true);
    const pairs: [string, string][] = [];
    for (const line of someOf(made, 60)) {
      const { name, items } = JSON.parse(line) as { name: string; items: string };
      const path = `${folder}/${name}`;
      const opened = await openFixed(path);
      const expected = Uint8Array.fromBase64(items);
      const read = await readItems(opened);
      assertEquals(read, expected, Deno.readTextFileSync(`${path}/.zarray`));
      const chunk = opened.grid.shape.map((_, axis) => 2 + axis);
      const copy = await createFixed(`${path}.copy`, opened.metadata, { chunk });
      await writeItems(copy, read);
      pairs.push([path, `${path}.copy`]);
    }
    const differences = await askZarrPython(pairs.map((pair) => ({ compare: pair })));
    assertEquals(differences.filter((difference) => difference !== ""), []);
    assertEquals(differences.length, pairs.length);
  });
});

zarrPythonTest(
  "text and bytes of zarr-python 2 are read, and stay the same in other chunks",
  async () => {
    await inFolder(async (folder) => {
      const made = await askZarrPython([{ makeTexts: folder }]);
      assertEquals(made.length, 44);
      const pairs: [string, string][] = [];
      for (const line of someOf(made, 20)) {
        const { name, items } = JSON.parse(line) as { name: string; items: string[] };
        const path = `${folder}/${name}`;
        const reader = await openTexts(path);
        const read = await readTexts(reader);
        const metadata = Deno.readTextFileSync(`${path}/.zarray`);
        assertEquals(read, items.map((item) => Uint8Array.fromBase64(item)), metadata);
        const chunk = reader.grid.shape.map((_, axis) => 2 + axis);
        const copy = await createVariable(`${path}.copy`, reader.metadata, { chunk });
        await writeTexts(copy, read);
        pairs.push([path, `${path}.copy`]);
      }
      const differences = await askZarrPython(pairs.map((pair) => ({ compare: pair })));
      assertEquals(differences.filter((difference) => difference !== ""), []);
      assertEquals(differences.length, pairs.length);
    });
  },
);

zarrPythonTest(
  "numbers that were scaled are what zarr-python makes of them, both ways",
  async () => {
    await inFolder(async (folder) => {
      const made = await askZarrPython([{ makeScaled: folder }]);
      assertEquals(made.length, 160);
      const pairs: [string, string][] = [];
      for (const line of someOf(made, 50)) {
        const { name, items, raw } = JSON.parse(line) as Record<"name" | "items" | "raw", string>;
        const path = `${folder}/${name}`;
        const opened = await openFixed(path);
        const metadata = Deno.readTextFileSync(`${path}/.zarray`);
        assertEquals(await readItems(opened), Uint8Array.fromBase64(items), metadata);
        const copy = await createFixed(`${path}.copy`, opened.metadata, { chunk: [5, 2] });
        await writeItems(copy, Uint8Array.fromBase64(raw));
        pairs.push([path, `${path}.copy`]);
      }
      const differences = await askZarrPython(pairs.map((pair) => ({ compare: pair })));
      assertEquals(differences.filter((difference) => difference !== ""), []);
      assertEquals(differences.length, pairs.length);
    });
  },
);
