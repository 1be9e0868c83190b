/** @module */

import { byteIn, isLocal, reads, replaced, withoutByte } from "./byte_loop.ts";
import type { Scalar, Stmt } from "../../ir/ir.ts";

/** A loop that appends a byte for each byte of a part of a column, from it alone. */
export interface MapLoop {
  /** The local that moves by 1, the place of the byte, as long as it is below `bound`. */
  readonly name: string;
  readonly bound: Scalar;
  readonly column: number;
  /** What is appended: an i32 of the local `LOOP_BYTE` and of constants. */
  readonly value: Scalar;
}

/** What a loop appends, if it does nothing else. */
export function mapLoopOf({ test, body, update }: Stmt & { do: "loop" }): MapLoop | null {
  const [step] = update;
  const put = body.at(-1);
  if (update.length !== 1 || step?.do !== "set" || put?.do !== "put") return null;
  const { name, value: next } = step;
  const isStep = next.op === "binary" && next.fn === "+" && isLocal(next.left, name) &&
    next.right.op === "const" && next.right.value === 1;
  const isBelow = test.op === "binary" && test.fn === "<" && isLocal(test.left, name);
  if (!isStep || !isBelow || reads(test.right, name)) return null;
  const values = new Map<string, Scalar>();
  const meaning = (scalar: Scalar) => replaced(scalar, (local) => values.get(local));
  for (const statement of body.slice(0, -1)) {
    if (statement.do !== "let") return null;
    values.set(statement.name, meaning(statement.value));
  }
  const appended = meaning(put.byte);
  const byte = byteIn(appended);
  if (byte === null || byte.space.space !== "column" || !isLocal(byte.at, name)) return null;
  const value = withoutByte(appended, byte);
  return { name, bound: test.right, column: byte.space.column, value };
}
