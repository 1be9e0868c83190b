/** Metadata that is wrong or not supported: errors of one line that name the array. */

import { assertEquals } from "@std/assert";
import { dirname } from "../../../../../../base/paths.ts";
import { createFixed, openFixed } from "../../../../../support/zarr/stored_arrays.ts";
import { openZarr } from "../../../../../../streams/formats/zarr/store/open_zarr.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { document, documentOf2 } from "../../../../../support/zarr/zarr_documents.ts";
import { assertFileError } from "../../../../../support/zarr/zarr_errors.ts";

/** A list in so many others. */
const nested = (levels: number): unknown => levels === 0 ? [] : [nested(levels - 1)];
const manyCodecs = Array.from({ length: 2000 }, () => ({ name: "crc32c" }));
const tooLong = "it has 2000 codecs; at most 64 are supported";

const problems: [string, unknown][] = [
  [tooLong.replace("2000", "2001"), { ...document, codecs: [...document.codecs, ...manyCodecs] }],
  [tooLong, { ...documentOf2, filters: manyCodecs.map(() => ({ id: "crc32c" })) }],
  [
    "its metadata is nested more than 256 levels deep",
    { ...documentOf2, attributes: nested(300) },
  ],
  [
    "its items have 125000000000 bytes; at most 64 MiB are supported",
    { ...document, data_type: "r1000000000000", fill_value: [0] },
  ],
  [
    "its items have 99999999 bytes; at most 64 MiB are supported",
    { ...documentOf2, dtype: "|V99999999", fill_value: "AAAA" },
  ],
  ...[1, "x!y", [300], ["a"], {}, true, [1, 2, 3, 4]].map((fill): [string, unknown] => [
    `its fill value ${JSON.stringify(fill)} is not valid for its data type r24`,
    { ...document, data_type: "r24", fill_value: fill },
  ]),
  [
    `its fill value ${
      JSON.stringify(Array(500).fill(7)).slice(0, 80)
    }… is not valid for its data type r24`,
    { ...document, data_type: "r24", fill_value: Array(500).fill(7) },
  ],
  [
    `its dimension names ["y"] are not a list of 2 names, one for each axis`,
    { ...document, dimension_names: ["y"] },
  ],
  [
    `its dimension names ["y",3] are not a list of 2 names, one for each axis`,
    { ...document, dimension_names: ["y", 3] },
  ],
  [
    `its dimension names "yx" are not a list of 2 names, one for each axis`,
    { ...document, dimension_names: "yx" },
  ],
  ["its metadata has the Zarr format 1, not 2", { ...documentOf2, zarr_format: 1 }],
  [
    "its codec sharding_indexed has 134217728 chunks in a shard; at most 67108864 are supported",
    {
      ...document,
      shape: [2 ** 27],
      data_type: "uint8",
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2 ** 27] } },
      codecs: [{
        name: "sharding_indexed",
        configuration: { chunk_shape: [1], codecs: [{ name: "bytes" }], index_codecs: [] },
      }],
    },
  ],
  ["its shape [4,-1] is not a list of lengths", { ...document, shape: [4, -1] }],
  ["its shape (missing) is not a list of lengths", { ...document, shape: undefined }],
  ["its shape [4,1e+300] is not a list of lengths", { ...document, shape: [4, 1e300] }],
  [
    "its shape [4294967296,4294967296] has too many bytes",
    { ...document, shape: [2 ** 32, 2 ** 32] },
  ],
  [
    "its chunk shape [0,600] is not a list of lengths",
    { ...document, chunk_grid: { name: "regular", configuration: { chunk_shape: [0, 600] } } },
  ],
  [
    "its shape has 2 axes, but its chunks have 1",
    { ...document, chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } } },
  ],
  [
    "its chunks [65536,65536] have 8589934592 bytes; at most 4 GiB can be read",
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
    "its codec bytes is not supported for items of variable size; use vlen-utf8",
    { ...document, data_type: "string" },
  ],
  [
    "its codec vlen-utf8 is not supported for items of variable size; use vlen-bytes",
    { ...document, data_type: "bytes", fill_value: "", codecs: [{ name: "vlen-utf8" }] },
  ],
  [
    "it has no codec from array to bytes",
    {
      ...document,
      data_type: "string",
      codecs: [{ name: "transpose", configuration: { order: [1, 0] } }],
    },
  ],
  [
    String.raw`its fill value "\ud800" is not valid for its data type string`,
    { ...document, data_type: "string", fill_value: "\ud800", codecs: [{ name: "vlen-utf8" }] },
  ],
  [
    `its fill value [256] is not valid for its data type bytes`,
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
    "its fill value 70000 is not valid for its data type uint16",
    { ...document, fill_value: 70000 },
  ],
  [`its fill value "NaN" is not valid for its data type uint16`, {
    ...document,
    fill_value: "NaN",
  }],
  ["its codecs are not a list", { ...document, codecs: {} }],
  ["it has no codec from array to bytes", {
    ...document,
    codecs: [{ name: "transpose", configuration: { order: [1, 0] } }],
  }],
  ["its codec pcodec is not supported", { ...document, codecs: [{ name: "pcodec" }] }],
  [
    "its codec crc64 is not supported",
    { ...document, codecs: [...document.codecs, { name: "crc64" }] },
  ],
  [
    "its codec bytes has the endian (missing)",
    { ...document, codecs: [{ name: "bytes" }] },
  ],
  [
    "its codec transpose is not allowed in this position",
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
    "its codec sharding_indexed has chunks [1,7] that do not divide [2,600]",
    {
      ...document,
      codecs: [{
        name: "sharding_indexed",
        configuration: { chunk_shape: [1, 7], codecs: document.codecs, index_codecs: [] },
      }],
    },
  ],
  [
    "its codec sharding_indexed has an index of unknown size",
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
  ["its attributes are not an object", { ...document, attributes: [1] }],
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
    'its codec fixedscaleoffset has the type "<f8", but the array has float32',
    {
      ...documentOf2,
      dtype: "<f4",
      filters: [{ id: "fixedscaleoffset", dtype: "<f8", offset: 0, scale: 1 }],
    },
  ],
  [
    "its codec sharding_indexed is not supported where other codecs change the items to uint8",
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
    "its codec fixedscaleoffset has the offset (missing)",
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
    'its codec delta has the type "<f4", but the array has uint16',
    { ...documentOf2, filters: [{ id: "delta", dtype: "<f4" }] },
  ],
];

for (const [problem, metadata] of problems) {
  Deno.test(`metadata is refused: ${problem}`, async () => {
    const isOld = (metadata as { zarr_format: number }).zarr_format < 3;
    const file = isOld ? ".zarray" : "zarr.json";
    await inFolder({ [file]: JSON.stringify(metadata) }, async (folder) => {
      await assertFileError(openZarr(folder), `${folder}: ${problem}`);
    });
  });
}

Deno.test("an axis without items may have chunks of length 0, and stops no group", async () => {
  const grid = { name: "regular", configuration: { chunk_shape: [0, 2] } };
  const group = { zarr_format: 3, node_type: "group" };
  await inFolder({ "zarr.json": JSON.stringify(group) }, async (folder) => {
    for (
      const [name, metadata] of Object.entries({
        "old/.zarray": { ...documentOf2, shape: [0], chunks: [0] },
        "new/zarr.json": { ...document, shape: [0, 2], chunk_grid: grid },
        "full/zarr.json": document,
      })
    ) {
      Deno.mkdirSync(`${folder}/${name.split("/")[0]}`);
      Deno.writeTextFileSync(`${folder}/${name}`, JSON.stringify(metadata));
    }
    const node = await openZarr(folder);
    if (node.kind !== "group") throw new Error("is no group");
    const grids = node.arrays.map(({ path, member: { grid } }) => [path, grid.shape, grid.chunk]);
    assertEquals(grids, [
      ["full", [4, 600], [2, 600]],
      ["new", [0, 2], [1, 2]],
      ["old", [0], [1]],
    ]);
    const bad = { ...documentOf2, shape: [1], chunks: [0] };
    Deno.writeTextFileSync(`${folder}/old/.zarray`, JSON.stringify(bad));
    await assertFileError(
      openZarr(folder),
      `${folder}/old: its chunks [0] is not a list of lengths`,
    );
  });
});

Deno.test("chunks that are named otherwise than the metadata says are not missing ones", async () => {
  const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
  const of3 = (encoding: object) => ({ ...document, codecs, chunk_key_encoding: encoding });
  const kinds: Record<string, [metadata: object, first: string]> = {
    dots: [documentOf2, "0.0"],
    slashes: [{ ...documentOf2, dimension_separator: "/" }, "0/0"],
    "version 3": [of3({ name: "default" }), "c/0/0"],
    "version 3 with dots": [of3({ name: "default", configuration: { separator: "." } }), "c.0.0"],
  };
  for (const [kind, [metadata, first]] of Object.entries(kinds)) {
    for (const [other, [, found]] of Object.entries(kinds)) {
      await inFolder({}, async (folder) => {
        const file = "zarr_format" in metadata && metadata.zarr_format === 2
          ? ".zarray"
          : "zarr.json";
        Deno.writeTextFileSync(`${folder}/${file}`, JSON.stringify(metadata));
        Deno.mkdirSync(dirname(`${folder}/${found}`), { recursive: true });
        Deno.writeFileSync(`${folder}/${found}`, new Uint8Array(2400).fill(1));
        const opened = await openFixed(folder);
        const into = new Uint8Array(2400);
        if (kind === other) {
          assertEquals(await opened.readChunk([0, 0], into), true);
          return assertEquals(await opened.readChunk([1, 0], into), false);
        }
        const name = found.split("/")[0];
        const problem =
          `its metadata names chunks like ${first}, but its folder has chunks like ${name}`;
        await assertFileError(opened.readChunk([1, 0], into), `${folder}: ${problem}`);
      });
    }
  }
  await inFolder({ ".zarray": JSON.stringify(documentOf2) }, async (folder) => {
    const opened = await openFixed(folder);
    // An array of nothing but fill values has no file.
    assertEquals(await opened.readChunk([0, 0], new Uint8Array(2400)), false);
  });
});

Deno.test("what need not be understood is passed over and kept", async () => {
  const hint = { name: "hint", must_understand: false };
  await inFolder({ "zarr.json": JSON.stringify({ ...document, hint }) }, async (folder) => {
    const opened = await openFixed(folder);
    const copy = await createFixed(`${folder}/b`, opened.metadata, { chunk: [1, 1] });
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
    for (
      const [text, problem] of [
        ["", "it ends too early"],
        ["{", "line 1, column 2"],
        ['{"zarr_format": 3,\n "shape": [1 2]}', "line 2, column 14"],
        ["{x}", "line 1, column 2"],
        ["zarr", "unexpected 'z'"],
      ] as const
    ) {
      Deno.writeTextFileSync(`${folder}/zarr.json`, text);
      await assertFileError(openZarr(folder), `${folder}/zarr.json: is not JSON: ${problem}`);
    }
    Deno.writeTextFileSync(`${folder}/zarr.json`, `{"zarr_format": 4, "node_type": "array"}`);
    await assertFileError(openZarr(folder), `${folder}: has the Zarr format 4, not 2 or 3`);
    Deno.removeSync(`${folder}/zarr.json`);
    await assertFileError(
      openZarr(folder),
      `${folder}: is not a Zarr array or group: it has no zarr.json, .zarray or .zgroup`,
    );
  });
});
