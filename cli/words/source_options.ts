/**
 * Parses the options of the verbs that read files: columns, formats, types.
 *
 * @module
 */

import { castType, formatNames, formatSuffixes } from "../library/known_words.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { splitList } from "./arguments.ts";
import type { Format, ReadOptions } from "../../mod.ts";
import { splitNames } from "./name_list.ts";
import { didYouMean } from "../../base/nearest_name.ts";

/** Returns the words of `--columns A,B`, which `namesIn` reads; nothing if it is absent. */
export function columnsOption(texts: readonly string[]): { columns?: readonly string[] } {
  if (texts.length === 0) return {};
  const columns = texts.flatMap((text) => splitNames(text, new Set(), "--columns"));
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice === undefined) return { columns: texts };
  throw new CommandError(`--columns names ${JSON.stringify(twice)} twice`);
}

/** The formats, as help texts list them. */
export const formatList = `${formatNames.slice(0, -1).join(", ")} or ${formatNames.at(-1)}`;

/** The suffixes of file names, as help texts list them. */
export const suffixList: string = formatSuffixes.join(" ");

/** Returns the library's option for `--format NAME`; nothing if it is absent. */
export function formatOption(name: string | undefined): { format?: Format } {
  if (name === undefined) return {};
  const format = formatNames.find((known) => known === name);
  if (format === undefined) {
    throw new CommandError(
      `Unknown format ${JSON.stringify(name)}${didYouMean(name, formatNames)} (${
        formatNames.join(", ")
      })`,
    );
  }
  return { format };
}

/** Matches a comma between types, but not that of `timestamp[us, Europe/Paris]` and `decimal(10, 2)`. */
const commaOutside = /,(?![^[<(]*[\])>])/;
const others = [
  ...["timestamp", "timestamp[ms, UTC]", "int32", "uint64", "float32", "time64[us]"],
  "decimal(10, 2)",
];
const known = ["string", "int64", "float64", "bool", "date", "json"];

/**
 * Returns the library's option for `--types NAME=TYPE,...`; nothing if it is absent. Keeps the blanks around
 * names for `typesToTheLetter`.
 */
export function typesOption(texts: readonly string[]): Pick<ReadOptions, "types"> {
  if (texts.length === 0) return {};
  const types: Record<string, string> = Object.create(null);
  const parts = texts.flatMap((text) => {
    splitList(text, "--types", commaOutside);
    return text.split(commaOutside);
  });
  for (const part of parts) {
    const name = part.slice(0, Math.max(0, part.indexOf("=")));
    const type = part.slice(name.length + 1).trim();
    if (name.trim() === "" || type === "") {
      throw new CommandError(`--types takes NAME=TYPE, not ${JSON.stringify(part)}`);
    }
    // The source checks the nesting of lists.
    const item = type.replace(/^(list<)+(.*?)>+$/, "$2");
    if (!known.includes(item) && castType(type) === undefined) {
      const hint = didYouMean(type, [...known, ...others]) ||
        `; there are ${known.join(", ")}, and of cast ${others.join(", ")} and so on`;
      throw new CommandError(`Unknown type ${JSON.stringify(type)}${hint}`);
    }
    if (name in types) throw new CommandError(`--types names column ${name} twice`);
    types[name] = type;
  }
  return { types: types as NonNullable<ReadOptions["types"]> };
}

/** Returns the library's option for `--duplicates HOW`; nothing if it is absent. */
export function duplicatesOption(duplicates: string | undefined): Pick<ReadOptions, "duplicates"> {
  if (duplicates === undefined) return {};
  if (duplicates === "error" || duplicates === "number") return { duplicates };
  throw new CommandError(`--duplicates must be error or number, not ${JSON.stringify(duplicates)}`);
}

/** Returns the library's option for `--delimiter CHAR`; nothing if it is absent. */
export function delimiterOption(text: string | undefined): Pick<ReadOptions, "delimiter"> {
  if (text === undefined) return {};
  const delimiter = text === "tab" || text === "\\t" ? "\t" : text;
  if (/^[\x20-\x7e\t]$/.test(delimiter) && delimiter !== '"') return { delimiter };
  throw new CommandError(
    '--delimiter must be a tab, or one printable ASCII character other than a quote ("), not ' +
      JSON.stringify(text),
  );
}

/** Advice for the names of `--delimiter` in other tools. */
export const delimiterHints: Readonly<Record<string, string>> = Object.fromEntries(
  ["sep", "separator", "delim", "field-separator", "fs", "ifs", "ofs"].map((
    name,
  ) => [name, "--delimiter CHAR is the character between the fields of CSV"]),
);

/** Returns the library's option for `--invalid HOW`; nothing if it is absent. */
export function invalidOption(invalid: string | undefined): Pick<ReadOptions, "invalid"> {
  if (invalid === undefined) return {};
  if (invalid === "error" || invalid === "replace") return { invalid };
  throw new CommandError(`--invalid must be error or replace, not ${JSON.stringify(invalid)}`);
}
