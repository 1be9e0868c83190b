/**
 * Passing over rows with WebAssembly: where a row is false unless a text is found in it, the text of
 * all rows is searched in one go, and only rows in which something was found are computed. Rows are
 * short, so that what is done once a row takes longer than the search.
 *
 * @module
 */

import { isLocal } from "./byte_loop.ts";

import type { WasmCode, WasmInstruction } from "./instructions.ts";
import { offsetCode, type WasmScope } from "./scalar.ts";
import { canSeek, seekCode } from "./seek.ts";
import type { RowKernel, Scalar, Stmt } from "../../ir/ir.ts";
import { type KnownSeek, knownSeek } from "../../ir/known_seek.ts";
import { binary, bool, int, isConstant, sameScalar, select, unary } from "../../ir/scalar.ts";
import { visit } from "../../ir/visit.ts";

/** The local that tells whether the latest row was true. */
export const LATEST = "$latest";

/** Statements that a row may have besides: without its result, it leaves nothing behind. */
const TRACELESS: ReadonlySet<Stmt["do"]> = new Set<Stmt["do"]>([
  "let",
  "set",
  "if",
  "loop",
  "block",
  "break",
  "continue",
]);

/** The search without which a row is false, and neither null nor an error; null where there is none. */
export function neededSeek({ body, type, canBeNull }: RowKernel): KnownSeek | null {
  const result = body.at(-1);
  if (type.kind !== "bool" || canBeNull || result?.do !== "result") return null;
  const rest = body.slice(0, -1);
  const loop = rest.find((statement) => statement.do === "loop");
  const seek = loop === undefined ? null : knownSeek(loop);
  if (seek === null || !canSeek(seek) || !isOfWholeRow(seek, rest)) return null;
  // Nothing but the search may move its place.
  const others = rest.filter((statement) => statement !== loop);
  const changed = new Set<string>();
  let isTraceless = true;
  visit(others, {
    stmt: (statement) => {
      isTraceless &&= TRACELESS.has(statement.do);
      if (statement.do === "set") changed.add(statement.name);
    },
  });
  if (!isTraceless || changed.has(seek.at)) return null;
  const missing = new Missing(seek);
  for (const statement of others) {
    if (statement.do === "let" && !changed.has(statement.name)) missing.define(statement);
  }
  const [word] = result.words;
  return word !== undefined && isConstant(missing.fold(word), false) ? seek : null;
}

/** Whether a search looks at every place of a row at which the needle may stand. */
function isOfWholeRow({ at, last, column, bytes }: KnownSeek, body: readonly Stmt[]): boolean {
  const start: Scalar = { op: "start", type: "i32", column };
  const stop: Scalar = { op: "stop", type: "i32", column };
  const first = body.find((statement) => statement.do === "let" && statement.name === at);
  return first?.do === "let" && sameScalar(first.value, start) &&
    sameScalar(last, binary("+", stop, int(-bytes.length)));
}

/** What scalars are where a search found nothing, folded. */
class Missing {
  readonly #seek: KnownSeek;
  /** Locals that are constant then. */
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
        const isFound = fn === "<=" && isLocal(left, at) && sameScalar(right, last);
        return isFound ? bool(false) : binary(fn, this.fold(left), this.fold(right));
      }
      case "select":
        return select(this.fold(scalar.test), this.fold(scalar.yes), this.fold(scalar.no));
      default:
        return scalar;
    }
  }
}

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
