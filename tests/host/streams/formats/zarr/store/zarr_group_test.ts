/** Groups of arrays: found in folders, written again like others, with metadata of all or without. */

import { assertEquals } from "@std/assert";
import FileSystemStore from "@zarrita/storage/fs";
import * as zarr from "zarrita";
import { asFixed, createFixed } from "../../../../../support/zarr/stored_arrays.ts";
import {
  consolidateZarr,
  createZarrGroup,
} from "../../../../../../streams/formats/zarr/store/create_zarr_group.ts";
import {
  openZarr,
  unstoredText,
  type ZarrGroup,
} from "../../../../../../streams/formats/zarr/store/open_zarr.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { assertFileError } from "../../../../../support/zarr/zarr_errors.ts";
import { readItems, writeItems } from "../../../../../support/zarr/zarr_items.ts";

/** Writes files, and the folders that they are in. */
function writeFiles(folder: string, files: Readonly<Record<string, unknown>>): void {
  for (const [path, content] of Object.entries(files)) {
    const name = `${folder}/${path}`;
    Deno.mkdirSync(name.slice(0, name.lastIndexOf("/")), { recursive: true });
    if (content instanceof Uint8Array) Deno.writeFileSync(name, content);
    else {
      const text = typeof content === "string" ? content : JSON.stringify(content);
      Deno.writeTextFileSync(name, text);
    }
  }
}

const array2 = (shape: readonly number[], chunks: readonly number[]) => ({
  zarr_format: 2,
  shape,
  chunks,
  dtype: "<i2",
  compressor: null,
  fill_value: 7,
  order: "C",
  filters: null,
});

const array3 = (shape: readonly number[], chunk: readonly number[], type: unknown = "int16") => ({
  zarr_format: 3,
  node_type: "array",
  shape,
  data_type: type,
  chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
  chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
  fill_value: type === "string" ? "" : 7,
  codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  attributes: { unit: "m" },
});

const bytesOf = (...values: number[]) => new Uint8Array(Int16Array.from(values).buffer);

/** A group of version 2, as xarray writes it, with what it consolidates. */
const files2 = {
  ".zgroup": { zarr_format: 2 },
  ".zattrs": `{"title": "ERA5", "missing": NaN, "scale": 1.0, "big": 9007199254740993}`,
  ".zmetadata": { metadata: { "stale/.zarray": {} }, zarr_consolidated_format: 1 },
  "time/.zarray": array2([3], [2]),
  "time/.zattrs": { _ARRAY_DIMENSIONS: ["time"] },
  "time/0": bytesOf(1, 2),
  "deep/.zgroup": { zarr_format: 2 },
  "deep/er/.zgroup": { zarr_format: 2 },
  "deep/er/t2m/.zarray": array2([2, 2], [2, 2]),
  "deep/er/t2m/0.0": bytesOf(1, 2, 3, 4),
  "no node/at all": "text",
};

const files3 = {
  "zarr.json": {
    zarr_format: 3,
    node_type: "group",
    attributes: { title: "ERA5" },
    consolidated_metadata: {
      kind: "inline",
      must_understand: false,
      metadata: { stale: array3([9], [9]) },
    },
  },
  "time/zarr.json": array3([3], [2]),
  "time/c/0": bytesOf(1, 2),
  "deep/zarr.json": { zarr_format: 3, node_type: "group" },
  "deep/t2m/zarr.json": array3([2, 2], [2, 2]),
  "deep/t2m/c/0/0": bytesOf(1, 2, 3, 4),
};

async function openGroup(path: string): Promise<ZarrGroup> {
  const node = await openZarr(path);
  if (node.kind !== "group") throw new Error("is an array");
  return node;
}

/** Copies a group with chunks of one item. */
async function copyGroup(from: string, to: string): Promise<void> {
  const group = await openGroup(from);
  createZarrGroup(to, group);
  for (const { path, member } of group.arrays) {
    const chunk = member.grid.shape.map(() => 1);
    const writer = await createFixed(`${to}/${path}`, member.metadata, { chunk });
    await writeItems(writer, await readItems(asFixed(member)));
  }
  if (group.isConsolidated) consolidateZarr(to);
}

Deno.test("a group lists its arrays and the groups below, whatever it says that it holds", async () => {
  await inFolder(async (folder) => {
    writeFiles(`${folder}/a.zarr`, files2);
    const group = await openGroup(`${folder}/a.zarr/`);
    assertEquals(group.name, `${folder}/a.zarr`);
    assertEquals(group.arrays.map(({ path }) => path), ["deep/er/t2m", "time"]);
    assertEquals(group.groups.map(({ path }) => path), ["", "deep", "deep/er"]);
    assertEquals(group.arrays[1]!.member.name, `${folder}/a.zarr/time`);
    assertEquals(group.arrays[1]!.member.dimensionNames, ["time"]);
    assertEquals(await readItems(asFixed(group.arrays[1]!.member)), bytesOf(1, 2, 7));
    assertEquals(group.attributes, {
      title: "ERA5",
      missing: NaN,
      scale: 1,
      big: 9007199254740993,
    });
    assertEquals([group.isConsolidated, group.others], [true, []]);
    assertEquals(
      unstoredText(group),
      `its consolidated metadata names "stale", which the store does not contain`,
    );
  });
});

Deno.test("arrays that only consolidated metadata has are told in both versions, whatever else it has", async () => {
  const metadata2 = { ".zgroup": {}, "time/.zarray": 1, "a/b/.zarray": {}, "c/.zgroup": {} };
  const metadata3 = { time: array3([3], [2]), "a/b": array3([3], [2]), c: { node_type: "group" } };
  const told = `its consolidated metadata names "a/b", which the store does not contain`;
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`n${at}/.zarray`, {}]));
  const { ".zmetadata": _, ...bare2 } = files2;
  const inline = (metadata: unknown) => ({
    ...files3,
    "zarr.json": { ...files3["zarr.json"], consolidated_metadata: { metadata } },
  });
  const cases: [files: Record<string, unknown>, text: string | undefined][] = [
    [{ ...bare2, ".zmetadata": { metadata: metadata2 } }, told],
    [
      { ...bare2, ".zmetadata": { metadata: many } },
      [
        'its consolidated metadata names "n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7" and 2 more,',
        "which the store does not contain",
      ].join(" "),
    ],
    [{ ...bare2, ".zmetadata": "{" }, undefined],
    [{ ...bare2, ".zmetadata": "[".repeat(1000) }, undefined],
    [{ ...bare2, ".zmetadata": { metadata: [1] } }, undefined],
    [bare2, undefined],
    [inline(metadata3), told],
    [inline("all"), undefined],
    [inline({ time: 1 }), undefined],
  ];
  for (const [files, text] of cases) {
    await inFolder(async (folder) => {
      writeFiles(`${folder}/a.zarr`, files);
      const group = await openGroup(`${folder}/a.zarr`);
      assertEquals(unstoredText(group), text);
      assertEquals(group.arrays.length, 2);
    });
  }
});

Deno.test("arrays in folders without metadata are found, but not behind links and names with a dot", async () => {
  await inFolder(async (folder) => {
    const lost = {
      "lost/found/.zarray": array2([1], [1]),
      "lost/.git/x/.zarray": array2([1], [1]),
    };
    writeFiles(`${folder}/a.zarr`, { ...files2, ...lost, ".git/b/.zarray": array2([1], [1]) });
    Deno.symlinkSync(folder, `${folder}/a.zarr/disk`);
    const { arrays, groups } = await openGroup(`${folder}/a.zarr`);
    assertEquals(arrays.map(({ path }) => path), ["deep/er/t2m", "lost/found", "time"]);
    assertEquals(groups.map(({ path }) => path), ["", "deep", "deep/er"]);
    await assertFileError(
      openZarr(`${folder}/a.zarr/lost`),
      `${folder}/a.zarr/lost: is not a Zarr array or group: it has no zarr.json, .zarray or .zgroup`,
    );
  });
});

Deno.test("a link to nothing in a group is refused: it may be an array that was not fetched", async () => {
  await inFolder(async (folder) => {
    writeFiles(`${folder}/a.zarr`, files2);
    Deno.symlinkSync("/dev/null", `${folder}/a.zarr/no folder`);
    assertEquals((await openGroup(`${folder}/a.zarr`)).arrays.length, 2);
    Deno.symlinkSync("/none", `${folder}/a.zarr/deep/wind`);
    const problem = `${folder}/a.zarr/deep/wind: is a link to something that does not exist`;
    await assertFileError(openZarr(`${folder}/a.zarr`), problem);
  });
});

Deno.test("a copy of a group of version 2 has its attributes as they were, and its own metadata of all", async () => {
  await inFolder(async (folder) => {
    writeFiles(`${folder}/a.zarr`, files2);
    await copyGroup(`${folder}/a.zarr`, `${folder}/b.zarr`);
    assertEquals(Deno.readTextFileSync(`${folder}/b.zarr/.zattrs`), files2[".zattrs"]);
    const text = Deno.readTextFileSync(`${folder}/b.zarr/.zmetadata`);
    const { metadata, zarr_consolidated_format: version } = JSON.parse(text.replace("NaN", "null"));
    assertEquals(version, 1);
    assertEquals(Object.keys(metadata).sort(), [
      ...[".zattrs", ".zgroup", "deep/.zgroup", "deep/er/.zgroup", "deep/er/t2m/.zarray"],
      ...["time/.zarray", "time/.zattrs"],
    ]);
    assertEquals(metadata["time/.zarray"], { ...array2([3], [1]) });
    assertEquals(text.includes(`"missing": NaN`) && text.includes(`"scale": 1.0`), true);
    assertEquals(text.includes(`"big": 9007199254740993`), true);
    assertEquals(Deno.readFileSync(`${folder}/b.zarr/time/1`), bytesOf(2));
    assertEquals([...Deno.readDirSync(`${folder}/b.zarr/time`)].map(({ name }) => name).sort(), [
      ...[".zarray", ".zattrs", "0", "1"],
    ]);
  });
});

Deno.test("a copy of a group of version 3 is one that zarrita opens by its metadata of all", async () => {
  await inFolder(async (folder) => {
    writeFiles(`${folder}/a.zarr`, files3);
    await copyGroup(`${folder}/a.zarr`, `${folder}/b.zarr`);
    const store = await zarr.withConsolidatedMetadata(
      new FileSystemStore(`${folder}/b.zarr`) as zarr.AsyncReadable,
      { format: "v3" },
    );
    assertEquals(store.contents().map(({ path }) => path).sort(), [
      ...["/", "/deep", "/deep/t2m", "/time"],
    ]);
    const group = await zarr.open.v3(zarr.root(store), { kind: "group" });
    assertEquals(group.attrs, { title: "ERA5" });
    const array = await zarr.open.v3(group.resolve("deep/t2m"), { kind: "array" });
    assertEquals([array.chunks, array.attrs], [[1, 1], { unit: "m" }]);
    const region = await zarr.get(array as zarr.Array<"int16">);
    assertEquals(region.data, Int16Array.of(1, 2, 3, 4));
  });
});

Deno.test("where a group is not consolidated, its copy is not, and nothing stale stays", async () => {
  await inFolder(async (folder) => {
    const { consolidated_metadata: _, ...plain } = files3["zarr.json"];
    writeFiles(`${folder}/a.zarr`, { ...files3, "zarr.json": plain });
    await copyGroup(`${folder}/a.zarr`, `${folder}/b.zarr`);
    assertEquals(JSON.parse(Deno.readTextFileSync(`${folder}/b.zarr/zarr.json`)), plain);
    writeFiles(`${folder}/a.zarr`, { "zarr.json": files3["zarr.json"] });
    createZarrGroup(`${folder}/c.zarr`, await openGroup(`${folder}/a.zarr`));
    assertEquals((await openGroup(`${folder}/c.zarr`)).isConsolidated, false);
  });
});

Deno.test("arrays that are not supported do not hinder their group, those that are wrong do", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.zarr`;
    writeFiles(path, {
      ...files3,
      "names/zarr.json": array3([2], [2], "string"),
      "packed/zarr.json": { ...array3([2], [2]), codecs: [{ name: "zfpy" }] },
      "ragged/zarr.json": { ...array3([2], [2]), chunk_grid: { name: "rectilinear" } },
    });
    const words = { codecs: [{ name: "vlen-utf8" }], fill_value: "none" };
    writeFiles(path, { "words/zarr.json": { ...array3([2], [2], "string"), ...words } });
    const { others, arrays } = await openGroup(path);
    assertEquals(arrays.map(({ path }) => path), ["deep/t2m", "time", "words"]);
    const shown = arrays.slice(-1).map(({ path, member }) => [path, member.name, member.dataType]);
    assertEquals(shown, [["words", `${path}/words`, "string"]]);
    assertEquals(others.map(({ path, member }) => [path, member.message]), [
      [
        "names",
        `${path}/names: its codec bytes is not supported for items of variable size; use vlen-utf8`,
      ],
      ["packed", `${path}/packed: its codec zfpy is not supported`],
      [
        "ragged",
        `${path}/ragged: its chunk grid "rectilinear" is not supported, only "regular" is`,
      ],
    ]);
    writeFiles(path, { "wrong/zarr.json": { ...array3([2], [2]), shape: [-1] } });
    await assertFileError(openZarr(path), `${path}/wrong: its shape [-1] is not a list of lengths`);
  });
});

Deno.test("links are followed, but not around in a circle", async () => {
  await inFolder(async (folder) => {
    writeFiles(`${folder}/a.zarr`, files3);
    Deno.symlinkSync(`${folder}/a.zarr/deep`, `${folder}/a.zarr/linked`);
    const { arrays } = await openGroup(`${folder}/a.zarr`);
    assertEquals(arrays.map(({ path }) => path), ["deep/t2m", "linked/t2m", "time"]);
    Deno.symlinkSync(`${folder}/a.zarr`, `${folder}/a.zarr/deep/up`);
    await assertFileError(
      openZarr(`${folder}/a.zarr`),
      `${folder}/a.zarr/deep/up: is a link to a group that contains it`,
    );
  });
});
