import type { ReadOptions } from "../../mod.ts";
import { expectArgs } from "../arguments.ts";
import { library } from "../library.ts";
import { namesIn } from "../name_list.ts";
import {
  columnsOption,
  delimiterOption,
  duplicatesOption,
  formatList,
  formatOption,
  invalidOption,
  suffixList,
  typesOption,
} from "../source_options.ts";
import type { SourceStep, Verb } from "../verb.ts";

export const read: Verb = {
  name: "read",
  usage: "FILE... [--columns A,B] [--format FORMAT] [--types NAME=TYPE,...]",
  summary: "Reads files or URLs, one after the other, or an Arrow stream on stdin",
  details: `The suffix decides the format: ${suffixList}.
Several files have the same columns, in any order: they come in that of the first.
Of Arrow and Parquet files behind URLs only what is needed is fetched, if the server serves ranges.
\`-\` and \`/dev/stdin\` are an Arrow stream on stdin, or the format of --format, except Parquet, which
needs a file. A command without a read reads stdin.
An array of Zarr is a folder (a.zarr, group.zarr/temperature): each of its chunks is a row, of which
the column origin says where in the array it begins.

  --columns A,B     read only these columns
  --format FORMAT   ${formatList}, regardless of the suffix
  --delimiter CHAR  the character between the fields of CSV: ';' or '|' or tab, and so on
  --types A=TYPE    types of CSV and NDJSON columns, instead of guessing: string, int64,
                    float64, bool; date in CSV; json, list<int64> and the like in NDJSON.
                    Guessed types lose no digits: a number that float64 would round is
                    text, or an error in a later row; string or json (NDJSON) keep it
  --invalid HOW     for text that is not UTF-8: error (the default), or replace, by U+FFFD
  --duplicates HOW  for columns of one name: error (the default), or number, which names them a,
                    a_2, a_3; of CSV, Arrow and Parquet

A file that grows or shrinks while it is read is an error, since rows might be missing. Read a
growing log through a pipe: tail -n 1000 log.ndjson | sluice read - --format ndjson`,
  options: {
    values: ["format", "delimiter", "invalid", "duplicates"],
    lists: ["columns", "types"],
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

/** The step that reads these files. */
export function readStep(
  files: readonly string[],
  { columns, ...options }: Omit<ReadOptions, "engine"> = {},
): SourceStep {
  return {
    role: "source",
    reads: files,
    namesColumns: columns !== undefined || options.duplicates === "number",
    async open({ engine, pipe }) {
      const stream = (await library.read())(files, { ...options, engine });
      if (columns === undefined) return stream;
      const names = await namesIn(stream, columns, "--columns");
      return pipe(stream, (await library.select())(...names));
    },
  };
}
