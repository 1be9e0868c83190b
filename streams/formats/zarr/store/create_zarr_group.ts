/**
 * Creates a group like another one, with its subgroups but without their arrays.
 *
 * @module
 */

import { toFileError } from "../../../../base/errors/wrap_error.ts";
import { writeWhole } from "../files/chunk_file.ts";
import { isObject } from "../metadata/data_type.ts";
import { parseExactJson, printExactJson } from "../metadata/exact_json.ts";
import { findNodes, type FoundNode } from "./find_nodes.ts";
import type { ZarrGroup } from "./open_zarr.ts";

/**
 * Writes the metadata of a group and of all its subgroups, with attributes, into a folder that may exist.
 * Leaves out consolidated metadata, which describes other arrays. Throws a FileError.
 */
export function createZarrGroup(path: string, { groups }: ZarrGroup): void {
  for (const { path: below, member } of groups) {
    const folder = below === "" ? path : `${path}/${below}`;
    if (member.attributes !== undefined) write(`${folder}/.zattrs`, member.attributes);
    if (member.format === 2) write(`${folder}/.zgroup`, member.group);
    else write(`${folder}/zarr.json`, withoutConsolidated(member.group));
  }
}

/**
 * Adds the consolidated metadata of all nodes to that of their group, as some readers require. Call it
 * when all nodes exist. It has no place for arrays of another format version; if there is one, nothing
 * is written. Throws a FileError.
 */
export function consolidateZarr(path: string): void {
  const nodes = findNodes(path);
  const [root] = nodes;
  if (root === undefined || nodes.some(({ node }) => node.format !== root.node.format)) return;
  if (root.node.format === 2) {
    const metadata = Object.assign({}, ...nodes.map(({ path, node }) => documents2(path, node)));
    write(`${path}/.zmetadata`, printExactJson({ metadata, zarr_consolidated_format: 1 }));
    return;
  }
  const below = nodes.slice(1).map(({ path, node }) => [path, documentOf(node)]);
  const consolidated = {
    kind: "inline",
    must_understand: false,
    metadata: Object.fromEntries(below),
  };
  const document = { ...documentOf(root.node), consolidated_metadata: consolidated };
  write(`${path}/zarr.json`, printExactJson(document));
}

/** Returns the documents of version 2 in a folder, by their paths in the group. */
function documents2(path: string, node: FoundNode): Record<string, unknown> {
  const folder = path === "" ? "" : `${path}/`;
  const [file, text] = node.kind === "array" ? [".zarray", node.array] : [".zgroup", node.group];
  return {
    [`${folder}${file}`]: parseExactJson(text),
    ...(node.attributes === undefined
      ? {}
      : { [`${folder}.zattrs`]: parseExactJson(node.attributes) }),
  };
}

/** Returns the document of version 3, without consolidated metadata. */
function documentOf(node: FoundNode): Record<string, unknown> {
  const document = parseExactJson(node.kind === "array" ? node.array : node.group);
  if (!isObject(document)) return {};
  const { consolidated_metadata: _, ...own } = document;
  return own;
}

function withoutConsolidated(text: string): string {
  return printExactJson(documentOf({ kind: "group", format: 3, group: text }));
}

function write(path: string, text: string): void {
  try {
    writeWhole(path, new TextEncoder().encode(text));
  } catch (cause) {
    throw toFileError(path, cause);
  }
}
