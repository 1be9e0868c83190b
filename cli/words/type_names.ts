/**
 * Resolves the blanks around the names of columns in `--types`.
 *
 * @module
 */

import type { Engine, ReadOptions } from "../../mod.ts";
import { isUrl, localPath } from "../../base/url.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { library } from "../library/library.ts";
import { toTheLetter } from "./name_list.ts";

/**
 * Returns the types by the names that the file has. A name written with blanks around it keeps them only if
 * a column has them. A file that can be read only once, such as a pipe, is not inspected.
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

/** Returns no names if the file cannot be read: opening it again will report the error. */
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
