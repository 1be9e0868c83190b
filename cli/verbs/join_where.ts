/**
 * The options of joins by a condition.
 *
 * @module
 */

import type { Expr } from "../../mod.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { hasOption, type OptionNames, type ParsedOptions } from "../words/options.ts";
import type { Parse } from "../session/session.ts";
import { asOfOptions } from "./join_as_of.ts";
import { onOptions } from "./join_on.ts";

/** The options of these joins only. */
export const whereOptions = { values: ["where"] } as const satisfies OptionNames;

/** Their help. */
export const whereHelp =
  `  --where CONDITION    any condition on a pair of rows: right.NAME is a column of FILE, as in
                       --where 'start <= right.time && right.time < stop'. The rows that
                       satisfy comparisons are found by search; a condition without a comparison
                       is tested on every pair of rows, with a warning. With --how inner (the
                       default) or left`;

/** The arguments of a join by a condition. */
interface WhereArguments {
  readonly where: Expr;
  readonly how: "inner" | "left";
}

/** Parses the options. The result needs the parser of expressions. */
export function parseWhere(options: ParsedOptions): (parse: Parse) => WhereArguments {
  const wrong = options.given.find((name) =>
    name === "keep-keys" || hasOption(asOfOptions, name) ||
    (name !== "how" && hasOption(onOptions, name))
  );
  if (wrong !== undefined) throw new CommandError(`--where cannot be combined with --${wrong}`);
  const how = options.value("how") ?? "inner";
  if (how !== "inner" && how !== "left") {
    throw new CommandError(`--where needs --how inner or left, not ${how}`);
  }
  const text = options.value("where") ?? "";
  return (parse) => ({ where: parse(text), how });
}
