/**
 * What every function of the parser needs: the text, its places, and the operations.
 *
 * @module
 */

import type { StringOp } from "../string/define_string_op.ts";
import type { Expr } from "./expr.ts";
import { ExprError } from "./expr_error.ts";
import { setPlace } from "./place.ts";

/** A stretch of the text, as acorn's nodes have it. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The text of an expression while it is parsed. */
export class ParseText {
  readonly text: string;
  readonly operations: ReadonlyMap<string, StringOp>;

  constructor(text: string, operations: ReadonlyMap<string, StringOp>) {
    this.text = text;
    this.operations = operations;
  }

  /** The error for a mistake in a stretch of the text. */
  error(message: string, at: Stretch): ExprError;
  error(message: string, start: number, stop: number): ExprError;
  error(message: string, at: Stretch | number, stop = 0): ExprError {
    const place = typeof at === "number"
      ? { text: this.text, start: at, stop }
      : { text: this.text, start: at.start, stop: at.end };
    return new ExprError(message, place);
  }

  /** Remembers where an expression stands, for errors that come later. */
  placed(expr: Expr, { start, end }: Stretch): Expr {
    setPlace(expr.node, { text: this.text, start, stop: end });
    return expr;
  }

  /** The text of a stretch. */
  slice({ start, end }: Stretch): string {
    return this.text.slice(start, end);
  }
}
