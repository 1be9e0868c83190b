/**
 * The verb `read`.
 *
 * @module
 */

import { castsOf, formatOf, formats, splitTypes } from "../library/known_words.ts";
import type { ReadOptions } from "../../mod.ts";
import { expectArgs } from "../words/arguments.ts";
import { library } from "../library/library.ts";
import { namesIn } from "../words/name_list.ts";
import {
  columnsOption,
  delimiterHints,
  delimiterOption,
  duplicatesOption,
  formatList,
  formatOption,
  invalidOption,
  suffixList,
  typesOption,
} from "../words/source_options.ts";
import { typesToTheLetter } from "../words/type_names.ts";
import type { SourceStep, Verb } from "../session/verb.ts";

export const read: Verb = {
  name: "read",
  usage: "FILE... [--columns A,B] [--format FORMAT] [--types NAME=TYPE,...]",
  summary: "Reads files or URLs, one after the other, or an Arrow stream on stdin",
  details: `The suffix decides the format: ${suffixList}.
Several files must have the same columns; the first file decides their order.
From a URL, only the needed parts of an Arrow or Parquet file are fetched if the server allows it.
\`-\` and \`/dev/stdin\` read stdin: an Arrow stream, or the format that --format names, but not
Parquet, which needs a file. A command without a read reads stdin.
A Zarr array is a folder (a.zarr, group.zarr/temperature). Each of its chunks is a row; the column
origin says where in the array the chunk begins.

  --columns A,B     read only these columns
  --format FORMAT   ${formatList}, regardless of the suffix
  --delimiter CHAR  the character between the fields of CSV: ';' or '|' or tab, and so on
  --types A=TYPE    the types of CSV and NDJSON columns, instead of guessing: string, int64,
                    float64, bool, date; in NDJSON also json, list<int64> and the like; and types
                    to which cast converts text: timestamp, timestamp[ms, Europe/Paris],
                    time64[us], int32, float32, ... Columns that are not read are not checked.
                    Guessing loses no digits: a number that float64 would round makes the
                    column text, or is an error in a later row; string or json (NDJSON) keep it
  --invalid HOW     for invalid UTF-8: error (the default), or replace, which puts U+FFFD there
  --duplicates HOW  for columns of the same name in CSV, Arrow and Parquet: error (the default), or
                    number, which names them a, a_2, a_3

It is an error if a file grows or shrinks while it is read: rows might be missing. Read a growing
log through a pipe: tail -n 1000 log.ndjson | sluice read - --format ndjson`,
  options: {
    values: ["format", "delimiter", "invalid", "duplicates"],
    lists: ["columns", "types"],
    hints: delimiterHints,
  },
  wantsAll: true,
  parse(options): SourceStep {
    expectArgs(options.args, `read ${this.usage}`, 1, Infinity);
    return readStep(options.args, {
      ...columnsOption(options.list("columns")),
      ...formatOption(options.value("format")),
      ...delimiterOption(options.value("delimiter")),
      ...typesOption(options.list("types")),
      ...invalidOption(options.value("invalid")),
      ...duplicatesOption(options.value("duplicates")),
    });
  },
};

/** Returns the step that reads these files. */
export function readStep(
  files: readonly string[],
  { columns, ...options }: Omit<ReadOptions, "engine"> = {},
): SourceStep {
  return {
    role: "source",
    reads: files,
    namesColumns: columns !== undefined || options.duplicates === "number",
    async open({ engine, pipe }) {
      const exact = { ...options, ...await typesToTheLetter(files[0]!, options, engine) };
      const { read, casts } = typesOf(files[0]!, exact);
      const castColumns = Object.keys(casts);
      const given = { ...options, types: read, castColumns, engine };
      let stream = (await library.readFiles())(files, given);
      const names = columns && await namesIn(stream, columns, "--columns");
      if (names !== undefined) stream = pipe(stream, (await library.select())(...names));
      const wanted = castsOf(casts, names);
      // The cast is part of reading: it does not count as a node that a step of the command added.
      return wanted === undefined
        ? stream
        : stream.pipeThrough((await library.castColumns())(wanted));
    },
  };
}

/** Splits types into those for the reader of a file and those to which columns are cast. */
function typesOf(file: string, { types, format }: Pick<ReadOptions, "types" | "format">) {
  const given = splitTypes(types ?? {}, types && formats[format ?? formatOf(file)].types);
  return { read: types && given.read, casts: given.casts };
}
