/**
 * Parses positions and ranges of rows, and the options that limit their cost: `5,-1,100:110`,
 * `--max-waste 99.9%`.
 *
 * @module
 */

import { parseBounds, parseRows } from "../library/known_words.ts";
import type { RowBounds, SliceOptions } from "../../mod.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import type { OptionNames, ParsedOptions } from "./options.ts";
import { parseShare } from "./quantities.ts";

/** Parses `START:STOP` or `START:STOP:STEP`, any part of which may be empty. */
export function parseRange(text: string): RowBounds {
  const bounds = parseBounds(text);
  if (bounds !== undefined) return bounds;
  throw new CommandError(
    `slice takes whole numbers as START:STOP or START:STOP:STEP, not ${JSON.stringify(text)}`,
  );
}

/** Parses positions and ranges separated by commas, with blanks around them. */
export function parseRowList(text: string): (number | RowBounds)[] {
  const rows = parseRows(text);
  if (rows !== undefined) return rows;
  const example = "positions and ranges separated by commas, such as 5,-1,100:110";
  throw new CommandError(`take takes ${example}, not ${JSON.stringify(text)}`);
}

/** The option of every verb that picks rows by position. */
export const wasteOptions = { values: ["max-waste"] } as const satisfies OptionNames;

export const wasteHelp =
  `--max-waste SHARE  the share of the read rows that may be discarded, such as 0.999 or 99.9%, if
                     more than a million are read; 99% by default, 100% allows any`;

/** Returns the library's option for `--max-waste SHARE`; nothing if it is absent. */
export function wasteOption(options: ParsedOptions): Pick<SliceOptions, "maxWaste"> {
  const share = options.value("max-waste");
  return share === undefined ? {} : { maxWaste: parseShare(share, "--max-waste") };
}

/** The options of verbs that may change the order of rows. */
export const orderOptions = { ...wasteOptions, flags: ["hold"] } as const satisfies OptionNames;

export const orderHelp = `${wasteHelp}
  --hold             allows buffering all rows in memory, if the input cannot be read backwards`;

/** Returns the library's options for `--max-waste SHARE` and `--hold`. */
export function orderOption(options: ParsedOptions): Pick<SliceOptions, "maxWaste" | "hold"> {
  return { ...wasteOption(options), ...(options.flag("hold") ? { hold: true } : {}) };
}
