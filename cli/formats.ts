/**
 * Names of file formats on the command line.
 *
 * @module
 */

import type { Format } from "../mod.ts";
import { CommandError } from "./command_error.ts";
import { didYouMean } from "../ops/expr/nearest_name.ts";

const formats: readonly Format[] = ["arrow", "parquet", "csv", "tsv", "ndjson"];

/** The option of the library for `--format NAME`; nothing where it was not given. */
export function formatOption(name: string | undefined): { format?: Format } {
  if (name === undefined) return {};
  const format = formats.find((known) => known === name);
  if (format === undefined) {
    throw new CommandError(
      `Unknown format ${JSON.stringify(name)}${didYouMean(name, formats)} (${formats.join(", ")})`,
    );
  }
  return { format };
}
