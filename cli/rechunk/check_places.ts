/**
 * Checks where a run reads and writes, before it does.
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
 * Throws a CommandError where what is written would lie in what is read, or the other way round; a
 * FileError where there is no folder for temporary files.
 */
export async function checkPlaces({ input, output, temp }: Places): Promise<void> {
  const from = await realPath(input);
  const to = await realPath(output);
  if (from === to) throw new CommandError(`${input} and ${output} are the same: write to another`);
  if (isIn(to, from)) {
    throw new CommandError(`${output} is in ${input}, which is read: write beside it`);
  }
  if (isIn(from, to)) throw new CommandError(`${input} is in ${output}, which is written`);
  if (temp === undefined) return;
  if (!await isFolder(temp)) throw new FileError(temp, "is no folder that --temp could use");
  const place = await realPath(temp);
  if (place === from || isIn(place, from)) {
    throw new CommandError(`--temp ${temp} is in ${input}, which is read`);
  }
}

/**
 * The folder that a word names: a path or a URL of `file:`. Throws a CommandError for another URL, and
 * for no word at all, as an unset variable of a shell gives it.
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

/** Without links, as far as it exists. */
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
