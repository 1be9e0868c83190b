/**
 * Whether the files of chunks are named as the metadata of their array says. Where they are not, each
 * would be taken for a missing one, and all items for fill values.
 *
 * @module
 */

import { FileError } from "../../../../base/errors/file_error.ts";
import { toFileError } from "../../../../base/errors/wrap_error.ts";

/** The ways in which chunks are named, by what lies in the folder of an array. */
const styles: readonly RegExp[] = [/^\d+$/, /^\d+(\.\d+)+$/, /^c$/, /^c(\.\d+)+$/];

/**
 * Throws a FileError where the folder of an array has chunks, and none is named as `first`, which is what
 * the metadata says of the first one. Reads names until it finds one that is.
 */
export function checkChunkNames(array: string, first: string): void {
  const [start] = first.split("/") as [string];
  const own = styles.find((style) => style.test(start));
  let other: string | undefined;
  try {
    for (const { name } of Deno.readDirSync(array)) {
      if (own?.test(name)) return;
      if (styles.some((style) => style.test(name))) other ??= name;
    }
  } catch (cause) {
    throw toFileError(array, cause);
  }
  if (other === undefined) return;
  const problem = `has no chunk that is named as ${first}, as its metadata says, but ${other}`;
  throw new FileError(array, problem);
}
