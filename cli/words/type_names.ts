/**
 * The names of columns that are given types, blanks included.
 *
 * @module
 */

import type { Engine, ReadOptions } from "../../mod.ts";
import { isUrl, localPath } from "../../base/url.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { library } from "../library/library.ts";
import { toTheLetter } from "./name_list.ts";

/**
 * The types with names as the file has them: one that is written with blanks around it has them only
 * where a column does. What can be read only once, such as a pipe, is not asked.
 */
export async function typesToTheLetter(
  file: string,
  options: Pick<ReadOptions, "types" | "format" | "delimiter" | "duplicates" | "invalid">,
  engine: Engine,
): Promise<Pick<ReadOptions, "types">> {
  const { types, ...rest } = options;
  const names = Object.keys(types ?? {});
  if (types === undefined || names.every((name) => name === name.trim())) return {};
  const known = await columnsOf(file, { ...rest, engine });
  const exact: Record<string, string> = Object.create(null);
  for (const [text, type] of Object.entries(types)) {
    const name = toTheLetter(text, known);
    if (name in exact) throw new CommandError(`--types gives column ${name} two types`);
    exact[name] = type;
  }
  return { types: exact as typeof types };
}

/** None where the file cannot be read: it is opened again, and its error is told then. */
async function columnsOf(
  file: string,
  options: Omit<ReadOptions, "types">,
): Promise<ReadonlySet<string>> {
  if (!isUrl(file) && !isRegular(localPath(file))) return new Set();
  const read = await library.readFiles();
  const schema = await read([file], options).schema().catch(() => undefined);
  return new Set(schema?.fields.map(({ name }) => name));
}

function isRegular(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
