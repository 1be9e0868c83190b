/**
 * Folds all constants of a kernel. WGSL refuses a constant expression that overflows, divides by
 * zero or shifts too far, so none may be left when code is printed, whoever made it.
 *
 * @module
 */

import type { KnownLoop, Match, RowKernel, Scalar, Stmt } from "../../ir/ir.ts";
import { binary, int, isConstant, select, unary } from "../../ir/scalar.ts";

type Constants = Pick<RowKernel, "literals" | "tables">;

/** Folds every expression of a body and drops the branches that can't be taken. */
export function foldBody(body: readonly Stmt[], constants: Constants): Stmt[] {
  return body.flatMap((stmt) => foldStmt(stmt, constants));
}

function foldStmt(stmt: Stmt, constants: Constants): readonly Stmt[] {
  const scalar = (value: Scalar) => fold(value, constants);
  const list = (body: readonly Stmt[]) => foldBody(body, constants);
  switch (stmt.do) {
    case "let":
    case "set":
      return [{ ...stmt, value: scalar(stmt.value) }];
    case "if": {
      const test = scalar(stmt.test);
      if (test.op === "const") return list(test.value ? stmt.then : stmt.else);
      return [{ ...stmt, test, then: list(stmt.then), else: list(stmt.else) }];
    }
    case "loop":
      return [{
        ...stmt,
        test: scalar(stmt.test),
        body: list(stmt.body),
        update: list(stmt.update),
        ...foldKnown(stmt, scalar),
      }];
    case "block":
      return [{ ...stmt, body: list(stmt.body) }];
    case "put":
      return [{ ...stmt, byte: scalar(stmt.byte) }];
    case "copy":
      return [{ ...stmt, start: scalar(stmt.start), stop: scalar(stmt.stop) }];
    case "repeat": {
      const [start, stop] = [scalar(stmt.start), scalar(stmt.stop)];
      return [{ ...stmt, start, stop, count: scalar(stmt.count) }];
    }
    case "checkRepeat":
      return [{ ...stmt, size: scalar(stmt.size), count: scalar(stmt.count) }];
    case "store":
      return [{ ...stmt, at: scalar(stmt.at), value: scalar(stmt.value) }];
    case "beginItem":
      return [{ ...stmt, bytes: scalar(stmt.bytes) }];
    case "number":
      return [{ ...stmt, value: scalar(stmt.value) }];
    case "result":
      return [{ ...stmt, words: stmt.words.map(scalar) }];
    case "break":
    case "continue":
    case "endItem":
    case "null":
    case "copyNormal":
    case "putFloat":
      return [stmt];
  }
}

function foldKnown(
  { seek, count, match, follow }: KnownLoop,
  scalar: (value: Scalar) => Scalar,
): KnownLoop {
  if (count !== undefined) return { count: { ...count, stop: scalar(count.stop) } };
  if (match !== undefined) {
    const side = ({ space, start }: Match["left"]) => ({ space, start: scalar(start) });
    const [left, right] = [side(match.left), side(match.right)];
    return { match: { ...match, size: scalar(match.size), left, right } };
  }
  if (follow !== undefined) return { follow: { ...follow, stop: scalar(follow.stop) } };
  if (seek === undefined) return {};
  const { space, start, stop } = seek.needle;
  const needle = { space, start: scalar(start), stop: scalar(stop) };
  return { seek: { ...seek, last: scalar(seek.last), needle } };
}

function fold(value: Scalar, constants: Constants): Scalar {
  switch (value.op) {
    case "unary":
      return unary(value.fn, fold(value.value, constants));
    case "binary": {
      const { fn } = value;
      const right = fold(value.right, constants);
      // A literal divisor of 0 is an error in WGSL, whatever is divided.
      if ((fn === "/" || fn === "%") && isConstant(right, 0)) return int(0);
      return binary(fn, fold(value.left, constants), right);
    }
    case "select": {
      const [test, yes, no] = [value.test, value.yes, value.no];
      return select(fold(test, constants), fold(yes, constants), fold(no, constants));
    }
    case "byte": {
      const at = fold(value.at, constants);
      if (at.op !== "const" || value.space.space !== "literals") return { ...value, at };
      return int(constants.literals[Number(at.value)] ?? 0);
    }
    case "table": {
      const at = fold(value.at, constants);
      if (at.op !== "const") return { ...value, at };
      return int(constants.tables[value.table]?.[Number(at.value)] ?? 0);
    }
    case "scratch":
    case "itemStart":
    case "itemValid":
      return { ...value, at: fold(value.at, constants) };
    default:
      return value;
  }
}
