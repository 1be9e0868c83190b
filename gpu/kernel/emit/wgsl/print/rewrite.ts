/**
 * Rewrites code into forms that WGSL accepts, and that all compilers behind it compile correctly.
 *
 * Constants are folded: WGSL rejects a constant expression that overflows, divides by zero or
 * shifts too far, so none may be left when code is printed, wherever it comes from.
 *
 * A loop that rows may leave within a round, or whose test reads memory, asks only a local at its
 * head; whoever leaves clears it. Otherwise code after the loop may use a value from within a round,
 * either a variable, or an expression that is also there and that a compiler computes only once.
 * Mesa's software adapter through GL (22.3) runs 8 or 16 rows side by side, and computes such a
 * value anew while any of them goes on: a row that has left then has the value of a later round, or
 * 0 for what was read from memory.
 *
 * @module
 */

import { halve } from "../../../halve/halve.ts";
import type { BinaryFn, RowKernel, Scalar, Stmt } from "../../../ir/ir.ts";
import { binary, int, isConstant, select, unary } from "../../../ir/scalar.ts";
import {
  mapBodies,
  mapChildren,
  mapScalars,
  someScalar,
  someStatement,
  visit,
} from "../../../ir/visit.ts";

type Loop = Stmt & { do: "loop" };
/** The operators whose right side is a divisor. */
const DIVISIONS: ReadonlySet<BinaryFn> = new Set(["/", "%", "/u", "%u"] as const);

type Constants = Pick<RowKernel, "literals" | "tables">;

/** Returns a kernel as devices run it: without i64, and folded. */
export function foldKernel(kernel: RowKernel): RowKernel {
  const halved = halve(kernel, { hasFloats: false });
  return { ...halved, body: foldBody(halved.body, halved) };
}

/** Folds every expression of a body, and drops the branches that cannot be taken. */
function foldBody(body: readonly Stmt[], constants: Constants): Stmt[] {
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
      // A literal divisor of 0 is an error in WGSL, whatever the dividend.
      if (DIVISIONS.has(fn) && isConstant(right, 0)) return int(0);
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

/**
 * Returns a loop whose update has loops of its own as one whose body ends with that update, with a
 * block around the rest that `continue` leaves. WGSL does not allow a return from the `continuing`
 * part of a loop, which a row with too many rounds would need. Other loops stay unchanged.
 */
export function withPlainUpdate(loop: Loop): Loop {
  return someStatement(loop.update, (stmt) => stmt.do === "loop") ? withUpdateInBody(loop) : loop;
}

/** Moves the update of a loop to the end of its body. */
function withUpdateInBody(loop: Loop): Loop {
  const label = `${loop.label}_round`;
  const body = loop.body.map((stmt) => leaving(stmt, loop.label, label));
  return { ...loop, body: [{ do: "block", label, body }, ...loop.update], update: [] };
}

/** Replaces each `continue` of one label by a `break` out of another. */
function leaving(stmt: Stmt, from: string, to: string): Stmt {
  if (stmt.do === "continue") return stmt.label === from ? { do: "break", label: to } : stmt;
  return mapBodies(stmt, (body) => body.map((inner) => leaving(inner, from, to)));
}

/** A loop that asks only a local at its head. */
interface AskingLoop {
  /** The local. A jump out of the loop clears it and ends the round. */
  readonly goesOn: string;
  /** The first value of the local. */
  readonly first: Scalar;
  /** The loop, without an update. */
  readonly loop: Loop;
}

/** Returns a loop that asks only a local at its head; null for a loop that need not. */
export function askingLocal(loop: Loop): AskingLoop | null {
  const { test, update } = loop;
  const isEndless = isConstant(test, true);
  if (!isEndless && !someScalar(test, readsMemory) && !hasJumpOut(loop)) return null;
  const name = `${loop.label}$goesOn`;
  const own: Scalar = { op: "local", type: "bool", name };
  if (isEndless && update.length === 0) {
    return { goesOn: name, first: test, loop: { ...loop, test: own } };
  }
  const { body } = withUpdateInBody(loop);
  const asks: Stmt[] = isEndless ? [] : [{ do: "set", name, value: test }];
  const asking = { ...loop, test: own, body: [...body, ...asks], update: [] };
  return { goesOn: name, first: test, loop: asking };
}

/** A row reads its own words and bounds once, before all loops. */
function readsMemory({ op }: Scalar): boolean {
  return op === "byte" || op === "table" || op === "scratch" || op === "itemStart" ||
    op === "itemValid";
}

/** Whether a jump leaves a loop. */
function hasJumpOut({ label, body, update }: Loop): boolean {
  const inner = new Set<string>();
  visit([...body, ...update], {
    stmt: (stmt) => void ((stmt.do === "loop" || stmt.do === "block") && inner.add(stmt.label)),
  });
  return someStatement(
    [...body, ...update],
    (stmt) =>
      (stmt.do === "break" || stmt.do === "continue") && !inner.has(stmt.label) &&
      !(stmt.do === "continue" && stmt.label === label),
  );
}
