/** @module */

import type { Stmt } from "../../ir/ir.ts";
import { mapBodies, someStatement } from "../../ir/visit.ts";

type Loop = Stmt & { do: "loop" };

/**
 * A loop whose update has loops of its own as one whose body ends with that update, and where
 * `continue` leaves a block around the rest of the body: WGSL lets nothing return from the
 * `continuing` part of a loop, as a row does that takes too many rounds. Others stay as they are.
 */
export function withPlainUpdate(loop: Loop): Loop {
  return someStatement(loop.update, (stmt) => stmt.do === "loop") ? withUpdateInBody(loop) : loop;
}

/** A loop whose body ends with what was its update. */
export function withUpdateInBody(loop: Loop): Loop {
  const label = `${loop.label}_round`;
  const body = loop.body.map((stmt) => leaving(stmt, loop.label, label));
  return { ...loop, body: [{ do: "block", label, body }, ...loop.update], update: [] };
}

/** A statement in which what continues one label breaks out of another. */
function leaving(stmt: Stmt, from: string, to: string): Stmt {
  if (stmt.do === "continue") return stmt.label === from ? { do: "break", label: to } : stmt;
  return mapBodies(stmt, (body) => body.map((inner) => leaving(inner, from, to)));
}
