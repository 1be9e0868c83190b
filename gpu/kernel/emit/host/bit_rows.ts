/**
 * Finds the conditions that can be computed for eight rows at a time: each comparison for one row after
 * the other, without a branch, and everything that follows from them for eight bits at once. Nulls are
 * bits, too.
 *
 * Such code does not wait for the byte of the previous row, and no branch of it is mispredicted.
 *
 * @module
 */

import type { RowKernel, Scalar, Stmt } from "../../ir/ir.ts";
import { testedColumnsOf } from "../../ir/null_columns.ts";
import { not, scalarKey } from "../../ir/scalar.ts";
import { someScalar, visitScalar } from "../../ir/visit.ts";
import { withoutBranches } from "./flatten.ts";

/** The most operations that are computed row by row, since their code is repeated for each bit. */
const MAX_OPERATIONS = 48;

type Let = Stmt & { do: "let" };

/** A condition whose rows are bits. */
export interface BitRows {
  /** The values of a row, in order. */
  readonly rows: readonly Let[];
  /** The bools of eight rows that follow from them. */
  readonly bytes: readonly (Let | Stmt & { do: "set" })[];
  readonly value: Scalar;
  /** Whether a row that no column makes null has the value; null if each one does. */
  readonly isValid: Scalar | null;
  /** The columns of which each makes a row null. */
  readonly columns: readonly number[];
  /** Whether a bool is one of a row: it needs no bits. */
  ofRow(scalar: Scalar): boolean;
}

/** Returns a kernel as a condition whose rows are bits; null if it is none. */
export function bitRowsOf(kernel: RowKernel): BitRows | null {
  if (kernel.type.kind !== "bool") return null;
  const flat = withoutBranches(kernel);
  if (flat === null) return null;
  const { statements, value, isValid } = flat;
  const changing = new Set(statements.flatMap((stmt) => stmt.do === "set" ? [stmt.name] : []));
  const locals = new Set<string>();
  const ofRow = (scalar: Scalar) => !someScalar(scalar, (inner) => isOfBits(inner, locals));
  const rows: Let[] = [];
  const bytes: (Let | Stmt & { do: "set" })[] = [];
  const leaves = new Map<string, Scalar>();
  for (const stmt of statements) {
    if (stmt.do === "let" && !changing.has(stmt.name) && ofRow(stmt.value)) {
      rows.push(stmt);
      locals.add(stmt.name);
    } else if ((stmt.do === "let" || stmt.do === "set") && isOfBools(stmt.value, ofRow, leaves)) {
      bytes.push(stmt);
    } else {
      return null;
    }
  }
  const results = isValid === null ? [value] : [value, isValid];
  if (!results.every((result) => isOfBools(result, ofRow, leaves))) return null;
  const inRow = [...rows.map((stmt) => stmt.value), ...leaves.values()];
  if (numOperations(inRow) > MAX_OPERATIONS) return null;
  return { rows, bytes, value, isValid, columns: testedColumnsOf(kernel.body), ofRow };
}

/** Whether a scalar is a bool that has bits of eight rows. */
function isOfBits(scalar: Scalar, locals: ReadonlySet<string>): boolean {
  return scalar.op === "valid" || scalar.op === "bit" ||
    scalar.op === "local" && !locals.has(scalar.name);
}

/** Whether a scalar is a bool that bit operations make of bools; collects those of a row. */
function isOfBools(
  scalar: Scalar,
  ofRow: (scalar: Scalar) => boolean,
  leaves: Map<string, Scalar>,
): boolean {
  if (scalar.type !== "bool") return false;
  const isBool = (inner: Scalar) => isOfBools(inner, ofRow, leaves);
  if (scalar.op === "unary") return isBool(scalar.value);
  if (ofRow(scalar)) {
    const { leaf } = leafOf(scalar);
    leaves.set(scalarKey(leaf), leaf);
    return true;
  }
  switch (scalar.op) {
    case "valid":
    case "bit":
    case "local":
      return true;
    case "binary":
      return isBool(scalar.left) && isBool(scalar.right);
    case "select":
      return isBool(scalar.test) && isBool(scalar.yes) && isBool(scalar.no);
    default:
      return false;
  }
}

/** The comparisons of integers that are computed as their opposite. */
const OPPOSITES: ReadonlySet<string> = new Set(["!=", "<=", ">="]);

/** Returns the bool of a row to compute for another one: a comparison and its opposite are one. */
export function leafOf(scalar: Scalar): { readonly leaf: Scalar; readonly isOpposite: boolean } {
  if (scalar.op !== "binary" || !OPPOSITES.has(scalar.fn)) {
    return { leaf: scalar, isOpposite: false };
  }
  const opposite = not(scalar);
  return opposite.op === "binary"
    ? { leaf: opposite, isOpposite: true }
    : { leaf: scalar, isOpposite: false };
}

function numOperations(scalars: readonly Scalar[]): number {
  let count = 0;
  for (const scalar of scalars) {
    visitScalar(scalar, ({ op }) => {
      if (op !== "const" && op !== "local") count++;
    });
  }
  return count;
}
