/**
 * Resolves blanks around column names in `--types`.
 *
 * @module
 */

import type { Engine, ReadOptions } from "../../mod.ts";
import { isUrl, localPath } from "../../base/url.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { library } from "../library/library.ts";
import { toTheLetter } from "./name_list.ts";

/**
 * Returns the types by the column names of the file. A name keeps blanks around it only if the name of a
 * column has them. Does not inspect a file that can be read only once, such as a pipe.
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
    if (name in exact) throw new CommandError(`--types names column ${name} twice`);
    exact[name] = type;
  }
  return { types: exact as typeof types };
}

/** Returns the column names of a file; none if it cannot be read, which opening it again will report. */
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
