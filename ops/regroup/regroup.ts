/** @module */

import type { Operator } from "../../streams/operator.ts";
import { type EngineOption, operatorOf } from "../engine/engine_option.ts";
import { regroupNode } from "./regroup_node.ts";

/** How large the batches become; at least one of the two is given. */
export interface RegroupOptions extends EngineOption {
  /** Rows of every batch but the last: an integer of at least 1. */
  readonly rows?: number;
  /**
   * Bytes that no batch passes, unless one row alone does: at least 1. A bit of validity is counted
   * for every value, so that the same rows always give the same batches.
   */
  readonly bytes?: number;
}

/**
 * Cuts and joins batches so that each has exactly `rows` rows, or fewer where one more would pass
 * `bytes`; the last takes the rest. Rows and their order stay. A batch that has the right size
 * already is passed on without a copy. An empty stream gives one batch of zero rows.
 *
 * RangeError for a size below 1, TypeError without any.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, regroup } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "b", "c", "d", "e"] });
 * const sizes = [];
 * for await (const batch of fromBatches(letters).pipeThrough(regroup({ rows: 2 }))) {
 *   sizes.push(batch.numRows);
 * }
 * assertEquals(sizes, [2, 2, 1]);
 * ```
 */
export function regroup(options: RegroupOptions): Operator {
  // Programs without types may leave the options out.
  const { rows, bytes, engine } = options ?? {};
  if (rows === undefined && bytes === undefined) {
    throw new TypeError("Regroup by rows, by bytes or by both");
  }
  if (rows !== undefined && !(Number.isSafeInteger(rows) && rows >= 1)) {
    throw new RangeError(`The rows of a batch are an integer of at least 1, not ${rows}`);
  }
  if (bytes !== undefined && !(bytes >= 1)) {
    throw new RangeError(`The bytes of a batch are at least 1, not ${bytes}`);
  }
  const node = regroupNode({ rows: rows ?? Infinity, bytes: bytes ?? Infinity });
  return operatorOf(node, engine === undefined ? {} : { engine });
}
