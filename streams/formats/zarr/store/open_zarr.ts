/**
 * Opens Zarr arrays and groups in a folder, of versions 2 and 3.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import { FileError } from "../../../../base/errors/file_error.ts";
import { toFileError } from "../../../../base/errors/wrap_error.ts";
import { attributesIn } from "../metadata/array_spec.ts";
import { openReader, type StoredReader } from "./open_array.ts";
import { isObject } from "../metadata/data_type.ts";
import { parseExactJson } from "../metadata/exact_json.ts";
import {
  findNodes,
  type FoundNode,
  jsonObject,
  metadataText,
  type PlacedNode,
  type ZarrGroupMetadata,
} from "./find_nodes.ts";
import { kindOf } from "../files/regular_file.ts";
import { shortJson } from "../metadata/short_json.ts";

/** An array, or a group of them. */
export type ZarrNode = ZarrArrayNode | ZarrGroup;

/** A single array. */
interface ZarrArrayNode {
  readonly kind: "array";
  readonly array: StoredReader;
}

/** A group with everything below it. */
export interface ZarrGroup {
  readonly kind: "group";
  /** The path of the group as the user wrote it. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The group and its subgroups, sorted by name. */
  readonly groups: readonly GroupMember<ZarrGroupMetadata>[];
  readonly arrays: readonly GroupMember<StoredReader>[];
  /** Unsupported arrays, with the reason; a copy of the group copies them unchanged. */
  readonly others: readonly GroupMember<FileError>[];
  /** Whether the group has consolidated metadata. */
  readonly isConsolidated: boolean;
  /** The paths of arrays that only the consolidated metadata has, sorted. */
  readonly unstored: readonly string[];
}

/** A member of a group. */
interface GroupMember<T> {
  /** The path from the group, with "/" between names; "" for the group itself. */
  readonly path: string;
  readonly member: T;
}

/** Opens the node in a folder. Throws a FileError that names the array and the problem. */
export async function openZarr(path: string): Promise<ZarrNode> {
  const name = path.replace(/(?<=.)\/+$/, "");
  const nodes = findNodes(name);
  const [root] = nodes;
  if (root === undefined) throw new FileError(name, whatIsThere(name));
  if (root.node.kind === "array") return await openArray(name, root.node);
  const groups: GroupMember<ZarrGroupMetadata>[] = [];
  const arrays: GroupMember<StoredReader>[] = [];
  const others: GroupMember<FileError>[] = [];
  for (const { path, node } of nodes) {
    if (node.kind === "group") groups.push({ path, member: node });
    else {
      const member = await openIfSupported(`${name}/${path}`, node);
      if (isSluiceError(member, "FileError")) others.push({ path, member });
      else arrays.push({ path, member: member.array });
    }
  }
  return {
    kind: "group",
    name,
    attributes: groupAttributes(name, root.node),
    groups,
    arrays,
    others,
    ...consolidated(name, root.node, nodes),
  };
}

/** Opens an array; returns the error of an unsupported one, and throws any other error. */
async function openIfSupported(
  name: string,
  node: FoundNode & { kind: "array" },
): Promise<ZarrArrayNode | FileError> {
  try {
    return await openArray(name, node);
  } catch (error) {
    if (isSluiceError(error, "FileError") && isSluiceError(error.cause, "UnsupportedZarrError")) {
      return error;
    }
    throw error;
  }
}

async function openArray(
  name: string,
  { format, array, attributes }: FoundNode & { kind: "array" },
): Promise<ZarrArrayNode> {
  const metadata = { format, array, ...(attributes === undefined ? {} : { attributes }) };
  return { kind: "array", array: await openReader(name, metadata) };
}

function groupAttributes(name: string, group: ZarrGroupMetadata): Record<string, unknown> {
  try {
    if (group.format === 3) return attributesIn(jsonObject(name, group.group)["attributes"]);
    return group.attributes === undefined ? {} : jsonObject(name, group.attributes);
  } catch (cause) {
    throw toFileError(name, cause);
  }
}

/** Compares the consolidated metadata of a group with the existing arrays. */
function consolidated(
  name: string,
  { format, group }: ZarrGroupMetadata,
  nodes: readonly PlacedNode[],
): Pick<ZarrGroup, "isConsolidated" | "unstored"> {
  const text = format === 2 ? metadataText(`${name}/.zmetadata`) : undefined;
  const metadata = format === 2 ? text : jsonObject(name, group)["consolidated_metadata"];
  const isConsolidated = format === 2 ? text !== undefined : isObject(metadata);
  if (!isConsolidated) return { isConsolidated, unstored: [] };
  const stored = new Set(nodes.filter(({ node }) => node.kind === "array").map(({ path }) => path));
  const named = text === undefined ? arraysNamed3(metadata) : arraysNamed2(text);
  return { isConsolidated, unstored: named.filter((path) => !stored.has(path)).sort() };
}

/** Returns the arrays that `.zmetadata` names; none if it is damaged, since it has no other use. */
function arraysNamed2(text: string): string[] {
  let document;
  try {
    document = parseExactJson(text);
  } catch {
    return [];
  }
  const metadata = isObject(document) ? document["metadata"] : undefined;
  const suffix = "/.zarray";
  return isObject(metadata)
    ? Object.keys(metadata).filter((key) => key.endsWith(suffix))
      .map((key) => key.slice(0, -suffix.length))
    : [];
}

function arraysNamed3(metadata: unknown): string[] {
  const nodes = isObject(metadata) ? metadata["metadata"] : undefined;
  if (!isObject(nodes)) return [];
  return Object.entries(nodes)
    .filter(([, node]) => isObject(node) && node["node_type"] === "array")
    .map(([path]) => path);
}

/** Explains why the node at a path cannot be opened. */
function whatIsThere(path: string): string {
  try {
    const info = Deno.statSync(path);
    return info.isDirectory
      ? "is not a Zarr array or group: it has no zarr.json, .zarray or .zgroup"
      : `is ${kindOf(info)}, not a folder with a Zarr array or group`;
  } catch (cause) {
    throw toFileError(path, cause);
  }
}

/** Returns a clause that names arrays that only the consolidated metadata has; undefined for none. */
export function unstoredText({ unstored }: ZarrGroup): string | undefined {
  if (unstored.length === 0) return undefined;
  const shown = unstored.slice(0, mostShown).map((path) => shortJson(path)).join(", ");
  const more = unstored.length > mostShown ? ` and ${unstored.length - mostShown} more` : "";
  return `its consolidated metadata names ${shown}${more}, which the store does not contain`;
}

/** The greatest number of arrays that a message names. */
const mostShown = 8;
