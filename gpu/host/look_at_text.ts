/**
 * Finds out whether text is ASCII: from what is known, with a look, or on the way of a kernel.
 *
 * @module
 */

import type { HostColumn } from "../column/column.ts";
import {
  inspectColumn,
  inspectItems,
  knownText,
  rememberText,
  type TextFacts,
} from "../column/utf8.ts";
import { NotAsciiError } from "./not_ascii.ts";

/** What a kernel is told of the text that it reads. */
interface SeenText {
  /** Whether it is ASCII. */
  readonly ascii: boolean;
  /** The columns of which this is a guess: the kernel has to look. */
  readonly unchecked: readonly HostColumn[];
}

/**
 * What to tell a kernel of the text that it reads. It is taken for ASCII where nobody looked at it
 * and the kernel does while it computes; `checkedBy` gives the columns for which it does. Throws a
 * NotAsciiError where text had to be looked at and is not ASCII: the program then has to be chosen
 * without a guess.
 */
export function lookAtText(
  texts: readonly HostColumn[],
  checkedBy: () => readonly HostColumn[],
): SeenText {
  const unknown = texts.filter((text) => knownAscii(text) === undefined);
  const isMixed = texts.some((text) => knownAscii(text) === false);
  if (unknown.length === 0) return { ascii: !isMixed, unchecked: [] };
  const checked = isMixed ? [] : checkedBy();
  const unchecked = unknown.filter((text) => checked.includes(text));
  const rest = unknown.filter((text) => !checked.includes(text));
  if (!rest.every((text) => inspectText(text).ascii)) throw new NotAsciiError();
  return { ascii: !isMixed, unchecked };
}

/** What is known of the text of a column or of the items of its lists, after a look if need be. */
export function inspectText(column: HostColumn): TextFacts {
  return column.type.kind === "list" ? inspectItems(column) : inspectColumn(column);
}

/** Notes that the text of a column is ASCII. */
export function rememberAscii({ data, offsets, length }: HostColumn): void {
  rememberText(data, offsets?.[0] ?? 0, offsets?.[length] ?? 0, true);
}

function knownAscii(column: HostColumn): boolean | undefined {
  return column.type.kind === "list" ? undefined : knownText(column)?.ascii;
}
