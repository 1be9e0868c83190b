/** @module */

import {
  defaultJoinHow,
  isJoinHow,
  type JoinHow,
  joinHows,
  joinKinds,
} from "../../gpu/join_kind.ts";
import { CommandError, expectArgs, splitList, splitPair } from "../arguments.ts";
import { columnsOption, formatOption } from "../source_options.ts";
import type { Step, Verb } from "../verb.ts";

const planned = ["right", "full", "semi", "anti", "cross"];

export const join: Verb = {
  name: "join",
  usage: `FILE --on KEY[=RIGHTKEY] [--how ${joinHows.join("|")}] [--suffix TEXT] [--columns A,B]`,
  summary: "Adds the columns of FILE to the rows with the same key",
  details:
    `FILE is the build side: it is held in memory while the input streams past it. Rows of the input
keep their order; a row with several matches appears once for each. The key appears once, under its
left name. Null keys match nothing.

  --on KEY[=RIGHTKEY]  the key, and its name in FILE if that differs
  --how HOW            ${kindsHelp()}
  --suffix TEXT        appended to column names of FILE that the input also has; _right by default
  --columns A,B        take only these columns of FILE
  --format FORMAT      the format of FILE, regardless of its suffix

  sluice read flights.parquet then join airports.csv --on origin=iata`,
  options: {
    values: ["how", "suffix", "format"],
    lists: ["on", "columns"],
    planned: ["nulls-equal", "validate", "keep-keys"],
  },
  parse(options): Step {
    expectArgs(options.args, `join ${this.usage}`, 1);
    const on = parseKeys(options.list("on"));
    const how = parseHow(options.value("how") ?? defaultJoinHow);
    const suffix = options.value("suffix");
    const columns = withKeys(columnsOption(options.list("columns")), Object.values(on));
    const format = formatOption(options.value("format"));
    return {
      role: "transform",
      apply(stream, { sluice, engine, pipe }) {
        const build = sluice.read(options.args[0]!, { ...columns, ...format, engine });
        const named = suffix === undefined ? {} : { suffix };
        return pipe(stream, sluice.join(build, { on, how, ...named }));
      },
    };
  },
};

function parseKeys(texts: readonly string[]): Record<string, string> {
  if (texts.length === 0) throw new CommandError("Say which key to join on: --on KEY[=RIGHTKEY]");
  const keys: Record<string, string> = Object.create(null);
  for (const part of texts.flatMap((text) => splitList(text, "--on"))) {
    const [left, right] = splitPair(part) ?? [part, part];
    if (left === "" || right === "") {
      throw new CommandError(`--on takes KEY or KEY=RIGHTKEY, not ${JSON.stringify(part)}`);
    }
    if (left in keys) throw new CommandError(`--on names the key ${JSON.stringify(left)} twice`);
    keys[left] = right;
  }
  return keys;
}

/** `inner (the default), or left, which keeps rows without a match` */
function kindsHelp(): string {
  return joinHows.map((how) => {
    const { help } = joinKinds[how];
    return `${how}${how === defaultJoinHow ? " (the default)" : ""}${help && `, ${help}`}`;
  }).join(", or ");
}

function parseHow(text: string): JoinHow {
  if (isJoinHow(text)) return text;
  const known = planned.includes(text) ? "is not implemented yet" : "does not exist";
  throw new CommandError(`--how ${text} ${known}; use ${joinHows.join(" or ")}`);
}

/** The keys must be read, whether listed or not. */
function withKeys(
  { columns }: { columns?: readonly string[] },
  keys: readonly string[],
): { columns?: string[] } {
  return columns === undefined ? {} : { columns: [...new Set([...keys, ...columns])] };
}
