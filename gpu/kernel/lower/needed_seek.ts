/**
 * Finds a search without whose hit a row can be skipped.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import type { KnownSeek, Scalar, Stmt } from "../ir/ir.ts";
import { knownSeek } from "../ir/loop_idiom.ts";
import { binary, bool, int, isConstant, sameScalar, select, unary } from "../ir/scalar.ts";
import { nullColumnOf, nullColumnsOf } from "../ir/null_columns.ts";
import { someStatement, visit } from "../ir/visit.ts";

/** Statements that leave nothing behind but the result of the row. */
const TRACELESS: ReadonlySet<Stmt["do"]> = new Set<Stmt["do"]>([
  "let",
  "set",
  "if",
  "loop",
  "block",
  "break",
  "continue",
]);

/**
 * Returns the search without whose hit a row is false, or null where a column is, but no error. It
 * searches all of the text of the row, and the rest of the code only computes the result.
 */
export function neededSeekOf(
  type: ColumnType,
  body: readonly Stmt[],
): { readonly neededSeek?: KnownSeek } {
  const result = body.at(-1);
  if (type.kind !== "bool" || result?.do !== "result") return {};
  if (nullColumnsOf(body) === null && hasNull(body)) return {};
  // Which rows are null does not depend on the search.
  const rest = body.slice(0, -1).filter((statement) => nullColumnOf(statement) === null);
  const loop = rest.find((statement) => statement.do === "loop");
  const seek = loop === undefined ? null : knownSeek(loop);
  if (seek === null || !isOfWholeRow(seek, rest)) return {};
  // Only the search may move its place.
  const others = rest.filter((statement) => statement !== loop);
  const changed = new Set<string>();
  let isTraceless = true;
  visit(others, {
    stmt: (statement) => {
      isTraceless &&= TRACELESS.has(statement.do);
      if (statement.do === "set") changed.add(statement.name);
    },
  });
  if (!isTraceless || changed.has(seek.at)) return {};
  const missing = new Missing(seek);
  for (const statement of others) {
    if (statement.do === "let" && !changed.has(statement.name)) missing.define(statement);
  }
  const [word] = result.words;
  return word !== undefined && isConstant(missing.fold(word), false) ? { neededSeek: seek } : {};
}

function hasNull(body: readonly Stmt[]): boolean {
  return someStatement(body, (statement) => statement.do === "null");
}

/** Whether a search tries every place of a row at which the needle may be. */
function isOfWholeRow({ at, last, column, bytes }: KnownSeek, body: readonly Stmt[]): boolean {
  const start: Scalar = { op: "start", type: "i32", column };
  const stop: Scalar = { op: "stop", type: "i32", column };
  const first = body.find((statement) => statement.do === "let" && statement.name === at);
  return first?.do === "let" && sameScalar(first.value, start) &&
    sameScalar(last, binary("+", stop, int(-bytes.length)));
}

/** Folds scalars for the case that a search found nothing. */
class Missing {
  readonly #seek: KnownSeek;
  /** The locals that are constant then. */
  readonly #constants = new Map<string, Scalar>();
  readonly #folded = new Map<Scalar, Scalar>();

  constructor(seek: KnownSeek) {
    this.#seek = seek;
  }

  define({ name, value }: Stmt & { do: "let" }): void {
    const folded = this.fold(value);
    if (folded.op === "const") this.#constants.set(name, folded);
  }

  fold(scalar: Scalar): Scalar {
    const known = this.#folded.get(scalar) ?? this.#fold(scalar);
    this.#folded.set(scalar, known);
    return known;
  }

  #fold(scalar: Scalar): Scalar {
    switch (scalar.op) {
      case "local":
        return this.#constants.get(scalar.name) ?? scalar;
      case "unary":
        return unary(scalar.fn, this.fold(scalar.value));
      case "binary": {
        const { fn, left, right } = scalar;
        const { at, last } = this.#seek;
        const isFound = fn === "<=" && left.op === "local" && left.name === at &&
          sameScalar(right, last);
        return isFound ? bool(false) : binary(fn, this.fold(left), this.fold(right));
      }
      case "select":
        return select(this.fold(scalar.test), this.fold(scalar.yes), this.fold(scalar.no));
      default:
        return scalar;
    }
  }
}
