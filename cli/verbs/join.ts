/**
 * The verb `join`. Each form of join parses its options in a file of its own.
 *
 * @module
 */

import type { JoinOptions } from "../../mod.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { expectArgs } from "../words/arguments.ts";
import { library, readOf } from "../library/library.ts";
import { namesIn, namesWithBlanks } from "../words/name_list.ts";
import type { OptionNames, ParsedOptions } from "../words/options.ts";
import type { Parse } from "../session/session.ts";
import {
  columnsOption,
  delimiterHints,
  delimiterOption,
  duplicatesOption,
  formatOption,
  invalidOption,
  typesOption,
} from "../words/source_options.ts";
import { typesToTheLetter } from "../words/type_names.ts";
import type { Step, Verb } from "../session/verb.ts";
import { asOfHelp, asOfOptions, isAsOf, parseAsOf } from "./join_as_of.ts";
import { type KeyNames, onHelp, onOptions, parseOn } from "./join_on.ts";
import { parseWhere, whereHelp, whereOptions } from "./join_where.ts";

/** The options of all forms of join. */
const commonOptions = {
  values: ["suffix", "format", "delimiter", "invalid", "duplicates"],
  lists: ["columns", "types"],
  flags: ["keep-keys"],
} as const satisfies OptionNames;

const keysHere = "name the key of each side in --on LEFT=RIGHT";
const byHere = "name the group of each side in --by LEFT=RIGHT";

/** Advice for the names of the options in Polars, pandas and SQL. */
const hints: NonNullable<OptionNames["hints"]> = {
  ...{ "left-on": keysHere, "right-on": keysHere, "left-key": keysHere, "right-key": keysHere },
  ...{
    using: keysHere,
    "by-left": byHere,
    "by-right": byHere,
    "left-by": byHere,
    "right-by": byHere,
  },
  ...delimiterHints,
  suffixes: "--suffix TEXT is for the columns of FILE",
  type: "it is called --how here",
  strategy: "it is called --direction here",
  "join-nulls": "it is called --nulls-equal here",
  "nulls-equals": "it is called --nulls-equal here",
  coalesce: "a key appears once, or twice with --keep-keys",
};

export const join: Verb = {
  name: "join",
  usage: "FILE --on KEY[=RIGHTKEY][,...] | --asof TIME[=RIGHTTIME] | --where CONDITION",
  summary: "Adds the columns of FILE to the rows that match",
  details:
    `FILE is the build side: it is read first, and the input streams past it. Rows of the input keep
their order; a row with several matches appears once for each, in the order of FILE. Unmatched
rows of FILE come last. A key appears once, under its left name.

By equal keys:
${onHelp}

By the nearest time:
${asOfHelp}

By a condition:
${whereHelp}

For all joins:
  --suffix TEXT        appended to column names of FILE that the input also has; _right by default
  --keep-keys          keeps the keys and times of FILE too
  --columns A,B        take only these columns of FILE
  --format FORMAT      the format of FILE, regardless of its suffix
  --delimiter CHAR     the character between the fields of FILE,
  --types A=TYPE       the types of its columns,
  --invalid HOW        what to do with invalid UTF-8 in it, and
  --duplicates HOW     with its columns of the same name: all as for read

  sluice read flights.parquet then join airports.csv --on origin=iata
  sluice read trades.parquet then join quotes.parquet --asof time --by symbol --tolerance 2s
  sluice read visits.csv then join sales.csv --where 'day >= right.first && day <= right.last'`,
  options: {
    hints,
    values: [
      ...commonOptions.values,
      ...onOptions.values,
      ...asOfOptions.values,
      ...whereOptions.values,
    ],
    lists: [...commonOptions.lists, ...onOptions.lists, ...asOfOptions.lists],
    flags: [...commonOptions.flags, ...onOptions.flags],
  },
  wantsAll: true,
  parse(options): Step {
    expectArgs(options.args, `join ${this.usage}`, 1);
    const joined = parseJoin(options);
    const common = parseCommon(options);
    const keys = [...options.list("on"), ...options.list("by"), options.value("asof") ?? ""];
    const source = {
      ...formatOption(options.value("format")),
      ...delimiterOption(options.value("delimiter")),
      ...typesOption(options.list("types")),
      ...invalidOption(options.value("invalid")),
      ...duplicatesOption(options.value("duplicates")),
    };
    return {
      role: "transform",
      reads: [options.args[0]!],
      namesColumns: common.columns !== undefined || source.duplicates === "number",
      async apply(stream, { engine, pipe, parser }) {
        const [read, join, parse] = await Promise.all([
          readOf(source.types),
          library.join(),
          parser(),
        ]);
        const [file] = options.args as [string];
        const types = await typesToTheLetter(file, source, engine);
        const build = read(file, { ...source, ...types, engine });
        const columns = common.columns && await namesIn(build, common.columns, "--columns");
        const others = columns === undefined ? common : { ...common, columns };
        const known = {
          left: await namesWithBlanks(stream, keys),
          right: await namesWithBlanks(build, keys),
        };
        return pipe(stream, join(build, { ...joined(parse, known), ...others }));
      },
    };
  },
};

/** Parses the options of the form of join that they ask for. */
function parseJoin(options: ParsedOptions): (parse: Parse, known: KeyNames) => JoinOptions {
  if (options.given.includes("where")) return parseWhere(options);
  if (!isAsOf(options)) return parseOn(options);
  return parseAsOf(options);
}

function parseCommon(options: ParsedOptions) {
  const suffix = options.value("suffix");
  if (suffix === "") throw new CommandError("--suffix takes a text of at least one character");
  return {
    ...columnsOption(options.list("columns")),
    ...(suffix === undefined ? {} : { suffix }),
    ...(options.flag("keep-keys") ? { keepKeys: true } : {}),
  };
}
