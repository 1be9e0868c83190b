/**
 * Checks the folders that a run reads and writes, before it starts.
 *
 * @module
 */

import { basename, dirname, resolve, sep } from "node:path";
import { FileError } from "../../base/errors/file_error.ts";
import { toFileError } from "../../base/errors/wrap_error.ts";
import { withoutSlash } from "../../streams/sink/output_folder.ts";
import { hasScheme, localPath, nameOfPath } from "../../base/url.ts";
import { CommandError } from "../../base/errors/command_error.ts";

/** The paths of a command. */
interface Places {
  readonly input: string;
  readonly output: string;
  readonly temp: string | undefined;
}

/**
 * Throws a CommandError if the input and the output are the same or one contains the other, or if the folder
 * for temporary files is in the input; throws a FileError if that folder does not exist.
 */
export async function checkPlaces({ input, output, temp }: Places): Promise<void> {
  const from = await realPath(input);
  const to = await realPath(output);
  if (from === to) {
    throw new CommandError(`${input} and ${output} are the same: write to another folder`);
  }
  if (isIn(to, from)) {
    throw new CommandError(`${output} is in ${input}, which is read: write beside it`);
  }
  if (isIn(from, to)) throw new CommandError(`${input} is in ${output}, which is written`);
  if (temp === undefined) return;
  if (!await isFolder(temp)) throw new FileError(temp, "is not a folder that --temp can use");
  const place = await realPath(temp);
  if (place === from || isIn(place, from)) {
    throw new CommandError(`--temp ${temp} is in ${input}, which is read`);
  }
}

/**
 * Returns the folder that a word names, as a path or a `file:` URL. Throws a CommandError for any other URL,
 * and for an empty word, the result of an unset shell variable.
 */
export function folderOf(word: string): string {
  if (word === "") throw new CommandError("The path of a store is empty");
  const path = localPath(word);
  if (!hasScheme(path)) return withoutSlash(path);
  throw new CommandError(
    `rechunk reads and writes folders of this machine, not ${nameOfPath(path)}`,
  );
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw toFileError(path, error);
  }
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Resolves the links of a path, as far as it exists. */
async function realPath(path: string): Promise<string> {
  const place = resolve(path);
  try {
    return await Deno.realPath(place);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw toFileError(path, error);
    const folder = dirname(place);
    return folder === place ? place : resolve(await realPath(folder), basename(place));
  }
}
