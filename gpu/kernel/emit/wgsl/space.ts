/** @module */

import type { Space } from "../../ir/ir.ts";

/** A place of text in the code: the suffix of its functions, and how a word of it is loaded. */
export interface PrintedSpace {
  readonly name: string;
  readonly word: (index: string) => string;
}

/** The text of a column. */
export function columnSpace(column: number, view: string): PrintedSpace {
  return { name: String(column), word: (index) => `column${column}[${view}.z + ${index}]` };
}

/** The literals. */
export const literalSpace: PrintedSpace = {
  name: "_literals",
  word: (index) => `constants[${index}]`,
};

/** Suffix of the functions that read a space. */
export function spaceName(space: Space): string {
  return space.space === "literals" ? literalSpace.name : String(space.column);
}
