/**
 * Checks the kinds of options: programs without types may pass anything. Every error names the option and
 * what it takes.
 *
 * @module
 */

import { kindOf, showValue } from "./kind_of.ts";

/** Throws a TypeError unless `named` is an object of values by name. */
export function checkNamed(caller: string, what: string, named: unknown): void {
  const isNamed = typeof named === "object" && named !== null && !(Symbol.iterator in named);
  if (!isNamed) throw new TypeError(`${caller} takes ${what} by name, not ${kindOf(named)}`);
}

/** Throws a TypeError unless a value is one of the known ones; `subject` names it in the error. */
export function checkChoice(subject: string, value: unknown, known: readonly string[]): void {
  if (known.some((name) => name === value)) return;
  const names = known.map((name) => `"${name}"`).join(", ");
  throw new TypeError(`${subject} must be one of ${names}, not ${showValue(value)}`);
}

/** Throws a TypeError unless a value that is not absent is true or false. */
export function checkFlag(subject: string, value: unknown): void {
  if (value === undefined || typeof value === "boolean") return;
  throw new TypeError(`${subject} is true or false, not ${showValue(value)}`);
}

/** Throws a TypeError unless a value that is not absent is text. */
export function checkText(subject: string, value: unknown): void {
  if (value === undefined || typeof value === "string") return;
  throw new TypeError(`${subject} must be text, not ${showValue(value)}`);
}

/** Throws a TypeError unless a value that is not absent is a function. */
export function checkFunction(subject: string, value: unknown): void {
  if (value === undefined || typeof value === "function") return;
  throw new TypeError(`${subject} must be a function, not ${showValue(value)}`);
}
