/**
 * Checks that the files of chunks have the names that the metadata of their array states. Otherwise each
 * chunk would count as missing, and all items would be fill values.
 *
 * @module
 */

import { FileError } from "../../../../base/errors/file_error.ts";
import { toFileError } from "../../../../base/errors/wrap_error.ts";

/** The styles of names of chunks, as entries of the folder of an array. */
const styles: readonly RegExp[] = [/^\d+$/, /^\d+(\.\d+)+$/, /^c$/, /^c(\.\d+)+$/];

/**
 * Throws a FileError where the folder of an array has chunks, but none is named in the style of `first`,
 * the name of the first chunk by the metadata. Reads names until it finds one of that style.
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
  const problem =
    `its metadata names chunks like ${first}, but its folder has chunks like ${other}`;
  throw new FileError(array, problem);
}
