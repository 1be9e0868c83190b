/** All operations, for a bundle that checks them. */

import { checkStringOp } from "../../../ops/plugin/check_string_op.ts";
import type { StringOp } from "../../../ops/string/define/define_string_op.ts";
import * as stringOps from "../../../ops/string/operations.ts";

/** Checks every operation; returns their names. */
export function checkAll(): string[] {
  return Object.values<StringOp>(stringOps).map((op) => {
    checkStringOp(op);
    return op.spec.name;
  });
}
