/**
 * The rule of names: no two columns of a table share one. Sources, operators and sinks check it here.
 * Fields of a struct may share a name, since nothing looks for it, until they become keys of JSON.
 *
 * @module
 */

import { showValue } from "../../base/kind_of.ts";
import { SameNameError } from "../../base/errors/option_error.ts";
import { option, optionText } from "../../base/errors/option_text.ts";
import { type Field, Schema } from "apache-arrow";

/** The treatment of columns of one name: an error, or `a`, `a_2`, `a_3`. */
export type Duplicates = "error" | "number";

/** Throws a TypeError unless a value is undefined or a choice. */
export function checkDuplicates(option: string, duplicates: unknown): void {
  if (duplicates === undefined || duplicates === "error" || duplicates === "number") return;
  throw new TypeError(`${option} is "error" or "number", not ${showValue(duplicates)}`);
}

/** A name that occurs twice, and its first two places. */
interface RepeatedName {
  readonly name: string;
  readonly places: readonly [first: number, second: number];
}

/** Returns the first name that occurs twice; undefined if all differ. */
function repeatedName(names: readonly string[]): RepeatedName | undefined {
  const places = new Map<string, number>();
  for (const [place, name] of names.entries()) {
    const first = places.get(name);
    if (first !== undefined) return { name, places: [first, place] };
    places.set(name, place);
  }
  return undefined;
}

/**
 * Throws a TypeError that names two columns of one name, and their places, counted from 1. For fields of a
 * struct, `what` says what they are, and whose.
 */
export function checkDistinct(fields: readonly Field[], what = "columns"): void {
  const repeated = repeatedName(fields.map(({ name }) => name));
  if (repeated !== undefined) throw new TypeError(`${what} ${samePlaces(repeated)}`);
}

/** Throws such an error for columns that do not exist yet; the error ends with advice. */
export function checkNewNames(
  names: readonly string[],
  cure: (name: string) => string = () => "",
): void {
  const repeated = repeatedName(names);
  if (repeated === undefined) return;
  throw new TypeError(`Columns ${samePlaces(repeated, "would have")}${cure(repeated.name)}`);
}

function samePlaces({ name, places: [first, second] }: RepeatedName, verb = "have"): string {
  return `${first + 1} and ${second + 1} ${verb} the same name, ${JSON.stringify(name)}`;
}

/**
 * Returns distinct names of a file's columns, numbered if the user asks for that. Otherwise two equal names
 * are a TypeError.
 */
export function distinctNames(
  names: readonly string[],
  duplicates: Duplicates | undefined,
): readonly string[] {
  const repeated = repeatedName(names);
  if (repeated === undefined) return names;
  if (duplicates === "number") return numberedNames(names);
  const cure = option("duplicates", "number");
  throw new SameNameError(optionText`columns ${samePlaces(repeated)}; ${cure} numbers them`);
}

/** Returns the schema of a file with distinct names; the same object where no name occurs twice. */
export function distinctSchema(schema: Schema, duplicates: Duplicates | undefined): Schema {
  const names = schema.fields.map(({ name }) => name);
  const distinct = distinctNames(names, duplicates);
  if (distinct === names) return schema;
  const fields = schema.fields.map((field, place) => field.clone({ name: distinct[place]! }));
  return new Schema(fields, schema.metadata);
}

/**
 * Returns the names with a number after each repetition: `a`, `a_2`, `a_3`. It skips numbers that would
 * make the name of another column.
 */
export function numberedNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  const next = new Map<string, number>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    let number = next.get(name) ?? 2;
    while (taken.has(`${name}_${number}`)) number++;
    next.set(name, number + 1);
    const numbered = `${name}_${number}`;
    taken.add(numbered);
    return numbered;
  });
}
