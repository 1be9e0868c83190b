/**
 * Creates a group like another one, with the groups below it but without their arrays.
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
 * Writes the metadata of a group and of all groups below it, attributes included, into a folder that
 * may be there. The metadata of arrays that a group holds once more is left out: it is that of other
 * arrays. Throws a FileError.
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
 * Writes the metadata of all that is in a group once more with that of the group, as some readers want
 * it: to be called when all of it is there. Arrays of another format version have no place in it; with
 * one of those nothing is written. Throws a FileError.
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

/** The files of version 2 in a folder, by their names from the group. */
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

/** The document of version 3, without what it may hold of others. */
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
