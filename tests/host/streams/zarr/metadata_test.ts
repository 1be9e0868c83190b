/** Metadata that is wrong or not supported: errors of one line that name the array. */

import { assertEquals } from "@std/assert";
import { createZarrArray } from "../../../../streams/zarr/create_zarr_array.ts";
import { openZarr } from "../../../../streams/zarr/open_zarr.ts";
import { inFolder } from "../../../support/folder.ts";
import { document, documentOf2 } from "../../../support/zarr_documents.ts";
import { assertFileError } from "../../../support/zarr_errors.ts";

const problems: [string, unknown][] = [
  ["its shape [4,-1] is no list of lengths", { ...document, shape: [4, -1] }],
  ["its shape undefined is no list of lengths", { ...document, shape: undefined }],
  ["its shape [4,1e+300] is no list of lengths", { ...document, shape: [4, 1e300] }],
  [
    "its shape [4294967296,4294967296] has more bytes than can be counted",
    { ...document, shape: [2 ** 32, 2 ** 32] },
  ],
  [
    "its chunk shape [0,600] is no list of lengths",
    { ...document, chunk_grid: { name: "regular", configuration: { chunk_shape: [0, 600] } } },
  ],
  [
    "its shape has 2 axes, its chunks have 1",
    { ...document, chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } } },
  ],
  [
    "its chunks [65536,65536] have 8589934592 bytes, 4 GiB at most can be read",
    {
      ...document,
      chunk_grid: { name: "regular", configuration: { chunk_shape: [65536, 65536] } },
    },
  ],
  [
    `its chunk grid "rectilinear" is not supported, only "regular" is`,
    { ...document, chunk_grid: { name: "rectilinear" } },
  ],
  ["its data type float128 is not supported", { ...document, data_type: "float128" }],
  ["its data type r12 is not supported", { ...document, data_type: "r12" }],
  [
    "its codec bytes is not supported for items of any length, vlen-utf8 is",
    { ...document, data_type: "string" },
  ],
  [
    "its codec vlen-utf8 is not supported for items of any length, vlen-bytes is",
    { ...document, data_type: "bytes", fill_value: "", codecs: [{ name: "vlen-utf8" }] },
  ],
  [
    "none of its codecs makes bytes of items",
    {
      ...document,
      data_type: "string",
      codecs: [{ name: "transpose", configuration: { order: [1, 0] } }],
    },
  ],
  [
    String.raw`its fill value "\ud800" is none of its data type string`,
    { ...document, data_type: "string", fill_value: "\ud800", codecs: [{ name: "vlen-utf8" }] },
  ],
  [
    `its fill value [256] is none of its data type bytes`,
    { ...document, data_type: "bytes", fill_value: [256], codecs: [{ name: "vlen-bytes" }] },
  ],
  [
    `its data type {"name":"struct","configuration":{"fields":[["a","string"]]}} is not supported`,
    {
      ...document,
      data_type: { name: "struct", configuration: { fields: [["a", "string"]] } },
    },
  ],
  [
    `its data type "|O" is not supported with the filters ["pickle"]`,
    { ...documentOf2, dtype: "|O", filters: [{ id: "pickle" }] },
  ],
  [
    "its fill value 70000 is none of its data type uint16",
    { ...document, fill_value: 70000 },
  ],
  [`its fill value "NaN" is none of its data type uint16`, { ...document, fill_value: "NaN" }],
  ["its codecs are no list", { ...document, codecs: {} }],
  ["none of its codecs makes bytes of items", {
    ...document,
    codecs: [{ name: "transpose", configuration: { order: [1, 0] } }],
  }],
  ["its codec pcodec is not supported", { ...document, codecs: [{ name: "pcodec" }] }],
  [
    "its codec crc64 is not supported",
    { ...document, codecs: [...document.codecs, { name: "crc64" }] },
  ],
  [
    "its codec bytes has the endian undefined",
    { ...document, codecs: [{ name: "bytes" }] },
  ],
  [
    "its codec transpose is at a place where it cannot be",
    {
      ...document,
      codecs: [...document.codecs, { name: "transpose", configuration: { order: [1, 0] } }],
    },
  ],
  [
    "its codec transpose has the order [0,0]",
    {
      ...document,
      codecs: [{ name: "transpose", configuration: { order: [0, 0] } }, ...document.codecs],
    },
  ],
  [
    "its codec gzip has the level 12",
    { ...document, codecs: [...document.codecs, { name: "gzip", configuration: { level: 12 } }] },
  ],
  [
    "its codec sharding_indexed has chunks [1,7], which do not divide [2,600]",
    {
      ...document,
      codecs: [{
        name: "sharding_indexed",
        configuration: { chunk_shape: [1, 7], codecs: document.codecs, index_codecs: [] },
      }],
    },
  ],
  [
    "its codec sharding_indexed has an index whose size is not known",
    {
      ...document,
      codecs: [{
        name: "sharding_indexed",
        configuration: {
          chunk_shape: [1, 600],
          codecs: document.codecs,
          index_codecs: [...document.codecs, { name: "gzip", configuration: { level: 1 } }],
        },
      }],
    },
  ],
  [
    `its metadata has "encryption", which is not supported`,
    { ...document, encryption: { name: "aes" } },
  ],
  [
    "it has storage transformers, which are not supported",
    { ...document, storage_transformers: [{ name: "indexed" }] },
  ],
  [
    `its chunk key encoding "fancy" is not supported`,
    { ...document, chunk_key_encoding: { name: "fancy" } },
  ],
  ["its attributes are no object", { ...document, attributes: [1] }],
  [`its data type "|O" is not supported`, { ...documentOf2, dtype: "|O" }],
  [`its data type "<f7" is not supported`, { ...documentOf2, dtype: "<f7" }],
  [`its order "A" is neither C nor F`, { ...documentOf2, order: "A" }],
  [
    "its codec fletcher32 is not supported",
    { ...documentOf2, filters: [{ id: "fletcher32" }] },
  ],
  [`its compressor {} has no id`, { ...documentOf2, compressor: {} }],
  [
    "its codec bz2 is not supported",
    { ...documentOf2, compressor: { id: "bz2", level: 1 } },
  ],
  [
    "its codec fixedscaleoffset is not supported for uint16",
    { ...documentOf2, filters: [{ id: "fixedscaleoffset", dtype: "<u2", offset: 0, scale: 1 }] },
  ],
  [
    'its codec fixedscaleoffset has the type "<f8", the array float32',
    {
      ...documentOf2,
      dtype: "<f4",
      filters: [{ id: "fixedscaleoffset", dtype: "<f8", offset: 0, scale: 1 }],
    },
  ],
  [
    "its codec sharding_indexed is not supported for items that are uint8 only in there",
    {
      ...document,
      data_type: "float32",
      codecs: [
        {
          name: "numcodecs.fixedscaleoffset",
          configuration: { offset: 0, scale: 10, dtype: "<f4", astype: "|u1" },
        },
        {
          name: "sharding_indexed",
          configuration: {
            chunk_shape: [1, 600],
            codecs: document.codecs,
            index_codecs: document.codecs,
          },
        },
      ],
    },
  ],
  [
    "its codec fixedscaleoffset has the scale 0",
    {
      ...documentOf2,
      dtype: "<f4",
      filters: [{ id: "fixedscaleoffset", dtype: "<f4", offset: 0, scale: 0 }],
    },
  ],
  [
    "its codec fixedscaleoffset has the offset undefined",
    { ...documentOf2, dtype: "<f4", filters: [{ id: "fixedscaleoffset", dtype: "<f4", scale: 1 }] },
  ],
  [
    "its codec fixedscaleoffset is not supported with the type int64",
    {
      ...documentOf2,
      dtype: "<f4",
      filters: [{ id: "fixedscaleoffset", dtype: "<f4", astype: "<i8", offset: 0, scale: 1 }],
    },
  ],
  [
    'its codec delta has the type "<f4", the array uint16',
    { ...documentOf2, filters: [{ id: "delta", dtype: "<f4" }] },
  ],
];

for (const [problem, metadata] of problems) {
  Deno.test(`metadata is refused: ${problem}`, async () => {
    const isOld = (metadata as { zarr_format: number }).zarr_format === 2;
    const file = isOld ? ".zarray" : "zarr.json";
    await inFolder({ [file]: JSON.stringify(metadata) }, async (folder) => {
      await assertFileError(openZarr(folder), `${folder}: ${problem}`);
    });
  });
}

Deno.test("what need not be understood is passed over and kept", async () => {
  const hint = { name: "hint", must_understand: false };
  await inFolder({ "zarr.json": JSON.stringify({ ...document, hint }) }, async (folder) => {
    const node = await openZarr(folder);
    if (node.kind !== "array") throw new Error("is a group");
    const copy = await createZarrArray(`${folder}/b`, node.array.metadata, { chunk: [1, 1] });
    assertEquals(JSON.parse(copy.metadata.array).hint, hint);
  });
});

Deno.test("what is no array is said", async () => {
  await inFolder({ "a.csv": "x\n", "zarr.json": "{" }, async (folder) => {
    await assertFileError(openZarr(`${folder}/none`), `${folder}/none: no such file`);
    await assertFileError(
      openZarr(`${folder}/a.csv`),
      `${folder}/a.csv: is a file, not a folder with a Zarr array or group`,
    );
    const error = await openZarr(folder).then(() => undefined, (error) => error as Error);
    assertEquals(error?.message.startsWith(`${folder}/zarr.json: is not JSON: `), true);
    Deno.writeTextFileSync(`${folder}/zarr.json`, `{"zarr_format": 4, "node_type": "array"}`);
    await assertFileError(openZarr(folder), `${folder}: has the Zarr format 4, not 2 or 3`);
    Deno.removeSync(`${folder}/zarr.json`);
    await assertFileError(
      openZarr(folder),
      `${folder}: is no Zarr array or group, it has neither zarr.json nor .zarray nor .zgroup`,
    );
  });
});
