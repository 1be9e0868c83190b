/**
 * The lines of an NDJSON file as values.
 *
 * @module
 */

import { FileError } from "../errors.ts";
import type { FileInput } from "../file_input.ts";
import type { InvalidText } from "../sound_text.ts";
import { columnOfInvalid } from "./invalid_text.ts";
import { splitLines } from "./split_lines.ts";

/** Bytes of lines that are parsed in one call. */
const pageBytes = 256 << 10;
/** Where a number may be an integer that a double cannot hold: not the digits of a fraction. */
const longInteger = /[:,[\s]-?\d{16}/;

/** A row: an object whose integers beyond 2^53 are bigint. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** Rows of the file. */
export interface JsonRows {
  readonly rows: readonly JsonRow[];
  /** Where each of them lies. */
  readonly places: readonly LinePlace[];
}

/** How lines are read. */
export interface LineDialect {
  /** What errors call the file. */
  readonly name: string;
  /** What becomes of text that is not UTF-8. */
  readonly invalid: InvalidText;
}

/** Reads rows, some hundred kilobytes of lines at a time. Empty lines are skipped. */
export async function* readJsonRows(
  input: FileInput,
  dialect: LineDialect,
): AsyncGenerator<JsonRows, void, void> {
  let texts: string[] = [];
  let places: LinePlace[] = [];
  let line = 0;
  let row = 0;
  let numBytes = 0;
  for await (const lines of splitLines(input)) {
    for (const bytes of lines) {
      const place = { line: ++line, row };
      const text = textOf(bytes, place, dialect);
      if (text.trim() === "") continue;
      texts.push(text);
      places.push(place);
      row++;
      numBytes += bytes.length;
      if (numBytes < pageBytes) continue;
      yield parseLines(texts, places, dialect.name);
      texts = [];
      places = [];
      numBytes = 0;
    }
  }
  if (texts.length > 0) yield parseLines(texts, places, dialect.name);
}

/** Where a row lies. */
export interface LinePlace {
  /** The line, counted from 1. */
  readonly line: number;
  /** The row, counted from 0. */
  readonly row: number;
}

/** The error of a row: the message names the line, as editors count them. */
export function lineError(
  name: string,
  { line, row }: LinePlace,
  problem: string,
  { column, cause }: { readonly column?: string; readonly cause?: unknown } = {},
): FileError {
  const where = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  const place = { row, ...(column === undefined ? {} : { column }), cause };
  return new FileError(name, `${where}: ${problem}`, place);
}

const decoders = {
  error: new TextDecoder("utf-8", { fatal: true }),
  replace: new TextDecoder("utf-8"),
};

/** The longest string that V8 makes. */
const mostLineBytes = 2 ** 29 - 24;

function textOf(bytes: Uint8Array, place: LinePlace, { name, invalid }: LineDialect): string {
  if (bytes.length > mostLineBytes) {
    throw lineError(
      name,
      place,
      `has ${bytes.length} bytes, more than the ${mostLineBytes} of a string`,
    );
  }
  try {
    return decoders[invalid].decode(bytes);
  } catch (cause) {
    const column = columnOfInvalid(bytes);
    throw lineError(name, place, "invalid UTF-8", {
      cause,
      ...(column === undefined ? {} : { column }),
    });
  }
}

function parseLines(
  texts: readonly string[],
  places: readonly LinePlace[],
  name: string,
): JsonRows {
  const together = parseTogether(texts);
  const rows = texts.map((text, index) => {
    const value = together === undefined ? parseLine(text, places[index]!, name) : together[index];
    checkRow(value, places[index]!, name);
    return value;
  });
  return { rows, places };
}

/** Parses many lines in one call; undefined where one of them is not a value. */
function parseTogether(texts: readonly string[]): unknown[] | undefined {
  try {
    const values = parseJson(`[${texts.join(",")}]`) as unknown[];
    return values.length === texts.length ? values : undefined;
  } catch {
    return undefined;
  }
}

function parseLine(text: string, place: LinePlace, name: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw lineError(name, place, "is not JSON", { cause });
  }
}

function checkRow(value: unknown, place: LinePlace, name: string): asserts value is JsonRow {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw lineError(name, place, "is not an object");
}

/** JSON.parse, but integers that a double would round become bigint. */
function parseJson(text: string): unknown {
  return longInteger.test(text) ? JSON.parse(text, exactInteger as Reviver) : JSON.parse(text);
}

type Reviver = (key: string, value: unknown) => unknown;

function exactInteger(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  return source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
}
