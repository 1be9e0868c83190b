/** @module */

import type { Scalar, Stmt } from "../../ir/ir.ts";
import { byteIn, isLocal, reads, replaced, withoutByte } from "./byte_loop.ts";
import { sameScalar } from "../../ir/scalar.ts";

/** A loop that passes over bytes of a column, one by one, up to one that it stops at. */
export interface SkipLoop {
  /** The local that moves: by 1 as long as it is below `bound`; backward, as long as it is above. */
  readonly name: string;
  readonly bound: Scalar;
  readonly backward: boolean;
  /** It looks at byte `base + name` of a column, backward at the one before. */
  readonly column: number;
  readonly base: Scalar;
  /** Whether it stops at a byte: a bool of the local `LOOP_BYTE` and of constants. */
  readonly stops: Scalar;
}

/** What a loop passes over, if it does nothing else. */
export function skipLoopOf(
  { label, test, body, update }: Stmt & { do: "loop" },
): SkipLoop | null {
  const step = body.at(-1);
  if (update.length > 0 || step?.do !== "set" || test.op !== "binary") return null;
  const { name } = step;
  const { fn, left, right: bound } = test;
  const backward = fn === ">";
  if (!backward && fn !== "<" || left.op !== "local" || left.name !== name) return null;
  const values = new Map<string, Scalar>();
  const meaning = (scalar: Scalar) => replaced(scalar, (local) => values.get(local));
  let stops: Scalar | null = null;
  for (const statement of body.slice(0, -1)) {
    if (statement.do === "let") {
      values.set(statement.name, meaning(statement.value));
    } else if (stops === null && isExit(statement, label)) {
      stops = meaning(statement.test);
    } else {
      return null;
    }
  }
  const next = meaning(step.value);
  const by = next.op === "binary" && next.fn === "+" && isLocal(next.left, name)
    ? next.right
    : null;
  if (by?.op !== "const" || by.value !== (backward ? -1 : 1)) return null;
  const byte = stops === null ? null : byteIn(stops);
  if (stops === null || byte === null || byte.space.space !== "column") return null;
  const { at } = byte;
  if (at.op !== "binary" || at.fn !== "+") return null;
  const isPlace = backward ? sameScalar(at.right, next) : isLocal(at.right, name);
  if (!isPlace || reads(at.left, name) || reads(bound, name)) return null;
  return {
    name,
    bound,
    backward,
    column: byte.space.column,
    base: at.left,
    stops: withoutByte(stops, byte),
  };
}

function isExit(statement: Stmt, label: string): statement is Stmt & { do: "if" } {
  if (statement.do !== "if" || statement.else.length > 0 || statement.then.length !== 1) {
    return false;
  }
  const [jump] = statement.then;
  return jump?.do === "break" && jump.label === label;
}
