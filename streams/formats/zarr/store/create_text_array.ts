/**
 * Creates an array of text or bytes like another one, with other chunks.
 *
 * @module
 */

import { toFileError } from "../../../../base/errors/wrap_error.ts";
import type { ZarrMetadata } from "../metadata/array_spec.ts";
import { changedMetadata, type NewArray, writeMetadata } from "./create_zarr_array.ts";
import { storedText } from "./stored_text.ts";
import { type StoredTextWriter, TextChunkWriter } from "./text_writer.ts";

/** What an array of text gets of its own. */
export type NewTextArray = Omit<NewArray, "isPlain">;

/** As `createZarrArray`, for an array of text or bytes. */
export async function createTextArray(
  path: string,
  like: ZarrMetadata,
  changes: NewTextArray,
): Promise<StoredTextWriter> {
  const writer = await textArrayLike(path, like, changes);
  writeMetadata(writer.name, writer.metadata);
  return writer;
}

/** What `createTextArray` would give, for those who only ask: nothing is written. */
export async function textArrayLike(
  path: string,
  like: ZarrMetadata,
  changes: NewTextArray,
): Promise<StoredTextWriter> {
  const name = path.replace(/(?<=.)\/+$/, "");
  const { info, shard } = await storedText(name, like);
  let metadata;
  try {
    metadata = changedMetadata(like, changes, info.writeGrid, shard !== undefined);
  } catch (cause) {
    throw toFileError(name, cause);
  }
  return new TextChunkWriter(await storedText(name, metadata));
}
