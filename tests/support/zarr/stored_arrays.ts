/** Arrays of Zarr in folders whose kind of items a test knows. */

import { isFixed } from "../../../streams/formats/zarr/items/array.ts";
import type { ZarrMetadata } from "../../../streams/formats/zarr/metadata/array_spec.ts";
import { createArray, type NewArray } from "../../../streams/formats/zarr/store/create_array.ts";
import type {
  StoredFixedReader,
  StoredFixedWriter,
  StoredReader,
  StoredVariableReader,
  StoredVariableWriter,
} from "../../../streams/formats/zarr/store/open_array.ts";
import { openZarr } from "../../../streams/formats/zarr/store/open_zarr.ts";

/** Creates an array whose items have a fixed size. */
export async function createFixed(
  path: string,
  like: ZarrMetadata,
  changes: NewArray,
): Promise<StoredFixedWriter> {
  const writer = await createArray(path, like, changes);
  if (isFixed(writer)) return writer;
  throw new Error(`${path} has items of a variable size`);
}

/** Creates an array of text or bytes. */
export async function createVariable(
  path: string,
  like: ZarrMetadata,
  changes: NewArray,
): Promise<StoredVariableWriter> {
  const writer = await createArray(path, like, changes);
  if (!isFixed(writer)) return writer;
  throw new Error(`${path} has items of a fixed size`);
}

/** Opens an array whose items have a fixed size. */
export async function openFixed(path: string): Promise<StoredFixedReader> {
  return asFixed(await openOne(path));
}

/** Opens an array of text or bytes. */
export async function openVariable(path: string): Promise<StoredVariableReader> {
  const array = await openOne(path);
  if (!isFixed(array)) return array;
  throw new Error(`${path} has items of a fixed size`);
}

/** An array whose items have a fixed size. */
export function asFixed(array: StoredReader): StoredFixedReader {
  if (isFixed(array)) return array;
  throw new Error(`${array.name} has items of a variable size`);
}

async function openOne(path: string): Promise<StoredReader> {
  const node = await openZarr(path);
  if (node.kind === "array") return node.array;
  throw new Error(`${path} is a group`);
}
