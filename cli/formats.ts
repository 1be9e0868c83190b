/**
 * Names of file formats on the command line.
 *
 * @module
 */

import type { Format } from "../mod.ts";
import { CommandError } from "./command_error.ts";
import { formatNames, formatSuffixes } from "../streams/formats.ts";
import { didYouMean } from "../ops/expr/nearest_name.ts";

/** The formats as a help text lists them. */
export const formatList = `${formatNames.slice(0, -1).join(", ")} or ${formatNames.at(-1)}`;

/** The endings of file names as a help text lists them. */
export const suffixList: string = formatSuffixes.join(" ");

/** The option of the library for `--format NAME`; nothing where it was not given. */
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
