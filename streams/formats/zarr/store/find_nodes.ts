/**
 * Finds the arrays and groups of a hierarchy by the metadata in its folders. Consolidated metadata in a
 * group is ignored, since it may be outdated.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import { FileError } from "../../../../base/errors/file_error.ts";
import { toFileError } from "../../../../base/errors/wrap_error.ts";
import type { ZarrMetadata } from "../metadata/array_spec.ts";
import { isObject } from "../metadata/data_type.ts";
import { parseExactJson, plainJson } from "../metadata/exact_json.ts";
import { fileAt } from "../files/regular_file.ts";
import { shortJson } from "../metadata/short_json.ts";

/** The metadata of a group as its files contain it. */
export interface ZarrGroupMetadata {
  readonly format: 2 | 3;
  /** The text of `zarr.json` or `.zgroup`. */
  readonly group: string;
  /** The text of `.zattrs`, if version 2 has one. */
  readonly attributes?: string;
}

/** The metadata of a folder. */
export type FoundNode =
  | ({ readonly kind: "array" } & ZarrMetadata)
  | ({ readonly kind: "group" } & ZarrGroupMetadata);

/** An array or a group, and its path. */
export interface PlacedNode {
  /** The path from the start of the search, with "/" between names; "" for the start itself. */
  readonly path: string;
  readonly node: FoundNode;
}

/**
 * Returns all arrays and groups in a folder, the folder first, in the order of names. A subfolder without
 * metadata may contain arrays, as version 3 once allowed. It is searched, unless its name begins with a
 * dot or it is a link, which may lead to a whole disk. Throws a FileError.
 */
export function findNodes(root: string): PlacedNode[] {
  const nodes: PlacedNode[] = [];
  const walk = (path: string, around: readonly string[]) => {
    const folder = path === "" ? root : `${root}/${path}`;
    const node = nodeIn(folder);
    if (node !== undefined) nodes.push({ path, node });
    if (node?.kind === "array") return;
    if (node === undefined && (path === "" || isPassedOver(folder))) return;
    const real = Deno.realPathSync(folder);
    if (around.includes(real)) throw new FileError(folder, "is a link to a group that contains it");
    const below = [...around, real];
    for (const name of foldersIn(folder)) walk(path === "" ? name : `${path}/${name}`, below);
  };
  walk("", []);
  return nodes;
}

/** Whether to skip a folder without metadata: its name begins with a dot, or it is a link. */
function isPassedOver(folder: string): boolean {
  return folder.slice(folder.lastIndexOf("/") + 1).startsWith(".") ||
    Deno.lstatSync(folder).isSymlink;
}

/**
 * Returns the names of the subfolders, sorted. Throws a FileError for a broken link, which may stand for
 * an array that was not fetched.
 */
function foldersIn(folder: string): string[] {
  const names: string[] = [];
  for (const { name, isDirectory, isSymlink } of entriesIn(folder)) {
    if (isDirectory || isSymlink && isLinkToFolder(`${folder}/${name}`)) names.push(name);
  }
  return names.sort();
}

function entriesIn(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch (cause) {
    throw toFileError(folder, cause);
  }
}

function isLinkToFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw toFileError(path, cause);
    throw new FileError(path, "is a link to something that does not exist", { cause });
  }
}

/** Reads the metadata in a folder; that of version 3 where it has both. */
function nodeIn(folder: string): FoundNode | undefined {
  const document = metadataText(`${folder}/zarr.json`);
  if (document !== undefined) return nodeOfVersion3(folder, document);
  const array = metadataText(`${folder}/.zarray`);
  const group = array === undefined ? metadataText(`${folder}/.zgroup`) : undefined;
  if (array === undefined && group === undefined) return undefined;
  const text = metadataText(`${folder}/.zattrs`);
  const attributes = text === undefined ? {} : { attributes: text };
  if (array !== undefined) return { kind: "array", format: 2, array, ...attributes };
  const { zarr_format: format } = jsonObject(`${folder}/.zgroup`, group!);
  if (format === 2) return { kind: "group", format, group: group!, ...attributes };
  throw new FileError(`${folder}/.zgroup`, `has the Zarr format ${shortJson(format)}, not 2`);
}

function nodeOfVersion3(folder: string, text: string): FoundNode {
  const { zarr_format: format, node_type: kind } = jsonObject(`${folder}/zarr.json`, text);
  if (format !== 3) {
    throw new FileError(folder, `has the Zarr format ${shortJson(format)}, not 2 or 3`);
  }
  if (kind === "array") return { kind, format, array: text };
  if (kind === "group") return { kind, format, group: text };
  throw new FileError(folder, `is neither an array nor a group, but ${shortJson(kind)}`);
}

/** Parses a document as an object of plain values. Throws a FileError. */
export function jsonObject(path: string, text: string): Record<string, unknown> {
  let document;
  try {
    document = plainJson(parseExactJson(text));
  } catch (cause) {
    const { message } = cause as Error;
    const isDeep = isSluiceError(cause, "DeepJsonError");
    throw new FileError(path, isDeep ? message : `is not JSON: ${message}`, { cause });
  }
  if (!isObject(document)) throw new FileError(path, "is not a JSON object");
  return document;
}

/** The greatest size of metadata, so that no huge file is read into memory. */
const mostTextBytes = 256 << 20;

/** Returns the text of a file; undefined without one. Throws a FileError. */
export function metadataText(path: string): string | undefined {
  try {
    const file = fileAt(path);
    if (file === undefined) return undefined;
    if (file.size > mostTextBytes) throw new Error("is too large for metadata");
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotADirectory) return undefined;
    throw toFileError(path, error);
  }
}
