/**
 * JSON whose numbers survive a round trip unchanged: -0.0, 1.0 and 64-bit integers. It also reads and
 * writes the bare NaN and Infinity that Python uses in attributes.
 *
 * @module
 */

import { DeepJsonError } from "../../../../base/errors/data_error.ts";

/** Functions of V8 that TypeScript's types lack: JSON text that is printed unchanged. */
interface RawJson {
  rawJSON(text: string): { readonly rawJSON: string };
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
}
const { rawJSON, isRawJSON } = JSON as unknown as RawJson;
const parse = JSON.parse as (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** Marks bare words by the start of a string that no document has. */
const mark = "\u0000";
const bareWords = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/gs;
const markedWords = /"\\u0000(-?Infinity|NaN)"/g;

/**
 * Parses a document. A number that a float64 would print differently stays raw text; `plainJson` returns
 * the value that JSON.parse would. Throws a SyntaxError, or a DeepJsonError whose message is a clause.
 */
export function parseExactJson(text: string): unknown {
  checkDepth(text);
  const strict = text.replace(bareWords, (word) => word[0] === '"' ? word : `"\\u0000${word}"`);
  try {
    return parse(
      strict,
      (_key, value, { source }) =>
        typeof value === "number" && source !== undefined && String(value) !== source
          ? rawJSON(source)
          : value,
    );
  } catch (cause) {
    throw new SyntaxError(placeOf((cause as Error).message), { cause });
  }
}

/** Returns where the parser stopped, taken from its message. */
function placeOf(message: string): string {
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined) return `line ${line}, column ${column}`;
  if (message.includes("end of JSON")) return "it ends too early";
  const [, token] = /^Unexpected token (.+?), /s.exec(message) ?? [];
  return token === undefined ? "it is damaged" : `unexpected ${token}`;
}

/** The greatest depth of lists and objects, which the parser can handle. */
const mostLevels = 256;

function checkDepth(text: string): void {
  let level = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === "[" || token === "{") level++;
    else if (token === "]" || token === "}") level--;
    if (level > mostLevels) {
      throw new DeepJsonError(`is nested more than ${mostLevels} levels deep`);
    }
  }
}

/** Prints a document, indented like other writers do, and in ASCII, since zarr-python 2 reads only that. */
export function printExactJson(document: unknown): string {
  const text = JSON.stringify(document, null, 2).replace(markedWords, "$1");
  return `${text.replace(notAscii, escaped)}\n`;
}

// deno-lint-ignore no-control-regex
const notAscii = /[^\u0000-\u007f]/g;

/** Escapes a UTF-16 unit. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Converts a parsed document to plain values. */
export function plainJson(value: unknown): unknown {
  if (isRawJSON(value)) return Number(value.rawJSON);
  if (typeof value === "string") {
    return value.startsWith(mark) ? Number(value.slice(mark.length)) : value;
  }
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainJson(item)]));
}

/** Returns the integer in a parsed document, of any size; undefined for another value. */
export function exactInteger(value: unknown): bigint | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : undefined;
  if (!isRawJSON(value)) return undefined;
  if (/^-?\d+$/.test(value.rawJSON)) return BigInt(value.rawJSON);
  const number = Number(value.rawJSON);
  return Number.isInteger(number) ? BigInt(number) : undefined;
}
