/**
 * Types of columns on the command line.
 *
 * @module
 */

import type { ReadOptions } from "../mod.ts";
import { didYouMean } from "../ops/expr/nearest_name.ts";
import { CommandError } from "./command_error.ts";
import { splitList, splitPair } from "./expect_args.ts";

const known = ["string", "int64", "float64", "bool", "date", "json"];

/** The option of the library for `--types NAME=TYPE,...`; nothing where it was not given. */
export function typesOption(texts: readonly string[]): Pick<ReadOptions, "types"> {
  if (texts.length === 0) return {};
  const types: Record<string, string> = Object.create(null);
  for (const part of texts.flatMap((text) => splitList(text, "--types"))) {
    const [name, type] = splitPair(part) ?? [part, ""];
    if (name === "" || type === "") {
      throw new CommandError(`--types takes NAME=TYPE, not ${JSON.stringify(part)}`);
    }
    // The source knows the rest of a list's type.
    if (!known.includes(type.replace(/^(list<)+(.*?)>+$/, "$2"))) {
      const hint = didYouMean(type, known) || `; there are ${known.join(", ")}`;
      throw new CommandError(`Unknown type ${JSON.stringify(type)}${hint}`);
    }
    if (name in types) throw new CommandError(`--types gives column ${name} two types`);
    types[name] = type;
  }
  return { types: types as NonNullable<ReadOptions["types"]> };
}
