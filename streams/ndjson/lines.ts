/**
 * The lines of an NDJSON file as values.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import { FileError } from "../errors.ts";
import type { FileInput } from "../file_input.ts";

const lineFeed = 0x0a;
const maxRead = 1 << 20;
/** Where a number may be an integer that a double cannot hold: not the digits of a fraction. */
const longInteger = /[:,[\s]-?\d{16}/;

/** A row: an object whose integers beyond 2^53 are bigint. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** Rows of the file, and the number of the line on which each lies, counted from 1. */
export interface JsonRows {
  readonly rows: readonly JsonRow[];
  readonly lines: readonly number[];
}

/** Reads rows, some hundred kilobytes of lines at a time. Empty lines are skipped. */
export async function* readJsonRows(
  input: FileInput,
  name: string,
): AsyncGenerator<JsonRows, void, void> {
  let rest = new Uint8Array(0);
  let line = 1;
  for (;;) {
    const chunk = rest.length < maxRead ? await input.readSome() : await input.read(rest.length);
    const bytes = new Uint8Array(rest.length + chunk.length);
    bytes.set(rest);
    bytes.set(chunk, rest.length);
    const isLast = chunk.length === 0;
    const stop = isLast ? bytes.length : bytes.lastIndexOf(lineFeed) + 1;
    if (stop > 0) {
      const texts = linesOf(bytes.subarray(0, stop), line, name);
      const parsed = parseLines(texts, line, name);
      if (parsed.rows.length > 0) yield parsed;
      line += texts.length;
    }
    if (isLast) return;
    rest = bytes.subarray(stop);
  }
}

/** Splits whole lines; the one behind the last line feed is left out if it is empty. */
function linesOf(bytes: Uint8Array, firstLine: number, name: string): string[] {
  if (!isUtf8(bytes)) throw invalidUtf8(bytes, firstLine, name);
  const texts = new TextDecoder().decode(bytes).split("\n");
  if (texts.at(-1) === "") texts.pop();
  return texts;
}

function invalidUtf8(bytes: Uint8Array, firstLine: number, name: string): FileError {
  let line = firstLine;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(lineFeed, start);
    const stop = end < 0 ? bytes.length : end;
    if (!isUtf8(bytes.subarray(start, stop))) break;
    start = stop + 1;
  }
  return new FileError(name, `line ${line}: invalid UTF-8`, { row: line });
}

function parseLines(texts: readonly string[], firstLine: number, name: string): JsonRows {
  const rows: JsonRow[] = [];
  const lines: number[] = [];
  const kept: string[] = [];
  for (const [index, text] of texts.entries()) {
    if (text.trim() === "") continue;
    kept.push(text);
    lines.push(firstLine + index);
  }
  for (const [index, value] of parseTogether(kept)?.entries() ?? []) {
    checkRow(value, lines[index]!, name);
    rows.push(value);
  }
  if (rows.length === kept.length) return { rows, lines };
  return { rows: kept.map((text, index) => parseLine(text, lines[index]!, name)), lines };
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

function parseLine(text: string, line: number, name: string): JsonRow {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw new FileError(name, `line ${line}: is not JSON`, { cause, row: line });
  }
  checkRow(value, line, name);
  return value;
}

function checkRow(value: unknown, line: number, name: string): asserts value is JsonRow {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw new FileError(name, `line ${line}: is not an object`, { row: line });
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
