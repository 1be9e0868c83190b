/**
 * Recognizes loops of row functions that walk through a text, forward or backward.
 *
 * @module
 */

import {
  assignedNames,
  hasJump,
  type RowExpr,
  type RowLoop,
  type RowStmt,
} from "../parse/row_code.ts";

/** A loop that walks through a view, character by character. */
export interface CharacterLoop {
  /**
   * The position: if not negative at the start, it is within the view at the start of each round.
   */
  readonly position: string;
  /** The name of the view. */
  readonly view: string;
  /** The statements of a round before the position moves. */
  readonly body: readonly RowStmt[];
  /** The next position. */
  readonly next: RowExpr;
  /** Whether the position moves in the update of the loop, which `continue` leads to. */
  readonly hasUpdate: boolean;
}

/**
 * Recognizes a loop that moves by `at = text.next(at)` at the end of each round, as long as
 * `at < text.size`, and assigns neither otherwise: then its position needs no checks.
 */
export function characterLoopOf({ test, update, body }: RowLoop): CharacterLoop | null {
  const hasUpdate = update.length > 0;
  const steps = hasUpdate ? update : body.slice(-1);
  const round = hasUpdate ? body : body.slice(0, -1);
  const [step] = steps;
  if (step?.do !== "set" || steps.length > 1) return null;
  const { name: position, value: next } = step;
  const view = viewOf(step);
  if (view === null || !isBelowSize(test, position, view)) return null;
  const assigned = assignedNames(round);
  if (assigned.has(position) || assigned.has(view)) return null;
  // In a loop without an update, `continue` would skip the step.
  if (!hasUpdate && hasJump(round, "continue")) return null;
  return { position, view, body: round, next, hasUpdate };
}

/** A loop that walks back through a view, character by character. */
export interface BackwardLoop {
  /**
   * The position: if not after the end at the start, it is within the view at the start of each
   * round.
   */
  readonly position: string;
  /** The name of the view. */
  readonly view: string;
  /** The position at which it stops, if that is not negative. */
  readonly low: RowExpr;
  /** The statements of a round before the position moves. */
  readonly body: readonly RowStmt[];
  /** The previous position. */
  readonly before: RowExpr;
}

/**
 * Recognizes a loop that begins each round with `const before = text.prev(at)` and ends it with
 * `at = before`, as long as `at > low`, and assigns none of them otherwise.
 */
export function backwardLoopOf({ test, update, body }: RowLoop): BackwardLoop | null {
  const [first] = body;
  const last = body.at(-1);
  if (update.length > 0 || first?.do !== "let" || last?.do !== "set") return null;
  const { value } = first;
  if (value.op !== "method" || value.method !== "prev" || value.view.op !== "name") return null;
  const [from] = value.args;
  const { name: position } = last;
  const goesOn = from?.op === "name" && from.name === position && last.value.op === "name" &&
    last.value.name === first.name;
  const low = lowEndOf(test, position);
  if (!goesOn || low === null) return null;
  const round = body.slice(1, -1);
  const assigned = assignedNames(round);
  const fixed = [position, value.view.name, first.name, ...(low.op === "name" ? [low.name] : [])];
  if (fixed.some((name) => assigned.has(name)) || hasJump(round, "continue")) return null;
  return { position, view: value.view.name, low, body: [first, ...round], before: last.value };
}

/**
 * Returns the test on which a backward walk continues, if it only passes over characters: its round
 * is `if (!test) break`, or `if (test) break`.
 */
export function passedBack({ body }: BackwardLoop): { test: RowExpr; goesOn: boolean } | null {
  const [, exit] = body;
  if (body.length !== 2 || exit?.do !== "if" || exit.else.length > 0) return null;
  const [jump] = exit.then;
  if (exit.then.length !== 1 || jump?.do !== "break") return null;
  const { test } = exit;
  const isNot = test.op === "unary" && test.fn === "!";
  return isNot ? { test: test.value, goesOn: true } : { test, goesOn: false };
}

/** Returns `low` of a test `at > low`. */
function lowEndOf(test: RowExpr, position: string): RowExpr | null {
  if (test.op !== "binary" || test.fn !== ">") return null;
  const { left, right } = test;
  const isPosition = left.op === "name" && left.name === position;
  return isPosition && (right.op === "name" || right.op === "const") ? right : null;
}

/** Returns the view of `at = text.next(at)`. */
function viewOf({ name, value }: RowStmt & { do: "set" }): string | null {
  if (value.op !== "method" || value.method !== "next") return null;
  const [from] = value.args;
  const isOn = from?.op === "name" && from.name === name;
  return isOn && value.view.op === "name" ? value.view.name : null;
}

/** Whether a test is `at < text.size`, or a conjunction that begins with it. */
function isBelowSize(test: RowExpr, position: string, view: string): boolean {
  if (test.op !== "binary") return false;
  const { fn, left, right } = test;
  if (fn === "&&") return isBelowSize(left, position, view);
  return fn === "<" && left.op === "name" && left.name === position && right.op === "method" &&
    right.method === "size" && right.view.op === "name" && right.view.name === view;
}
