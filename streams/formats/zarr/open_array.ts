/**
 * Opens the Zarr array at a path.
 *
 * @module
 */

import { FileError } from "../../../base/errors/file_error.ts";
import type { ArrayReader } from "./items/array.ts";
import { openZarr, unstoredText } from "./store/open_zarr.ts";

/** The greatest number of arrays of a group that an error names. */
const mostShown = 8;

/** Opens an array. Throws a FileError for a group, which names its arrays. */
export async function openArray(path: string): Promise<ArrayReader> {
  const node = await openZarr(path);
  if (node.kind !== "group") return node.array;
  const members = node.arrays.map(({ path }) => path).sort();
  const arrays = members.map((path) => `${node.name}/${path}`);
  const unstored = unstoredText(node);
  const end = unstored === undefined ? "" : `; ${unstored}`;
  if (arrays.length === 0) throw new FileError(path, `is a group without an array${end}`);
  const shown = arrays.slice(0, mostShown).join(", ");
  const more = arrays.length > mostShown ? ` and ${arrays.length - mostShown} more` : "";
  throw new FileError(path, `is a group, but only one array can be read: ${shown}${more}${end}`);
}
