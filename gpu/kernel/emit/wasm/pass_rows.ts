/**
 * Passing over rows with WebAssembly: where a row is false unless a text is found in it, the text of
 * all rows is searched in one go, and only rows in which something was found are computed. Rows are
 * short, so that what is done once a row takes longer than the search.
 *
 * @module
 */

import type { WasmCode, WasmInstruction } from "./instructions.ts";
import { offsetCode, type WasmScope } from "./scalar.ts";
import { seekCode } from "./seek.ts";
import type { KnownSeek } from "../../ir/ir.ts";

/** The local that tells whether the latest row was true. */
export const LATEST = "$latest";

/** The code that passes over rows. */
export interface PassCode {
  /** What stands before all rows. */
  readonly first: readonly WasmInstruction[];
  /**
   * What stands in front of each row, whose start is still in the local of the stop before: moves
   * `$row` on to the next in which the needle begins, or leaves the block `$full` behind the last row.
   * Behind a row that was true it does nothing: where many are, it would only cost.
   */
  readonly each: WasmCode;
}

/** The code that passes over the rows in which a search finds nothing. */
export function passCode(seek: KnownSeek, scope: WasmScope): PassCode {
  const { column, bytes } = seek;
  const latest = scope.local(LATEST);
  const textStop = scope.local("$textStop");
  const at = scope.local("$passed");
  const stop = `$stop${column}`;
  const last: WasmInstruction[] = [
    ["local.get", textStop],
    ["i32.const", -bytes.length],
    ["i32.add"],
  ];
  const first: WasmInstruction[] = [...offsetCode(column, "$rows"), ["local.set", textStop]];
  const each: WasmCode = [
    ["local.get", latest],
    ["i32.eqz"],
    ["if", "$"],
    ["local.get", stop],
    ["local.set", at],
    seekCode({ ...seek, at }, last, scope),
    ["local.get", at],
    ...last,
    ["i32.gt_s"],
    ["if", "$"],
    ["local.get", "$rows"],
    ["local.set", "$row"],
    ["br", "$full"],
    ["end"],
    ["loop", "$pass"],
    ...offsetCode(column, "$row", 1),
    ["local.get", at],
    ["i32.le_s"],
    ["if", "$"],
    ["local.get", "$row"],
    ["i32.const", 1],
    ["i32.add"],
    ["local.set", "$row"],
    ["br", "$pass"],
    ["end"],
    ["end"],
    ...offsetCode(column, "$row"),
    ["local.set", stop],
    ["end"],
  ];
  return { first, each };
}
