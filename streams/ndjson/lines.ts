/**
 * The lines of an NDJSON file as values.
 *
 * @module
 */

import { DelimiterStream } from "@std/streams";
import { FileError } from "../errors.ts";
import type { FileInput } from "../file_input.ts";
import type { InvalidText } from "../sound_text.ts";

const lineFeed = new Uint8Array([0x0a]);
/** Bytes of lines that are parsed in one call. */
const pageBytes = 256 << 10;
/** Where a number may be an integer that a double cannot hold: not the digits of a fraction. */
const longInteger = /[:,[\s]-?\d{16}/;

/** A row: an object whose integers beyond 2^53 are bigint. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** Rows of the file, and the number of the line on which each lies, counted from 1. */
export interface JsonRows {
  readonly rows: readonly JsonRow[];
  readonly lines: readonly number[];
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
  const lines: ReadableStream<Uint8Array> = ReadableStream.from(chunksOf(input))
    .pipeThrough(new DelimiterStream(lineFeed));
  let texts: string[] = [];
  let firstLine = 1;
  let numBytes = 0;
  for await (const bytes of lines) {
    texts.push(textOf(bytes, firstLine + texts.length, dialect));
    numBytes += bytes.length;
    if (numBytes < pageBytes) continue;
    const page = parseLines(texts, firstLine, dialect.name);
    if (page.rows.length > 0) yield page;
    firstLine += texts.length;
    texts = [];
    numBytes = 0;
  }
  const page = parseLines(texts, firstLine, dialect.name);
  if (page.rows.length > 0) yield page;
}

async function* chunksOf(input: FileInput): AsyncGenerator<Uint8Array, void, void> {
  for (;;) {
    const chunk = await input.readSome();
    if (chunk.length === 0) return;
    yield chunk;
  }
}

const decoders = {
  error: new TextDecoder("utf-8", { fatal: true }),
  replace: new TextDecoder("utf-8"),
};

function textOf(bytes: Uint8Array, line: number, { name, invalid }: LineDialect): string {
  try {
    return decoders[invalid].decode(bytes);
  } catch (cause) {
    throw new FileError(name, `line ${line}: invalid UTF-8`, { cause, row: line });
  }
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
