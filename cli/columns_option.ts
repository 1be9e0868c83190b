/**
 * Columns to read, on the command line.
 *
 * @module
 */

import { CommandError } from "./command_error.ts";
import { splitList } from "./expect_args.ts";

/** The columns of every `--columns A,B`; nothing where it was not given. */
export function columnsOption(texts: readonly string[]): { columns?: string[] } {
  if (texts.length === 0) return {};
  const columns = texts.flatMap((text) => splitList(text, "--columns"));
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice === undefined) return { columns };
  throw new CommandError(`--columns names ${JSON.stringify(twice)} twice`);
}
