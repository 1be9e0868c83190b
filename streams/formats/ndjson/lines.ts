/**
 * Parses the lines of an NDJSON file.
 *
 * @module
 */

import { firstWhere } from "../../../base/search.ts";
import type { OptionText } from "../../../base/errors/option_text.ts";
import { FileError } from "../../../base/errors/file_error.ts";
import type { FileInput } from "../../bytes/file_input.ts";
import { GrowingBytes } from "../../bytes/growing_bytes.ts";
import { cutLongStrings, type LongString, putLongStrings } from "./long_text.ts";
import { mayRepeatKeys, type Member, membersOf, type NumberMode, parseJson } from "./parse_json.ts";
import { type RowLimit, rowLimit } from "../../rows/row_limit.ts";
import { splitLines } from "./split_lines.ts";
import type { InvalidText } from "../../text/valid_utf8.ts";

/**
 * A number between lines that are parsed in one call. Without it, the lines `{},{"a":[1` and `2]}`
 * would parse as two objects. It is random, so that no input can forge it.
 */
const separator = Math.floor(Math.random() * 2 ** 30);
/** The bytes of lines after which they are parsed in one call. */
const pageBytes = 256 << 10;
const usualLimits: LongLimits = { lineBytes: 8 << 20, stringBytes: 64 << 10 };

/**
 * A row: an object with numbers as `parseJson` returns them and a `LongString` for each long
 * string.
 */
type JsonRow = Readonly<Record<string, unknown>>;

/** Consecutive rows of the file. */
export interface JsonRows {
  readonly rows: readonly JsonRow[];
  /** The line of each row, without long strings. */
  readonly texts: readonly string[];
  /** The place of each row. */
  readonly places: readonly LinePlace[];
  /** Returns the members of a row, in the order of its line. */
  readonly members: (index: number) => readonly Member[];
  /** Frees the memory of long strings. The caller must not use them afterwards. */
  readonly free: () => void;
}

/** Options for reading lines. */
export interface LineDialect extends RowLimit {
  /** The name of the file in errors. */
  readonly name: string;
  /** The treatment of text that is not UTF-8. */
  readonly invalid: InvalidText;
  /** The sizes from which lines, and strings in them, count as long. Default: 8 MiB and 64 KiB. */
  readonly long?: LongLimits;
}

/** The bytes from which a line is long, and from which strings in a long line stay bytes. */
interface LongLimits {
  readonly lineBytes: number;
  readonly stringBytes: number;
}

/** Reads rows, a few hundred kilobytes of lines at a time. Empty lines are skipped. */
export async function* readJsonRows(
  input: FileInput,
  dialect: LineDialect,
  mode: NumberMode = "values",
): AsyncGenerator<JsonRows, void, void> {
  let texts: string[] = [];
  let places: LinePlace[] = [];
  let line = 0;
  let row = 0;
  let numBytes = 0;
  const long = new GrowingBytes();
  const free = () => long.free();
  const take = (strings: readonly LongString[] = []) => {
    const page = parseLines({ texts, places, strings, free }, mode, dialect.name);
    texts = [];
    places = [];
    numBytes = 0;
    return page;
  };
  try {
    const { bytes: mostBytes, why } = rowLimit(dialect, mostLineBytes, "the longest text");
    const tooLong = () => {
      const problem = `has more than ${mostBytes} bytes, ${why}`;
      return lineError(dialect.name, { line: line + 1, row }, problem);
    };
    for await (const lines of splitLines(input, long, { mostBytes, tooLong })) {
      for (const bytes of lines) {
        const place = { line: ++line, row };
        const { text, strings } = textOf(bytes, place, dialect);
        if (text.trim() === "") continue;
        texts.push(text);
        places.push(place);
        row++;
        numBytes += bytes.length;
        if (numBytes >= pageBytes || strings.length > 0) yield take(strings);
      }
    }
    if (texts.length > 0) yield take();
  } finally {
    free();
  }
}

interface LinePlace {
  /** The line, counted from 1. */
  readonly line: number;
  /** The row, counted from 0. */
  readonly row: number;
}

/** The parts of a line's error besides its problem. */
interface LineErrorOptions {
  readonly column?: string;
  readonly cause?: unknown;
  /** The end of the message, which may name options. */
  readonly remedy?: OptionText;
}

/** Returns the error of a row. The message names the line, counted from 1 as editors do. */
export function lineError(
  name: string,
  { line, row }: LinePlace,
  problem: string,
  { column, cause, remedy = [] }: LineErrorOptions = {},
): FileError {
  const where = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  const place = { row, ...(column === undefined ? {} : { column }), cause };
  return FileError.naming(name, [`${where}: ${problem}`, ...remedy], place);
}

const decoders = {
  error: new TextDecoder("utf-8", { fatal: true }),
  replace: new TextDecoder("utf-8"),
};

/** The length of V8's longest string. */
const mostLineBytes = 2 ** 29 - 24;

/** The text of a line, and the strings that were cut out of it. */
interface LineText {
  readonly text: string;
  readonly strings: readonly LongString[];
}

const noStrings: readonly LongString[] = [];

function textOf(line: Uint8Array, place: LinePlace, dialect: LineDialect): LineText {
  const { name, invalid, long = usualLimits } = dialect;
  const { bytes, strings } = line.length < long.lineBytes
    ? { bytes: line, strings: noStrings }
    : cutLongStrings(line, { leastBytes: long.stringBytes, invalid });
  try {
    return { text: decoders[invalid].decode(bytes), strings };
  } catch (cause) {
    const column = columnOfInvalid(bytes);
    throw lineError(name, place, "invalid UTF-8", {
      cause,
      ...(column === undefined ? {} : { column }),
    });
  }
}

/** Lines that are parsed in one call. Only the last may have long strings. */
interface Page extends Pick<JsonRows, "texts" | "places" | "free"> {
  readonly strings: readonly LongString[];
}

function parseLines(
  { texts, places, strings, free }: Page,
  mode: NumberMode,
  name: string,
): JsonRows {
  const all = `[${texts.join(`,${separator},`)}]`;
  const together = parseTogether(all, texts.length, mode);
  const rows = texts.map((text, index) => {
    const place = places[index]!;
    const value = together === undefined ? parseLine(text, place, mode, name) : together[index];
    checkRow(value, text, place, name);
    return value;
  });
  const found: (readonly Member[] | undefined)[] = [];
  const members = (index: number) => found[index] ??= membersOf(texts[index]!);
  const page = { rows, texts, places, members, free };
  const numKeys = rows.reduce((sum, row) => sum + Object.keys(row).length, 0);
  if (mayRepeatKeys(all, numKeys)) checkKeysOnce(page, name);
  if (strings.length > 0) putLongStrings(rows[rows.length - 1]!, strings);
  return page;
}

/** Parses many lines in one call. Undefined if any of them is not exactly one JSON value. */
function parseTogether(text: string, numLines: number, mode: NumberMode): unknown[] | undefined {
  try {
    const values = parseJson(text, mode) as unknown[];
    if (values.length !== 2 * numLines - 1) return undefined;
    const rows = values.filter((_, index) => index % 2 === 0);
    return values.every((value, index) => index % 2 === 0 || value === separator)
      ? rows
      : undefined;
  } catch {
    return undefined;
  }
}

function parseLine(text: string, place: LinePlace, mode: NumberMode, name: string): unknown {
  try {
    return parseJson(text, mode);
  } catch (cause) {
    // Only the reviver for long numbers can overflow the stack, not the parser itself.
    const problem = cause instanceof RangeError ? "is nested too deeply" : "is not JSON";
    throw lineError(name, place, problem + adviceOf(text, place), { cause });
  }
}

function checkRow(
  value: unknown,
  text: string,
  place: LinePlace,
  name: string,
): asserts value is JsonRow {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw lineError(name, place, "is not an object" + adviceOf(text, place));
}

/** Returns advice for a file whose first row looks like JSON on several lines. */
function adviceOf(text: string, { row }: LinePlace): string {
  if (row > 0) return "";
  const start = text.trim();
  if (start.startsWith("[")) {
    return "; it begins an array, of which jq -c '.[]' writes each item on a line";
  }
  return start === "{" ? "; it may go on in the next, jq -c . writes each value on one line" : "";
}

/** Rejects duplicate keys: JSON does not define which value counts. */
function checkKeysOnce({ rows, texts, places, members }: JsonRows, name: string): void {
  for (const [index, row] of rows.entries()) {
    if (!mayRepeatKeys(texts[index]!, Object.keys(row).length)) continue;
    const keys = new Set<string>();
    for (const { key } of members(index)) {
      if (keys.has(key)) {
        throw lineError(name, places[index]!, "the key appears twice", { column: key });
      }
      keys.add(key);
    }
  }
}

/** A noncharacter that marks the first invalid byte; it does not occur in interchanged text. */
const MARK = "\ufdd0";

/** Returns the column whose value has the first invalid UTF-8 of a row, if any. */
function columnOfInvalid(bytes: Uint8Array): string | undefined {
  const stop = validBytes(bytes);
  const decoder = new TextDecoder("utf-8");
  const marked = decoder.decode(bytes.subarray(0, stop)) + MARK +
    decoder.decode(bytes.subarray(stop));
  try {
    const row: unknown = JSON.parse(marked);
    if (typeof row !== "object" || row === null) return undefined;
    return Object.entries(row).find(([, value]) => JSON.stringify(value).includes(MARK))?.[0];
  } catch {
    return undefined;
  }
}

/** Returns the length of the longest prefix that could begin valid UTF-8. */
function validBytes(bytes: Uint8Array): number {
  return firstWhere(0, bytes.length, (length) => !isValidSoFar(bytes.subarray(0, length + 1)));
}

function isValidSoFar(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
