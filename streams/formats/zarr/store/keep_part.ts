/**
 * Turns a written box of chunks of an array into an array of its own.
 *
 * @module
 */

import { allChunks, boxShape, type ChunkRange, placesIn, rangeBox } from "../grid/grid.ts";
import { dirname } from "../../../../base/paths.ts";
import type { ArrayWriter, Chunked } from "../items/array.ts";
import { readItems } from "../items/any_items.ts";
import { outputOf } from "./array_output.ts";
import type { ZarrMetadata } from "../metadata/array_spec.ts";
import { isObject } from "../metadata/data_type.ts";
import { parseExactJson, plainJson, printExactJson } from "../metadata/exact_json.ts";
import { openZarr } from "./open_zarr.ts";
import { specOf } from "../metadata/read_metadata.ts";
import { fileAt } from "../files/regular_file.ts";

/** The attribute with the position of a part in the array it was taken from: items along each axis. */
const originAttribute = "sluice_origin";

/** Creates an array in a folder, which may have metadata. */
type CreateArray = (
  folder: string,
  array: Chunked,
) => Promise<ArrayWriter>;

/**
 * Turns the array in a folder into one with the shape of a range. All chunks of the range must have been
 * written, and no others. Its attribute `sluice_origin` has the position of the range; for a part of a part, the
 * position in the first array.
 */
export async function keepPart(
  folder: string,
  { array, part, create }: {
    readonly array: Chunked;
    readonly part: ChunkRange;
    readonly create: CreateArray;
  },
): Promise<void> {
  const { grid: { chunk }, writeGrid: { chunk: fileChunk }, metadata } = array;
  const box = rangeBox(array.grid, part);
  const shape = boxShape(box);
  const own = {
    ...array,
    grid: { shape, chunk },
    writeGrid: { shape, chunk: fileChunk },
    metadata: metadataOfPart(metadata!, shape, box.start),
  };
  if (box.start.some((at, axis) => at % fileChunk[axis]! !== 0)) {
    return await copyPart(folder, part, (folder) => create(folder, own));
  }
  const files = {
    first: box.start.map((at, axis) => at / fileChunk[axis]!),
    end: box.stop.map((at, axis) => Math.ceil(at / fileChunk[axis]!)),
  };
  await moveFiles(folder, files, specOf(array.name, metadata!).chunkPath);
  await create(folder, own);
}

/** Returns the same metadata with another shape, and with an attribute for the origin. */
function metadataOfPart(
  metadata: ZarrMetadata,
  shape: readonly number[],
  start: readonly number[],
): ZarrMetadata {
  const before = parseExactJson(metadata.array) as Record<string, unknown>;
  const document: Record<string, unknown> = { ...before, shape };
  if (metadata.format === 2) {
    const attributes = attributesWith(start, parseExactJson(metadata.attributes ?? "{}"));
    return {
      ...metadata,
      array: printExactJson(document),
      attributes: printExactJson(attributes),
    };
  }
  const attributes = attributesWith(start, document["attributes"]);
  return { ...metadata, array: printExactJson({ ...document, attributes }) };
}

function attributesWith(start: readonly number[], value: unknown): Record<string, unknown> {
  const attributes = isObject(value) ? value : {};
  const before = plainJson(attributes[originAttribute]);
  const isOrigin = Array.isArray(before) && before.length === start.length &&
    before.every((at) => Number.isSafeInteger(at) && at >= 0);
  const origin = isOrigin ? start.map((at, axis) => before[axis] + at) : start;
  return { ...attributes, [originAttribute]: origin };
}

/** Renames the files of a range so that their indices begin at 0. */
async function moveFiles(
  folder: string,
  range: ChunkRange,
  chunkPath: (index: readonly number[]) => string,
): Promise<void> {
  if (range.first.every((place) => place === 0)) return;
  const left = new Set<string>();
  // In C order, so that the new name of each file is free.
  for (const index of placesIn(range)) {
    const to = `${folder}/${chunkPath(index.map((place, axis) => place - range.first[axis]!))}`;
    const from = `${folder}/${chunkPath(index)}`;
    // Chunks of only the fill value have no file.
    if (fileAt(from) === undefined) continue;
    await Deno.mkdir(dirname(to), { recursive: true });
    await Deno.rename(from, to);
    left.add(dirname(from));
  }
  for (let path of left) {
    while (path !== folder && await removeIfEmpty(path)) path = dirname(path);
  }
}

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    // Fails for a folder that is not empty.
    await Deno.remove(folder);
    return true;
  } catch {
    return false;
  }
}

/** Copies a range of chunks that begins within a shard to new shards, which replace the old ones. */
async function copyPart(
  folder: string,
  range: ChunkRange,
  create: (folder: string) => Promise<ArrayWriter>,
): Promise<void> {
  const node = await openZarr(folder);
  if (node.kind === "group") throw new TypeError("is a group");
  const target = `${folder}/.part`;
  await Deno.mkdir(target);
  const writer = await create(target);
  const output = outputOf({ writer, name: writer.name, folder: target });
  for (const index of allChunks(writer.grid)) {
    const from = index.map((place, axis) => place + range.first[axis]!);
    await output.add({ index, items: await readItems(node.array, from) });
  }
  await output.end();
  for await (const { name } of Deno.readDir(folder)) {
    if (name !== ".part") await Deno.remove(`${folder}/${name}`, { recursive: true });
  }
  for await (const { name } of Deno.readDir(target)) {
    await Deno.rename(`${target}/${name}`, `${folder}/${name}`);
  }
  await Deno.remove(target);
}
