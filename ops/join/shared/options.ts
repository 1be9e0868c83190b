/**
 * Checks the options that several forms of joins share.
 *
 * @module
 */

import { didYouMean } from "../../../base/nearest_name.ts";
import { checkNames } from "../../rows/column_names.ts";
import { kindOf } from "../../../base/kind_of.ts";
import { type BuildColumnsOptions, defaultSuffix } from "./columns.ts";

/** The forms of joins, as errors call them, and the options of each besides the shared ones. */
const forms = {
  "A join by keys": ["on", "nullsEqual", "promote", "validate", "order", "keepKeys"],
  "A cross join": ["order"],
  "An as-of join": ["asOf", "by", "direction", "tolerance", "keepKeys"],
  "A join by a condition": ["where"],
} as const;

/** The options of every form. */
const ofAll = ["how", "columns", "suffix", "engine"];

/** The checked options of every form. */
interface SharedOptions {
  readonly suffix: string;
  /** The columns of the build side that the join takes; undefined for all. */
  readonly taken: readonly string[] | undefined;
}

/**
 * Checks the options that every form has. Throws a TypeError for a wrong one, and for an option that
 * this form does not have.
 */
export function checkShared(
  form: keyof typeof forms,
  options: BuildColumnsOptions,
): SharedOptions {
  refuseOthers(form, options);
  const { suffix = defaultSuffix, columns: taken } = options;
  checkKind("suffix", suffix, "string");
  if (taken !== undefined) checkNames("The option columns of a join", taken);
  return { suffix, taken };
}

function refuseOthers(form: keyof typeof forms, options: object): void {
  const own = [...forms[form], ...ofAll];
  const foreign = Object.entries(options)
    .find(([name, value]) => value !== undefined && !own.includes(name))?.[0];
  if (foreign === undefined) return;
  const isOfOthers = Object.values(forms).some((names) => names.some((name) => name === foreign));
  const hint = isOfOthers ? "" : didYouMean(foreign, own);
  throw new TypeError(`${form} has no option ${foreign}${hint}`);
}

/** Throws a TypeError for an option of the wrong type. */
export function checkKind(option: string, value: unknown, kind: "boolean" | "string"): void {
  const given: string = typeof value;
  if (given === kind) return;
  const wanted = kind === "boolean" ? "true or false" : "a string";
  throw new TypeError(`The option ${option} of a join is ${wanted}, not ${kindOf(value)}`);
}
