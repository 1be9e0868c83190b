/**
 * What the options of joins have in common: each form of a join has some of them.
 *
 * @module
 */

import { kindOf } from "../../syntax/kind_of.ts";
import { didYouMean } from "../../../base/nearest_name.ts";

/** The forms of joins, as errors call them, and the options that each has besides those of all. */
const forms = {
  "A join by keys": ["on", "nullsEqual", "promote", "validate", "order", "keepKeys"],
  "A cross join": ["order"],
  "An as-of join": ["asOf", "by", "direction", "tolerance", "keepKeys"],
  "A join by a condition": ["where"],
} as const;

/** The options of every form. */
const ofAll = ["how", "columns", "suffix", "engine"];

/** Throws a TypeError where an option is given that this form of a join does not have. */
export function refuseOthers(form: keyof typeof forms, options: object): void {
  const own = [...forms[form], ...ofAll];
  const foreign = Object.entries(options)
    .find(([name, value]) => value !== undefined && !own.includes(name))?.[0];
  if (foreign === undefined) return;
  const isOfOthers = Object.values(forms).some((names) => names.some((name) => name === foreign));
  const hint = isOfOthers ? "" : didYouMean(foreign, own);
  throw new TypeError(`${form} has no option ${foreign}${hint}`);
}

/** Throws a TypeError where an option is of another type. */
export function checkKind(option: string, value: unknown, kind: "boolean" | "string"): void {
  const given: string = typeof value;
  if (given === kind) return;
  const wanted = kind === "boolean" ? "true or false" : "a string";
  throw new TypeError(`The option ${option} of a join is ${wanted}, not ${kindOf(value)}`);
}
