/**
 * What the options of joins have in common: each form of a join has some of them.
 *
 * @module
 */

import { kindOf } from "../expr/check_expr.ts";

/** The forms of joins, as errors call them, and the options that each has besides those of all. */
const forms = {
  "A join by keys": ["on", "nullsEqual", "promote", "validate", "order", "keepKeys"],
  "A cross join": ["order"],
  "An as-of join": ["asOf", "by", "direction", "tolerance", "keepKeys"],
  "A join by a condition": ["where"],
} as const;

/** Throws a TypeError where an option is given that only other forms of joins have. */
export function refuseOthers(form: keyof typeof forms, options: object): void {
  const own: readonly string[] = forms[form];
  const others = Object.values(forms).flat().filter((name) => !own.includes(name));
  const foreign = others.find((name) => (options as Record<string, unknown>)[name] !== undefined);
  if (foreign !== undefined) throw new TypeError(`${form} has no option ${foreign}`);
}

/** Throws a TypeError where an option is of another type. */
export function checkKind(option: string, value: unknown, kind: "boolean" | "string"): void {
  const given: string = typeof value;
  if (given === kind) return;
  const wanted = kind === "boolean" ? "true or false" : "a string";
  throw new TypeError(`The option ${option} of a join is ${wanted}, not ${kindOf(value)}`);
}
