/**
 * Rewrites code into forms that WGSL accepts, and that all compilers behind it compile correctly.
 *
 * Constants are folded: WGSL rejects a constant expression that overflows, divides by zero or
 * shifts too far, so none may be left when code is printed, wherever it comes from.
 *
 * Tests that are repeated after their loop, as in
 *
 *     while (before > 0 && text.byteAt(before - 1) === 0x20) before--;
 *     if (before > 0) ...
 *
 * are kept in a local. A compiler may reuse the answer of the loop; Mesa's software adapter through
 * GL (22.3) then uses that of the next round, even for a row that has left by a `break`. Each round
 * sets the local at its end, which a row that has left does not reach.
 *
 * @module
 */

import { halve } from "../../../halve/halve.ts";
import type { BinaryFn, RowKernel, Scalar, Stmt } from "../../../ir/ir.ts";
import { binary, int, isConstant, not, scalarKey, select, unary } from "../../../ir/scalar.ts";
import {
  mapBodies,
  mapChildren,
  mapScalars,
  someScalar,
  someStatement,
  visit,
  visitScalar,
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

/** Returns a body in which each loop whose test is repeated keeps the answer in its own local. */
export function withOwnAnswers(body: readonly Stmt[]): readonly Stmt[] {
  const asked = loopsAskedAgain(body);
  return asked.size === 0 ? body : rewrite(body, asked);
}

/** Returns the loops whose tests, or changing parts of them, also occur outside of them. */
function loopsAskedAgain(body: readonly Stmt[]): ReadonlySet<Loop> {
  const loops: Loop[] = [];
  visit(body, { stmt: (stmt) => void (stmt.do === "loop" && canBreak(stmt) && loops.push(stmt)) });
  const everywhere = countQuestions(body);
  return new Set(loops.filter((loop) => {
    const inside = countQuestions([loop]);
    return changingParts(loop).some((key) => everywhere.get(key)! > inside.get(key)!);
  }));
}

function rewrite(body: readonly Stmt[], asked: ReadonlySet<Loop>): Stmt[] {
  return body.flatMap((stmt): Stmt[] => {
    const inner = mapBodies(stmt, (list) => rewrite(list, asked));
    return inner.do === "loop" && asked.has(stmt as Loop) ? withOwnAnswer(inner) : [inner];
  });
}

function withOwnAnswer(loop: Loop): Stmt[] {
  const name = `${loop.label}$goesOn`;
  const plain = withUpdateInBody(loop);
  return [
    { do: "let", name, type: "bool", value: loop.test },
    {
      ...plain,
      test: { op: "local", type: "bool", name },
      body: [...plain.body, { do: "set", name, value: loop.test }],
    },
  ];
}

/** Loops with another idiom are printed as that idiom. */
function canBreak({ body, idiom }: Loop): boolean {
  if (idiom !== undefined && idiom.does !== "skip" && idiom.does !== "map") return false;
  return someStatement(body, (stmt) => stmt.do === "break");
}

/** Counts each expression; a comparison and its negation count as one. */
function countQuestions(body: readonly Stmt[]): Map<string, number> {
  const counts = new Map<string, number>();
  visit(body, {
    scalar: (scalar) => {
      const key = questionKey(scalar);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
  });
  return counts;
}

/** Returns the operations in the test of a loop on locals that its rounds set. */
function changingParts({ test, body, update }: Loop): string[] {
  const changing = new Set<string>();
  visit([...body, ...update], {
    stmt: (stmt) => void (stmt.do === "set" && changing.add(stmt.name)),
  });
  const changes = (scalar: Scalar) => scalar.op === "local" && changing.has(scalar.name);
  const parts: string[] = [];
  visitScalar(test, (part) => {
    if (part.op !== "local" && someScalar(part, changes)) parts.push(questionKey(part));
  });
  return parts;
}

function questionKey(scalar: Scalar): string {
  const key = scalarKey(scalar);
  if (scalar.type !== "bool" || scalar.op === "const") return key;
  const negated = scalarKey(not(scalar));
  return key < negated ? key : negated;
}
