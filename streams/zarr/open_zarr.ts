/**
 * Opens arrays and groups of Zarr in a folder, of version 2 and 3.
 *
 * @module
 */

import { FileError, toFileError } from "../errors.ts";
import type { ZarrMetadata } from "./array_spec.ts";
import { attributesIn } from "./array_spec.ts";
import { chunkReader, type StoredZarrReader } from "./chunk_reader.ts";
import { isObject } from "./data_type.ts";
import { parseExactJson, plainJson } from "./exact_json.ts";
import { storedArray } from "./stored_array.ts";

/** An array, or a group of them. */
export type ZarrNode = ZarrArrayNode | ZarrGroup;

/** An array that lies alone. */
export interface ZarrArrayNode {
  readonly kind: "array";
  readonly array: StoredZarrReader;
}

/** A group with all that is below it, in the order of names. */
export interface ZarrGroup {
  readonly kind: "group";
  /** Its path as the user named it. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** It and the groups below it. */
  readonly groups: readonly GroupMember<ZarrGroupMetadata>[];
  readonly arrays: readonly GroupMember<StoredZarrReader>[];
  /** Whether it holds the metadata of all that is below it once more. */
  readonly isConsolidated: boolean;
}

/** What is in a group. */
export interface GroupMember<T> {
  /** Its path from the group, with "/" between names; "" is the group itself. */
  readonly path: string;
  readonly member: T;
}

/** The metadata of a group as its files hold it. */
export interface ZarrGroupMetadata {
  readonly format: 2 | 3;
  /** The text of `zarr.json`, or of `.zgroup`. */
  readonly group: string;
  /** The text of `.zattrs`, where version 2 has one. */
  readonly attributes?: string;
}

/** Opens what is in a folder. Throws a FileError that names the array, and what is the matter. */
export async function openZarr(path: string): Promise<ZarrNode> {
  const name = path.replace(/(?<=.)\/+$/, "");
  const found = findNode(name);
  if (found === undefined) throw new FileError(name, await whatIsThere(name));
  if (found.kind === "array") return { kind: "array", array: await openArray(name, found) };
  const groups: GroupMember<ZarrGroupMetadata>[] = [];
  const arrays: GroupMember<StoredZarrReader>[] = [];
  await walk({ root: name, groups, arrays, around: [] }, "", found);
  return {
    kind: "group",
    name,
    attributes: groupAttributes(name, found),
    groups,
    arrays,
    isConsolidated: isConsolidated(name, found),
  };
}

/** Metadata of which kind a folder has. */
type FoundNode =
  | ({ readonly kind: "array" } & ZarrMetadata)
  | ({ readonly kind: "group" } & ZarrGroupMetadata);

async function openArray(name: string, metadata: ZarrMetadata): Promise<StoredZarrReader> {
  const { format, array, attributes } = metadata;
  const kept = { format, array, ...(attributes === undefined ? {} : { attributes }) };
  return chunkReader(await storedArray(name, kept));
}

/** Where a walk through a hierarchy is. */
interface Walk {
  readonly root: string;
  readonly groups: GroupMember<ZarrGroupMetadata>[];
  readonly arrays: GroupMember<StoredZarrReader>[];
  /** The real folders on the way down: links may lead around. */
  readonly around: readonly string[];
}

async function walk(state: Walk, path: string, found: FoundNode): Promise<void> {
  const folder = path === "" ? state.root : `${state.root}/${path}`;
  if (found.kind === "array") {
    state.arrays.push({ path, member: await openArray(folder, found) });
    return;
  }
  const { kind: _kind, ...member } = found;
  state.groups.push({ path, member });
  const real = Deno.realPathSync(folder);
  if (state.around.includes(real)) throw new FileError(folder, "is a link to a group around it");
  const below = { ...state, around: [...state.around, real] };
  for (const entry of foldersIn(folder)) {
    const child = findNode(`${folder}/${entry}`);
    if (child !== undefined) await walk(below, path === "" ? entry : `${path}/${entry}`, child);
  }
}

/** What may be folders, in the order of their names. */
function foldersIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter(({ isFile }) => !isFile)
      .map(({ name }) => name).sort();
  } catch (cause) {
    throw toFileError(folder, cause);
  }
}

/** The metadata in a folder; version 3 where it has both. */
function findNode(folder: string): FoundNode | undefined {
  const document = readText(`${folder}/zarr.json`);
  if (document !== undefined) return nodeOfVersion3(folder, document);
  const array = readText(`${folder}/.zarray`);
  const group = array === undefined ? readText(`${folder}/.zgroup`) : undefined;
  if (array === undefined && group === undefined) return undefined;
  const text = readText(`${folder}/.zattrs`);
  const attributes = text === undefined ? {} : { attributes: text };
  return array === undefined
    ? { kind: "group", format: 2, group: group!, ...attributes }
    : { kind: "array", format: 2, array, ...attributes };
}

function nodeOfVersion3(folder: string, text: string): FoundNode {
  const document = parse(`${folder}/zarr.json`, text);
  const { zarr_format: format, node_type: kind } = document;
  if (format !== 3) {
    throw new FileError(folder, `has the Zarr format ${JSON.stringify(format)}, not 2 or 3`);
  }
  if (kind === "array") return { kind, format, array: text };
  if (kind === "group") return { kind, format, group: text };
  throw new FileError(folder, `is neither an array nor a group, but ${JSON.stringify(kind)}`);
}

function groupAttributes(name: string, { format, ...found }: FoundNode): Record<string, unknown> {
  const { group = "" } = found as Partial<ZarrGroupMetadata>;
  try {
    if (format === 3) return attributesIn(parse(name, group)["attributes"]);
    return found.attributes === undefined ? {} : attributesIn(parse(name, found.attributes));
  } catch (cause) {
    throw toFileError(name, cause);
  }
}

function isConsolidated(name: string, found: FoundNode): boolean {
  if (found.kind === "array") return false;
  if (found.format === 2) return readText(`${name}/.zmetadata`) !== undefined;
  return isObject(parse(name, found.group)["consolidated_metadata"]);
}

/** A document as an object of plain values. */
function parse(path: string, text: string): Record<string, unknown> {
  let document;
  try {
    document = plainJson(parseExactJson(text));
  } catch (cause) {
    throw new FileError(path, `is not JSON: ${(cause as Error).message}`, { cause });
  }
  if (!isObject(document)) throw new FileError(path, "is no JSON object");
  return document;
}

/** More than any metadata has, so that no other file is read into memory. */
const mostTextBytes = 256 << 20;

/** The text of a file; undefined if there is none. */
function readText(path: string): string | undefined {
  try {
    if (Deno.statSync(path).size > mostTextBytes) throw new Error("is too large for metadata");
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    throw toFileError(path, error);
  }
}

/** Why a path is nothing that can be opened. */
async function whatIsThere(path: string): Promise<string> {
  try {
    const { isDirectory } = await Deno.stat(path);
    return isDirectory
      ? "is no Zarr array or group, it has neither zarr.json nor .zarray nor .zgroup"
      : "is a file, not a folder with a Zarr array or group";
  } catch (cause) {
    throw toFileError(path, cause);
  }
}
