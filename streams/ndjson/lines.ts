/**
 * The lines of an NDJSON file as values.
 *
 * @module
 */

import { FileError } from "../errors.ts";
import type { FileInput } from "../file_input.ts";
import { GrowingBytes } from "../growing_bytes.ts";
import type { InvalidText } from "../sound_text.ts";
import { cutLongStrings, putLongStrings } from "./cut_long_strings.ts";
import { columnOfInvalid } from "./invalid_text.ts";
import type { LongString } from "./long_text.ts";
import { mayRepeatKeys, type Member, membersOf } from "./members.ts";
import { type NumberMode, parseJson } from "./parse_json.ts";
import { splitLines } from "./split_lines.ts";

/**
 * What stands between lines that are parsed together: without it `{},{"a":[1` and `2]}` would be two
 * objects. No line can know it.
 */
const separator = Math.floor(Math.random() * 2 ** 30);
/** Bytes of lines that are parsed in one call. */
const pageBytes = 256 << 10;
/** What is long, if nothing else is said. */
const usualLimits: LongLimits = { lineBytes: 8 << 20, stringBytes: 64 << 10 };

/** A row: an object with numbers as `parseJson` gives them, and a `LongString` for each long string. */
type JsonRow = Readonly<Record<string, unknown>>;

/** Rows of the file. */
export interface JsonRows {
  readonly rows: readonly JsonRow[];
  /** The line of each, without long strings. */
  readonly texts: readonly string[];
  /** Where each of them lies. */
  readonly places: readonly LinePlace[];
  /** The members of a row, in the order of its line. */
  readonly members: (index: number) => readonly Member[];
  /** Gives back the memory of long strings, which are not looked at any more. */
  readonly free: () => void;
}

/** How lines are read. */
export interface LineDialect {
  /** What errors call the file. */
  readonly name: string;
  /** What becomes of text that is not UTF-8. */
  readonly invalid: InvalidText;
  /** What is long. Default: lines of 8 MiB, and in these strings of 64 KiB. */
  readonly long?: LongLimits;
}

/** Bytes of long lines, and of their strings of which none of JavaScript are made. */
interface LongLimits {
  readonly lineBytes: number;
  readonly stringBytes: number;
}

/** Reads rows, some hundred kilobytes of lines at a time. Empty lines are skipped. */
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
    for await (const lines of splitLines(input, long)) {
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

/** Where a row lies. */
interface LinePlace {
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

/** The text of a line, and the strings that were cut out of it. */
interface LineText {
  readonly text: string;
  readonly strings: readonly LongString[];
}

const noStrings: readonly LongString[] = [];

function textOf(line: Uint8Array, place: LinePlace, dialect: LineDialect): LineText {
  const { name, invalid, long = usualLimits } = dialect;
  checkLength(line, place, name);
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

function checkLength(bytes: Uint8Array, place: LinePlace, name: string): void {
  if (bytes.length > mostLineBytes) {
    throw lineError(
      name,
      place,
      `has ${bytes.length} bytes, more than the ${mostLineBytes} of a string`,
    );
  }
}

/** Lines that are parsed together. Only the last may have long strings. */
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
    checkRow(value, place, name);
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

/** Parses many lines in one call; undefined where one of them is not one value. */
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
    // The parser itself has no stack to run out of, what looks at long numbers has.
    const problem = cause instanceof RangeError ? "is nested too deeply" : "is not JSON";
    throw lineError(name, place, problem, { cause });
  }
}

function checkRow(value: unknown, place: LinePlace, name: string): asserts value is JsonRow {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw lineError(name, place, "is not an object");
}

/** Refuses a row that has a key twice: JSON does not say which value counts. */
function checkKeysOnce({ rows, texts, places, members }: JsonRows, name: string): void {
  for (const [index, row] of rows.entries()) {
    if (!mayRepeatKeys(texts[index]!, Object.keys(row).length)) continue;
    const keys = new Set<string>();
    for (const { key } of members(index)) {
      if (keys.has(key)) {
        throw lineError(name, places[index]!, "the key comes twice", { column: key });
      }
      keys.add(key);
    }
  }
}
