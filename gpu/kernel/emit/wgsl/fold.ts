/**
 * Folds all constants of a kernel. WGSL refuses a constant expression that overflows, divides by
 * zero or shifts too far, so none may be left when code is printed, whoever made it.
 *
 * @module
 */

import type { RowKernel, Scalar, Stmt } from "../../ir/ir.ts";
import { binary, int, isConstant, select, unary } from "../../ir/scalar.ts";
import { mapBodies, mapChildren, mapScalars } from "../../ir/visit.ts";

type Constants = Pick<RowKernel, "literals" | "tables">;

/** Folds every expression of a body and drops the branches that can't be taken. */
export function foldBody(body: readonly Stmt[], constants: Constants): Stmt[] {
  return body.flatMap((stmt) => foldStmt(stmt, constants));
}

function foldStmt(stmt: Stmt, constants: Constants): readonly Stmt[] {
  const folded = mapBodies(
    mapScalars(stmt, (scalar) => fold(scalar, constants)),
    (body) => foldBody(body, constants),
  );
  if (folded.do !== "if" || folded.test.op !== "const") return [folded];
  return folded.test.value ? folded.then : folded.else;
}

function fold(scalar: Scalar, constants: Constants): Scalar {
  const inner = (child: Scalar) => fold(child, constants);
  switch (scalar.op) {
    case "unary":
      return unary(scalar.fn, inner(scalar.value));
    case "binary": {
      const { fn } = scalar;
      const right = inner(scalar.right);
      // A literal divisor of 0 is an error in WGSL, whatever is divided.
      if ((fn === "/" || fn === "%") && isConstant(right, 0)) return int(0);
      return binary(fn, inner(scalar.left), right);
    }
    case "select":
      return select(inner(scalar.test), inner(scalar.yes), inner(scalar.no));
  }
  const folded = mapChildren(scalar, inner);
  if (folded.op !== "byte" && folded.op !== "table" || folded.at.op !== "const") return folded;
  const at = Number(folded.at.value);
  if (folded.op === "table") return int(constants.tables[folded.table]?.[at] ?? 0);
  return folded.space.space === "literals" ? int(constants.literals[at] ?? 0) : folded;
}
