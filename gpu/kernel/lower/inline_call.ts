import type { LowerValue } from "./inline_locals.ts";
import type { Scalar } from "../ir/ir.ts";
import type { NullExit, ViewValue } from "./lower_context.ts";
import type { ScratchPlaces } from "./scratch.ts";
import type { LowerSink } from "./sink.ts";
import type { RowFunction } from "../language/row_function.ts";
import type { Local } from "./row_locals.ts";

/** Where a map finds the characters beside the one that it is given. */
export interface Look {
  readonly text: ViewValue;
  readonly at: Scalar;
}

/** Where a call gets its text and its arguments, and what it does with what it makes. */
export interface InlineCall {
  readonly fn: RowFunction;
  /** What the code calls it. The name of the function by default. */
  readonly name?: string;
  /** The text, the list or the number, or the character of a map. A helper has none. */
  readonly subject: LowerValue | null;
  readonly args: readonly LowerValue[];
  /** The text around the character of a map that looks, and where in it the character starts. */
  readonly look?: Look;
  readonly sink: LowerSink | null;
  readonly onNull: NullExit;
  /** Where the scratch of a helper lies; other functions get their own. */
  readonly scratch?: ScratchPlaces;
  /** The variables of a map with state, in the order of its state. */
  readonly state?: readonly Local[];
  /** What an `end` does before it returns. */
  readonly onEnd?: () => void;
  /** Width of the float that the call works on, if it does. */
  readonly floatBits?: 32 | 64;
}
