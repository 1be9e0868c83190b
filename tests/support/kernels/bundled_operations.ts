/** All operations, for a bundle that checks them. */

import { builtInOperations } from "../../../ops/expr/built_in_operations.ts";
import { checkStringOp } from "../../../ops/plugin/check_string_op.ts";

/** Checks every operation; returns their names. */
export function checkAll(): string[] {
  return builtInOperations.map((op) => {
    checkStringOp(op);
    return op.spec.name;
  });
}
