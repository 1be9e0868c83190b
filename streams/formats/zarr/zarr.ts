/**
 * Reading arrays of Zarr, a row for each chunk. What knows their files is loaded with the first of
 * them.
 *
 * @module
 */

import { FileError } from "../../../base/errors/file_error.ts";
import type { Source } from "../../plan/source.ts";
import { isStdin } from "../../bytes/standard_streams.ts";
import { isUrl } from "../../../base/url.ts";
import type { ArrayReader } from "./items/array.ts";
import { ZarrSource } from "./zarr_source.ts";

/**
 * A source of the chunks of an array, which is a folder. A group of arrays is a FileError that names
 * them, and so is a URL.
 */
export function readZarr(path: string): Source {
  if (isUrl(path)) throw new FileError(path, "is a URL, and arrays of Zarr are read from folders");
  if (isStdin(path)) throw new FileError(path, "is a stream, and an array of Zarr is a folder");
  return new ZarrSource(path, () => openArray(path));
}

async function openArray(path: string): Promise<ArrayReader> {
  const { openZarr, unstoredText } = await import("./store/open_zarr.ts");
  const node = await openZarr(path);
  if (node.kind !== "group") return node.array;
  const members = node.arrays.map(({ path }) => path).sort();
  const arrays = members.map((path) => `${node.name}/${path}`);
  const unstored = unstoredText(node);
  const end = unstored === undefined ? "" : `; ${unstored}`;
  if (arrays.length === 0) throw new FileError(path, `is a group without an array${end}`);
  const shown = arrays.slice(0, mostShown).join(", ");
  const more = arrays.length > mostShown ? ` and ${arrays.length - mostShown} more` : "";
  throw new FileError(path, `is a group, and one array is read: ${shown}${more}${end}`);
}

/** Arrays of a group that an error names. */
const mostShown = 8;
