/**
 * Error texts that name options. An error carries its text as data, since the library and the command
 * line write the same option differently: `maxWaste: 1`, `--max-waste 1`.
 *
 * @module
 */

import { showControls } from "../show_controls.ts";

/** An option by its name in the library, and its value, if any; a record has one value for each column. */
export interface OptionWord {
  readonly option: string;
  readonly value: true | number | string | Readonly<Record<string, string>> | undefined;
}

/** The parts of a text that names options. */
export type OptionText = readonly (string | OptionWord)[];

/** Returns an option, with a value if given, for use in an `optionText`. */
export function option(option: string, value?: OptionWord["value"]): OptionWord {
  return { option, value };
}

/**
 * Creates a text that names options, as a template tag.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const text = optionText`${3} rows are too many; ${option("maxRows", 4)} allows them`;
 * assertEquals(libraryText(text), "3 rows are too many; maxRows: 4 allows them");
 * assertEquals(commandText(text), "3 rows are too many; --max-rows 4 allows them");
 * ```
 */
export function optionText(
  words: readonly string[],
  ...values: readonly (string | number | OptionWord | OptionText)[]
): OptionText {
  const isText = (value: typeof values[number]): value is OptionText => Array.isArray(value);
  return words.flatMap((word, index) => {
    const value = values[index];
    if (value === undefined) return [word];
    if (isText(value)) return [word, ...value];
    return [word, typeof value === "number" ? String(value) : value];
  });
}

/** Returns the end of a text about a value: the option that gives its column a type. */
export function typeRemedy(column: string, type: string): OptionText {
  return optionText`; give its type: ${option("types", { [column]: type })}`;
}

/** Prints a text as the library does. */
export function libraryText(text: OptionText): string {
  return text.map((part) => typeof part === "string" ? part : libraryOption(part)).join("");
}

/** Prints a text as the command line does. */
export function commandText(text: OptionText): string {
  return text.map((part) => typeof part === "string" ? part : commandOption(part)).join("");
}

/** Returns the message of an error with its options as data; undefined if it names none. */
export function textOf(error: unknown): OptionText | undefined {
  const { text } = (error ?? {}) as { text?: unknown };
  return error instanceof Error && Array.isArray(text) ? text : undefined;
}

/** Returns the message of an error as the command line prints it. */
export function commandMessage(error: Error): string {
  const text = textOf(error);
  return text === undefined ? String(error.message) : showControls(commandText(text));
}

/** A name that needs no quotes. */
const plainName = /^[A-Za-z_$][\w$]*$/;

function libraryOption({ option, value }: OptionWord): string {
  if (value === undefined) return option;
  if (typeof value !== "object") return `${option}: ${JSON.stringify(value)}`;
  const entries = Object.entries(value).map(([name, value]) =>
    `${plainName.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(value)}`
  );
  return `{ ${option}: { ${entries.join(", ")} } }`;
}

function commandOption({ option, value }: OptionWord): string {
  const name = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === undefined || value === true) return name;
  if (value === "\t") return `${name} tab`;
  if (typeof value !== "object") return `${name} ${shellWord(String(value))}`;
  // Other names would need quotes for the shell and for the list.
  const entries = Object.entries(value).map(([name, value]) =>
    `${/^[\w.-]+$/.test(name) ? name : "NAME"}=${value}`
  );
  return `${name} ${entries.join(",")}`;
}

/** Quotes a word for a shell, unless it is plain. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
