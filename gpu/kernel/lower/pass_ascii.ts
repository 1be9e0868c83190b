/**
 * Passes over the ASCII characters of text that may have others: byte by byte, which emitters turn
 * into words. A loop only has to decode characters that are not ASCII.
 *
 * @module
 */

import type { Scalar, Stmt } from "../ir/ir.ts";
import { and, binary, int, not, or } from "../ir/scalar.ts";
import { visit } from "../ir/visit.ts";
import type { LowerContext } from "./lower_context.ts";
import { byteAt, type ViewValue } from "./lower_value.ts";
import type { Local } from "./row_locals.ts";
import { sizeOf } from "./view.ts";

/** The characters to pass over. */
interface Pass {
  readonly view: ViewValue;
  /** The position that moves: from a character, or backward from after one. */
  readonly place: Local;
  /** The end of a backward pass; a forward one ends at the end of the view. */
  readonly low: Scalar;
  readonly backward: boolean;
  /**
   * Whether it continues over the character at the place, or before it; only the answer for ASCII
   * counts.
   */
  goesOn(): Scalar;
}

/** Passes over ASCII characters, and returns whether a character that is not ASCII comes next. */
export function passAscii(
  { builder }: LowerContext,
  { view, place, low, backward, goesOn }: Pass,
): Scalar {
  const goesFurther = () => backward ? binary(">", place, low) : binary("<", place, sizeOf(view));
  const at = () => backward ? binary("+", place, int(-1)) : place;
  const isOther = () => binary(">=", byteAt(view.space, binary("+", view.start, at())), int(0x80));
  builder.loop("ascii", [goesFurther], ({ leave }) => {
    let test = goesOn;
    const asked = builder.collect(() => {
      const outcome = goesOn();
      test = () => outcome;
    });
    // The code for other bytes must not reach a table.
    if (!isPlain(asked.statements)) builder.if(isOther(), leave);
    builder.splice(asked);
    builder.if(or(isOther(), not(test())), leave);
    builder.set(place, binary("+", place, int(backward ? -1 : 1)));
  }, () => {});
  return and(goesFurther(), isOther());
}

/** Whether statements may run for bytes that are not ASCII: they only read text and compute. */
function isPlain(statements: readonly Stmt[]): boolean {
  let plain = statements.every((statement) => statement.do === "let");
  visit(statements, { scalar: ({ op }) => void (plain &&= op !== "table") });
  return plain;
}
