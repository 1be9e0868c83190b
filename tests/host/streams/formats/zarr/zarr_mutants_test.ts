/** Facts of arrays of Zarr that are changed: the same items, or a refusal by name. */

import { consolidateZarr } from "../../../../../streams/formats/zarr/store/create_zarr_group.ts";
import { createFixed, createVariable } from "../../../../support/zarr/stored_arrays.ts";
import { openZarr } from "../../../../../streams/formats/zarr/store/open_zarr.ts";
import { crc32cCodec } from "../../../../../streams/formats/zarr/codecs/crc32c.ts";
import { dirname } from "../../../../../base/paths.ts";
import { numChunks } from "../../../../../streams/formats/zarr/grid/grid.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { randomTextZarr } from "../../../../support/random/random_text_zarr.ts";
import { randomZarr } from "../../../../support/random/random_zarr.ts";
import {
  assertSameOrRefused,
  changedNumber,
  type Mutant,
  NUMBER_CHANGES,
  problemOf,
} from "../../../../support/files/same_or_refused.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { readItems, writeItems } from "../../../../support/zarr/zarr_items.ts";
import { readTexts, writeTexts } from "../../../../support/zarr/zarr_texts.ts";
import { isFixed } from "../../../../../streams/formats/zarr/items/array.ts";

/** The files of a group with one array, `a`, by their paths. */
type Files = Map<string, Uint8Array<ArrayBuffer>>;
type Json = Record<string, unknown>;

/** A store, and the items of its array as hexadecimal digits. */
interface Store {
  readonly files: Files;
  readonly items: readonly string[];
  readonly format: 2 | 3;
  /** Chunks, or shards, and how many of them have a file. */
  readonly numFiles: number;
  readonly isWhole: boolean;
}

const hex = (items: Iterable<Uint8Array>) => Array.from(items, (item) => item.toHex());

/** Draws an array whose metadata fits, and writes it. */
async function draw(random: SeededRandom, fits: Fact["fits"]): Promise<Store> {
  const none = new Draws([]);
  let drawn;
  do drawn = random.chance(0.4) ? randomTextZarr(random, none) : randomZarr(random, none); while (
    drawn.shape.includes(0) || !fits(drawn.metadata.array, drawn.metadata.format)
  );
  const { metadata, chunk, shard } = drawn;
  const { format } = metadata;
  let store: Store | undefined;
  await inFolder(async (folder) => {
    const path = `${folder}/a`;
    const group = format === 2 ? ".zgroup" : "zarr.json";
    const node = format === 2 ? {} : { node_type: "group" };
    Deno.writeTextFileSync(`${folder}/${group}`, JSON.stringify({ zarr_format: format, ...node }));
    let items;
    let writeGrid;
    if ("itemBytes" in drawn) {
      const writer = await createFixed(path, metadata, { chunk, shard });
      await writeItems(writer, drawn.items);
      [items, writeGrid] = [[drawn.items], writer.writeGrid];
    } else {
      const writer = await createVariable(path, metadata, { chunk, shard });
      await writeTexts(writer, drawn.items);
      [items, writeGrid] = [drawn.items, writer.writeGrid];
    }
    consolidateZarr(folder);
    const files = filesOf(folder);
    const numFiles = [...files.keys()].filter(isChunk).length;
    store = {
      ...{ files, format, numFiles, isWhole: numFiles === numChunks(writeGrid) },
      items: hex(items),
    };
  });
  return store!;
}

const isChunk = (path: string) => path.startsWith("a/") && !/(json|\.z\w+)$/.test(path);

function filesOf(folder: string, path = ""): Files {
  const files: Files = new Map();
  for (const { name, isDirectory } of Deno.readDirSync(`${folder}/${path}`)) {
    const below = path === "" ? name : `${path}/${name}`;
    if (isDirectory) { for (const [key, bytes] of filesOf(folder, below)) files.set(key, bytes); }
    else files.set(below, Deno.readFileSync(`${folder}/${below}`));
  }
  return files;
}

async function itemsOf(files: Files): Promise<readonly string[]> {
  let items: readonly string[] = [];
  await inFolder(async (folder) => {
    for (const [path, bytes] of files) {
      Deno.mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
      Deno.writeFileSync(`${folder}/${path}`, bytes);
    }
    const node = await openZarr(folder);
    if (node.kind !== "group") throw new Error("is no group");
    const [other] = node.others;
    if (other !== undefined) throw other.member;
    const array = node.arrays[0]!.member;
    items = hex(isFixed(array) ? [await readItems(array)] : await readTexts(array));
  });
  return items;
}

/** What an array says of itself. */
interface Fact {
  /** Whether an array with this metadata has it, and another statement or the data with which it must agree. */
  fits(array: string, format: 2 | 3): boolean;
  /** Changes it, and says how; undefined where the store has no file that says it. */
  change(random: SeededRandom, store: Store): string | undefined;
}

/** Changes a document of a store. */
function change(store: Store, path: string, change: (document: Json) => string | undefined) {
  const document = JSON.parse(new TextDecoder().decode(store.files.get(path)!));
  const what = change(document);
  store.files.set(path, new TextEncoder().encode(JSON.stringify(document)));
  return what && `${path}: ${what}`;
}

const arrayFile = ({ format }: Store) => format === 2 ? "a/.zarray" : "a/zarr.json";

/** Changes one number of a list in place. */
function changeOne(random: SeededRandom, list: number[], what: string): string | undefined {
  if (list.length === 0) return undefined;
  const at = random.below(list.length);
  const { change, value } = changedNumber(random, list[at]!);
  const before = list[at];
  list[at] = value;
  return `${change}, ${what} ${at}, ${before} -> ${value}`;
}

function gridOf(document: Json): number[] {
  const { configuration } = document["chunk_grid"] as { configuration: Json };
  return configuration["chunk_shape"] as number[];
}

/** The configuration of the shards of an array, if it has some. */
function shardsOf(document: Json): Json | undefined {
  const [codec] = document["codecs"] as { name: string; configuration: Json }[];
  return codec?.name === "sharding_indexed" ? codec.configuration : undefined;
}

const compressors = ["gzip", "zlib", "zstd", "blosc", "lz4"];
const isSharded = (array: string) => array.includes("sharding_indexed");
const hasCompressor = (array: string) => compressors.some((name) => array.includes(`"${name}"`));

/** Shards as the only codec, so that their index lies open in the file. */
function openShards(array: string): Json | undefined {
  if (!isSharded(array)) return undefined;
  const document = JSON.parse(array);
  return document.codecs.length === 1 ? shardsOf(document) : undefined;
}

/** Whether what the lengths of chunks say is checked by a checksum, where it is not by bytes. */
function hasChecksum(array: string): boolean {
  const shards = openShards(array);
  return !isSharded(array) || (shards?.["index_codecs"] as unknown[] | undefined)?.length === 2;
}

const always = () => true;
const isNew = (_array: string, format: 2 | 3) => format === 3;

const facts: Record<string, Fact> = {
  "chunk length": {
    fits: hasChecksum,
    // Of a chunk that is missing nobody knows how long it was.
    change: (random, store) =>
      store.isWhole
        ? change(
          store,
          arrayFile(store),
          (document) =>
            changeOne(random, (document["chunks"] ?? gridOf(document)) as number[], "chunk length"),
        )
        : undefined,
  },
  "length in a shard": {
    fits: (array) => openShards(array) !== undefined && hasChecksum(array),
    change: (random, store) =>
      store.isWhole
        ? change(
          store,
          arrayFile(store),
          (document) =>
            changeOne(random, shardsOf(document)!["chunk_shape"] as number[], "length in a shard"),
        )
        : undefined,
  },
  "place of the index": {
    fits: (array) => openShards(array) !== undefined && hasChecksum(array),
    change: (_random, store) =>
      change(store, arrayFile(store), (document) => {
        const shards = shardsOf(document)!;
        shards["index_location"] = shards["index_location"] === "start" ? "end" : "start";
        return `the index is at the ${shards["index_location"]}`;
      }),
  },
  "entry of the index": {
    fits: (array) => openShards(array) !== undefined,
    change(random, store) {
      const document = JSON.parse(new TextDecoder().decode(store.files.get(arrayFile(store))!));
      const shards = shardsOf(document)!;
      const inner = shards["chunk_shape"] as number[];
      const count = gridOf(document).reduce((all, length, axis) => all * length / inner[axis]!, 1);
      const [path] = [...store.files.keys()].filter(isChunk);
      if (path === undefined) return undefined;
      const bytes = store.files.get(path)!.slice();
      const sumBytes = (shards["index_codecs"] as unknown[]).length === 1 ? 0 : 4;
      const start = shards["index_location"] === "start" ? 0 : bytes.length - 16 * count - sumBytes;
      const entry = start + 8 * random.below(2 * count);
      const view = new DataView(bytes.buffer);
      const before = view.getBigUint64(entry, true);
      const known = Number(BigInt.asIntN(53, before));
      const { change, value } = changedNumber(random, known, 2 ** 52);
      view.setBigUint64(entry, BigInt(value), true);
      if (sumBytes > 0) {
        // A checksum would find each change: one that fits is written.
        const index = bytes.subarray(start, start + 16 * count);
        bytes.set(crc32cCodec.encode(index, new Uint8Array(index.length + 4)) as Uint8Array, start);
      }
      store.files.set(path, bytes);
      return `${change}, ${path}: entry at ${entry}, ${before} -> ${value}`;
    },
  },
  "names of chunks": {
    fits: always,
    change: (random, store) =>
      change(store, arrayFile(store), (document) => {
        if (store.format === 2) {
          const before = document["dimension_separator"];
          document["dimension_separator"] = before === "/" ? "." : "/";
          return `separator ${before} -> ${document["dimension_separator"]}`;
        }
        const before = JSON.stringify(document["chunk_key_encoding"]);
        document["chunk_key_encoding"] = {
          name: random.pick(["default", "v2"]),
          configuration: { separator: random.pick(["/", "."]) },
        };
        return `${before} -> ${JSON.stringify(document["chunk_key_encoding"])}`;
      }),
  },
  "names of axes": {
    fits: isNew,
    change: (random, store) =>
      change(store, arrayFile(store), (document) => {
        const names = (document["dimension_names"] ?? []) as string[];
        document["dimension_names"] = random.pick([[...names, "more"], names.slice(1), 3, {}]);
        return `names ${JSON.stringify(document["dimension_names"])}`;
      }),
  },
  "format version": {
    fits: always,
    change(random, store) {
      const group = store.format === 2 ? ".zgroup" : "zarr.json";
      return change(store, random.chance(0.5) ? arrayFile(store) : group, (document) => {
        const { change, value } = changedNumber(random, store.format);
        document["zarr_format"] = value;
        return `${change}, zarr_format ${store.format} -> ${value}`;
      });
    },
  },
  compressor: {
    fits: (array) => hasCompressor(array) && !isSharded(array),
    change: (random, store) =>
      store.numFiles > 0
        ? change(store, arrayFile(store), (document) => {
          const [key, list] = store.format === 2
            ? ["id", [document["compressor"]]]
            : ["name", document["codecs"]];
          const codec = (list as Json[]).find((codec) =>
            compressors.includes(codec?.[key] as string)
          );
          if (codec === undefined) return undefined;
          const before = codec[key] as string;
          const other = random.pick(["gzip", "zstd", "blosc"].filter((name) => name !== before));
          codec[key] = other;
          const blosc = { cname: "lz4", clevel: 5, shuffle: "noshuffle", blocksize: 0 };
          const configuration = other === "blosc" ? blosc : {};
          if (store.format === 2) Object.assign(codec, { level: 1 }, configuration);
          else codec["configuration"] = configuration;
          return `${before} -> ${other}`;
        })
        : undefined,
  },
  "consolidated metadata": {
    fits: always,
    change: (random, store) =>
      change(store, store.format === 2 ? ".zmetadata" : "zarr.json", (document) => {
        const consolidated = (document["consolidated_metadata"] ?? document) as Json;
        if (random.chance(0.2)) {
          consolidated["metadata"] = random.pick<unknown>([{}, [], 3, null]);
          return "no metadata in there";
        }
        const all = consolidated["metadata"] as Record<string, Json>;
        const array = all[store.format === 2 ? "a/.zarray" : "a"]!;
        const lists = [array["shape"], array["chunks"] ?? gridOf(array)];
        return changeOne(random, random.pick(lists) as number[], "length in consolidated metadata");
      }),
  },
  "size of a file": {
    fits: hasChecksum,
    change(random, store) {
      const [path] = [...store.files.keys()].filter(isChunk);
      if (path === undefined) return undefined;
      const bytes = store.files.get(path)!;
      const changed = random.chance(0.5) || bytes.length === 0
        ? new Uint8Array([...bytes, random.below(256)])
        : bytes.slice(0, random.chance(0.5) ? -1 : random.below(bytes.length));
      store.files.set(path, changed);
      return `${path} has ${changed.length} bytes instead of ${bytes.length}`;
    },
  },
  "header of blosc": {
    fits: (array) =>
      array.includes('"blosc"') &&
      !/sharding|:"(numcodecs.)?(shuffle|crc32c|delta)"/.test(
        array.replace(/"shuffle":"shuffle"/, ""),
      ),
    // How many bytes come out, those of a block, and those of all.
    change: (random, store) => changeUint32(random, store, () => [4, 8, 12]),
  },
  "length of an item": {
    fits: (array) =>
      array.includes('"vlen-') && !hasCompressor(array) &&
      !/sharding|shuffle|crc32c/.test(array),
    // The number of items, then each with its length before it.
    change: (random, store) =>
      changeUint32(random, store, (view) => [0, ...lengthPlaces(view).places], holdsItems),
  },
};

/** The places of the lengths of items, and where the last item ends. */
function lengthPlaces(view: DataView): { places: number[]; end: number } {
  const places = [];
  let end = 4;
  while (end + 4 <= view.byteLength) {
    places.push(end);
    end += 4 + view.getUint32(end, true);
  }
  return { places, end };
}

/** Whether a chunk is one that a writer could have made: as many items as it says, and nothing else. */
function holdsItems(view: DataView): boolean {
  const { places, end } = lengthPlaces(view);
  return places.length === view.getUint32(0, true) && end === view.byteLength;
}

/**
 * Changes one of the numbers of 32 bits in the file of a chunk; undefined if the result is another
 * valid chunk, of which nothing tells that it was changed.
 */
function changeUint32(
  random: SeededRandom,
  store: Store,
  placesIn: (view: DataView) => readonly number[],
  isValid: (view: DataView) => boolean = () => false,
): string | undefined {
  const [path] = [...store.files.keys()].filter(isChunk);
  if (path === undefined) return undefined;
  const bytes = store.files.get(path)!.slice();
  const view = new DataView(bytes.buffer);
  const at = random.pick(placesIn(view));
  const before = view.getUint32(at, true);
  const { change, value } = changedNumber(random, before, 2 ** 32 - 1);
  view.setUint32(at, value, true);
  if (isValid(view)) return undefined;
  store.files.set(path, bytes);
  return `${change}, number at ${at} of ${path}, ${before} -> ${value}`;
}

Deno.test("a changed fact of a store gives the same items, or one clear line", async () => {
  await assertSameOrRefused<Files, readonly string[]>({
    draws: 200,
    kinds: [...Object.keys(facts), ...NUMBER_CHANGES],
    async mutate(random): Promise<Mutant<Files, readonly string[]>> {
      const kind = random.pick(Object.keys(facts));
      const { fits, change } = facts[kind]!;
      for (;;) {
        const store = await draw(random, fits);
        const what = change(random, store);
        if (what === undefined) continue;
        const number = NUMBER_CHANGES.filter((change) => what.includes(`${change}, `));
        return { input: store.files, right: store.items, kinds: [kind, ...number], what };
      }
    },
    read: itemsOf,
    refusal: /^\/.*: /,
  });
});

/** Values that no part of a document expects, or not everywhere. */
const strange: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 3, 1e300, 2 ** 31, 2 ** 53, -0, 64, 10 ** 9],
  ...["", "x", "\ud800", "9".repeat(400), "NaN", "<f4", "|S0", "|V0", "r8", "1e5", "é".repeat(99)],
  ...[[], {}, [[]], [null], [1, 2, 3], [-1], ["x"], [1e300], { name: "x" }, { id: 3 }],
  ...[{ name: "bytes", configuration: [] }, Array(70).fill({ name: "gzip" }), Array(70).fill(1)],
];

/** Puts a value at a place of a document, and says where. */
function replaceAny(random: SeededRandom, document: Json): string {
  const places: [holder: Json, key: string, path: string][] = [];
  const walk = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null) return;
    for (const key of Object.keys(value)) {
      places.push([value as Json, key, `${path}/${key}`]);
      walk((value as Json)[key], `${path}/${key}`);
    }
  };
  walk(document, "");
  const [holder, key, path] = random.pick(places);
  const value = random.pick(strange);
  if (random.chance(0.1)) delete holder[key];
  else holder[key] = value;
  return `${path} is ${key in holder ? JSON.stringify(value) : "deleted"}`;
}

Deno.test("whatever stands in metadata is understood or refused in words of our own", async () => {
  const none = new Draws([]);
  const outcomes = { opened: 0, refused: 0 };
  await forSeeds(600, async (random) => {
    const drawn = random.chance(0.3) ? randomTextZarr(random, none) : randomZarr(random, none);
    const { format, array } = drawn.metadata;
    const document = JSON.parse(array);
    const what = replaceAny(random, document);
    const file = format === 2 ? ".zarray" : "zarr.json";
    await inFolder({ [file]: JSON.stringify(document) }, async (folder) => {
      try {
        await openZarr(folder);
        outcomes.opened++;
      } catch (error) {
        outcomes.refused++;
        const problem = problemOf(error, /^\/.*: /);
        if (problem === undefined) return;
        throw new Error(`${what}: the refusal ${problem}: ${error}`, { cause: error });
      }
    });
  });
  if (Deno.env.has("SLUICE_SEED")) return;
  if (outcomes.opened === 0 || outcomes.refused === 0) throw new Error("one never happened");
});
