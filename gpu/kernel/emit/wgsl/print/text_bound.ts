/**
 * Bounds the text that the rows of a kernel make, from its code, so that a result can be allocated
 * before it is counted.
 *
 * @module
 */

import type { Stmt } from "../../../ir/ir.ts";
import { bodiesOf } from "../../../ir/visit.ts";

/** The most bytes that the rows make, depending on the bytes of the columns. */
export interface TextBound {
  /** The bytes of each row. */
  readonly row: number;
  /** The number of times that the text of each column counts. */
  readonly columns: ReadonlyMap<number, number>;
  /** Whether a loop appends. Its text is about as long as the text that it reads. */
  readonly loops: boolean;
  /** Whether rows very likely make no more, but not certainly. */
  readonly isGuess: boolean;
}

/** Returns the bound of the text that a body makes. */
export function boundOf(body: readonly Stmt[]): TextBound {
  return body.map(boundOfStatement).reduce(sum, NOTHING);
}

const NOTHING: TextBound = { row: 0, columns: new Map(), loops: false, isGuess: false };

function boundOfStatement(stmt: Stmt): TextBound {
  switch (stmt.do) {
    case "put":
      return { ...NOTHING, row: 1 };
    case "copy": {
      const { start, stop, space } = stmt;
      if (start.op === "const" && stop.op === "const") {
        return { ...NOTHING, row: Number(stop.value) - Number(start.value) };
      }
      // Part of a literal is seldom long.
      if (space.space === "literals") return { ...NOTHING, row: 4, isGuess: true };
      return { ...NOTHING, columns: new Map([[space.column, 1]]) };
    }
    case "if":
      return most(boundOf(stmt.then), boundOf(stmt.else));
    case "loop": {
      const inner = boundOf([...stmt.body, ...stmt.update]);
      return inner === NOTHING ? NOTHING : { ...NOTHING, loops: true, isGuess: true };
    }
    default:
      return bodiesOf(stmt).map(boundOf).reduce(sum, NOTHING);
  }
}

function sum(a: TextBound, b: TextBound): TextBound {
  return a === NOTHING ? b : b === NOTHING ? a : joined(a, b, (x, y) => x + y);
}

function most(a: TextBound, b: TextBound): TextBound {
  return a === NOTHING ? b : b === NOTHING ? a : joined(a, b, Math.max);
}

function joined(a: TextBound, b: TextBound, join: (x: number, y: number) => number): TextBound {
  const columns = [...a.columns.keys(), ...b.columns.keys()].map((column) =>
    [column, join(a.columns.get(column) ?? 0, b.columns.get(column) ?? 0)] as const
  );
  return {
    row: join(a.row, b.row),
    columns: new Map(columns),
    loops: a.loops || b.loops,
    isGuess: a.isGuess || b.isGuess,
  };
}
