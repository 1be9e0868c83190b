/**
 * Rejects picks that would read or buffer far more rows than they return.
 *
 * @module
 */

import { OptionError } from "../../base/errors/option_error.ts";
import { option, type OptionText, optionText } from "../../base/errors/option_text.ts";
import { formatCount } from "../../base/quantities.ts";
import type { RowList, RowPick } from "../../streams/rows/row_request.ts";
import { isEmptySlice, mostRows, type RowSlice } from "../../streams/rows/row_slice.ts";
import type { InputFacts } from "../engine/node.ts";

/** The costs that a pick may have. */
interface Allowed {
  /** The share of the rows read that may be thrown away. */
  readonly maxWaste: number;
  /** Whether rows may be buffered without a limit. */
  readonly hold: boolean;
}

/** Up to this many rows cost so little to read or buffer that no pick is rejected. */
const FEW_ROWS = 1_000_000;
/** The bytes of a file without a row count that may be buffered without the option `hold`. */
const FEW_BYTES = 64 << 20;

/**
 * Throws an OptionError if a pick that reads its input sequentially would read far more rows than
 * it returns, or might buffer any number of them, unless they are known to be few. `shown` is the
 * pick in words.
 */
export function checkPick(
  pick: RowPick,
  shown: string,
  { maxWaste, hold }: Allowed,
  input: InputFacts,
): void {
  const { mostRows = Infinity, mostBytes = Infinity } = input;
  if (mostRows <= FEW_ROWS) return;
  const mayHold = hold || mostBytes <= FEW_BYTES;
  if (buffersAnyNumber(pick) && !mayHold) throw new OptionError(bufferingText(pick, shown, input));
  const cost = costOf(pick, input.mostRows);
  if (cost === undefined || cost.read <= FEW_ROWS) return;
  if (1 - cost.given / cost.read > maxWaste) throw new OptionError(wasteText(cost, shown, input));
}

/**
 * Whether a pick may have to buffer any number of rows: it goes backwards from the end to the
 * front, or returns all rows from one on after others that are known only at the end.
 */
export function buffersAnyNumber(pick: RowPick): boolean {
  if (pick.kind === "slice") return isReverse(pick);
  let waits = false;
  for (const part of pick.parts) {
    if (typeof part === "number") waits ||= part < 0;
    else if (!isEmptySlice(part)) {
      if (isReverse(part) || (waits && isWithoutEnd(part))) return true;
      waits ||= part.first === Infinity;
    }
  }
  return false;
}

function isReverse(slice: RowSlice): boolean {
  return slice.step < 0 && isWithoutEnd(slice);
}

function isWithoutEnd({ first, last }: RowSlice): boolean {
  return first === Infinity && last === Infinity;
}

/** The rows that are read, and the most of them that come out. */
interface Cost {
  readonly read: number;
  readonly given: number;
  /** Whether more rows may be read, since a part counts from the end. */
  readonly isLeast: boolean;
}

/** Returns the cost of a pick; undefined if any number of rows may come out. */
function costOf(pick: RowPick, numRows = Infinity): Cost | undefined {
  let [read, given] = [0, 0];
  let isLeast = false;
  for (const part of partsOf(pick)) {
    if (typeof part === "number") {
      read = Math.max(read, part + 1);
      given++;
      isLeast ||= part < 0;
    } else if (!isEmptySlice(part)) {
      const { first, last, drop } = part;
      given += mostRows({ ...part, first: Math.min(first, numRows) });
      // How far it reads depends on the position of the end.
      if (first === Infinity || last < Infinity || drop > 0) isLeast = true;
      else read = Math.max(read, first);
    }
  }
  return given === Infinity ? undefined : { read: Math.min(read, numRows), given, isLeast };
}

function partsOf(pick: RowPick): RowList["parts"] {
  return pick.kind === "slice" ? [pick] : pick.parts;
}

function wasteText(
  { read, given, isLeast }: Cost,
  shown: string,
  { source, behind }: InputFacts,
): OptionText {
  const [rows, some] = [read, given].map(formatCount);
  const from = behind === undefined ? `of ${source}` : `after ${behind}`;
  const least = isLeast || behind !== undefined ? "at least " : "";
  const instead = behind === undefined ? ", and an Arrow or Parquet file would not need it" : "";
  const allows = option("maxWaste", 1);
  return optionText`${shown} would read ${least}${rows!} rows ${from} to return ${some!} of them; ${allows} allows it${instead}`;
}

function bufferingText(pick: RowPick, shown: string, { source, behind }: InputFacts): OptionText {
  const allows = option("hold", true);
  if (behind !== undefined) {
    return optionText`${shown} would hold every row after ${behind} in memory; ${allows} allows it`;
  }
  const isBackwards = partsOf(pick).some((part) => typeof part !== "number" && isReverse(part));
  const how = isBackwards ? "backwards" : "twice";
  return optionText`${shown} would hold every row of ${source} in memory, since it cannot be read ${how}; ${allows} allows it, and an Arrow or Parquet file would not need it`;
}
