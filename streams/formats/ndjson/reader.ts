/**
 * Reads the columns and rows of NDJSON files.
 *
 * @module
 */

import { typeRemedy } from "../../../base/errors/option_text.ts";
import { type Data, DataType, Field, makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import { FileError } from "../../../base/errors/file_error.ts";
import type { FileInput } from "../../bytes/file_input.ts";
import { DIGITS, unknownType } from "../given_types.ts";
import { hasJsonMark, withJsonMark } from "../../data/extension_type.ts";
import { scalarTypeOf } from "../../types/scalar_type.ts";
import type { OpenOptions, SourceRows } from "../../plan/source.ts";
import { jsonColumn } from "./columns.ts";
import type { FileKeys } from "../given_keys.ts";
import {
  fitsColumn,
  jsonArrowType,
  type JsonType,
  jsonTypeOf,
  knownType,
  namedType,
  unitedType,
} from "./json_type.ts";
import { type JsonRows, type LineDialect, lineError, readJsonRows } from "./lines.ts";
import { LongString, type LongText } from "./long_text.ts";
import { compactText } from "./parse_json.ts";

/** Options for reading a file. */
export interface NdjsonDialect extends LineDialect {
  /** The given types, by column; the others are guessed. */
  readonly types: Readonly<Record<string, string>>;
  /** The keys for which a type was given, to report those that no row has. */
  readonly keys: FileKeys;
}

/** A column of an NDJSON file. */
interface JsonColumn {
  readonly name: string;
  readonly type: JsonType;
  /** Whether the type was given, not guessed. */
  readonly isGiven: boolean;
  /** Whether the type is a default: no value suggested one, and the user named none. */
  readonly isUntyped?: boolean;
}

/** The columns found in the first rows of an NDJSON file. */
export interface JsonTable {
  /** The columns; in a file without rows, those whose types are given. */
  readonly columns: readonly JsonColumn[];
  /** Whether the file has no rows at all. */
  readonly isEmpty: boolean;
}

/** Types are guessed from at least this many rows, if the file has them. */
const sampleRows = 10_000;
const emptyPage: JsonRows = { rows: [], texts: [], places: [], members: () => [], free: () => {} };
const givenTypes = ["string", "int64", "float64", "bool", "json", "list<...>"];

/**
 * Returns the schema of columns. All are nullable, since any key may be missing. Fields of JSON
 * text are marked as such.
 */
export function jsonSchema(columns: readonly JsonColumn[]): Schema {
  return new Schema(columns.map(({ name, type }) => {
    const field = new Field(name, jsonArrowType(type), true);
    return type === "json" ? withJsonMark(field) : field;
  }));
}

/** Returns the NDJSON type for a field of another file; undefined if there is none. */
export function jsonTypeIn(field: Field): JsonType | undefined {
  if (hasJsonMark(field)) return "json";
  const { type } = field;
  const item = DataType.isList(type) ? jsonTypeIn(type.children[0]!) : undefined;
  return namedType(item === undefined ? scalarTypeOf(type) ?? "" : `list<${item}>`);
}

/** Reads the first rows and returns their columns in the order in which they appear. */
export async function readJsonTable(
  input: FileInput,
  dialect: NdjsonDialect,
): Promise<JsonTable> {
  const { name: file, types: given, keys } = dialect;
  const types = new Map<string, JsonType | undefined>();
  let numRows = 0;
  let isWhole = true;
  for await (const page of readJsonRows(input, dialect, "types")) {
    for (const [index, row] of page.rows.entries()) {
      for (const name of keysOf(page, index)) {
        const known = types.get(name);
        const own = Object.hasOwn(given, name) ? undefined : jsonTypeOf(row[name]);
        const type = own === undefined ? known : unitedType(known, own);
        if (own !== undefined && type === undefined) {
          const column = { name, type: knownType(known!), isGiven: false };
          throw misfit(file, page, index, column);
        }
        types.set(name, type);
      }
    }
    numRows += page.rows.length;
    if (numRows < sampleRows) continue;
    isWhole = false;
    break;
  }
  keys.see(types.keys());
  for (const [name, type] of Object.entries(given)) types.set(name, givenType(file, name, type));
  if (isWhole) keys.end();
  const columns = [...types].map(([name, type]) => {
    const isGiven = Object.hasOwn(given, name);
    return { name, type: knownType(type ?? "string"), isGiven, isUntyped: type === undefined };
  });
  return { columns, isEmpty: numRows === 0 };
}

/**
 * Returns the keys of a row in the order of the file; JavaScript objects put integer-like keys
 * first.
 */
function keysOf({ rows, members }: JsonRows, index: number): string[] {
  const keys = Object.keys(rows[index]!);
  const isSorted = keys.length > 1 && /^\d+$/.test(keys[0]!);
  return isSorted ? members(index).map(({ key }) => key) : keys;
}

/** Reads all rows; the input must be at its first byte. */
export async function* readNdjsonRows(
  input: FileInput,
  { columns: wanted }: OpenOptions,
  columns: readonly JsonColumn[],
  dialect: NdjsonDialect,
): AsyncGenerator<SourceRows, void, void> {
  const { name: file, keys } = dialect;
  const chosen = columns.filter(({ name }) => wanted === undefined || wanted.includes(name));
  const schema = jsonSchema(chosen);
  const type = new Struct(schema.fields);
  const names = new Set(columns.map(({ name }) => name));
  const batchOf = (page: JsonRows) => {
    const children = chosen.map((column) => columnOf(page, column, dialect));
    const length = page.rows.length;
    return new RecordBatch(schema, makeData({ type, length, nullCount: 0, children }));
  };
  let firstRow = 0;
  for await (const page of readJsonRows(input, dialect)) {
    checkKeys(page, names, file);
    for (const name of keys.missing) {
      if (page.rows.some((row) => Object.hasOwn(row, name))) keys.see([name]);
    }
    const batch = batchOf(page);
    page.free();
    yield { batch, firstRow };
    firstRow += batch.numRows;
  }
  keys.end();
  if (firstRow === 0) yield { batch: batchOf(emptyPage), firstRow };
}

function columnOf(page: JsonRows, column: JsonColumn, { name: file, invalid }: LineDialect): Data {
  const { name, type, isGiven } = column;
  if (type === "json") {
    return jsonColumn("string", page.rows.map((_, index) => textOf(page, index, name)));
  }
  const values = page.rows.map((row) => (Object.hasOwn(row, name) ? row[name] : null));
  if (type === DIGITS) {
    const texts = values.map((value, index) =>
      typeof value === "string" ? value : textOf(page, index, name)
    );
    return jsonColumn("string", texts);
  }
  const isInteger = !isGiven && /^(list<)*int64/.test(type);
  const bad = values.findIndex((value, index) =>
    !fitsColumn(type, value, isGiven) ||
    (isInteger && hasNegativeZero(value) && /-0[.eE]/.test(textOf(page, index, name)!.toString()))
  );
  if (bad >= 0) throw misfit(file, page, bad, column);
  if (invalid === "error") {
    const torn = values.findIndex((value) => !isWellFormed(value));
    const problem = "half of a surrogate pair, which UTF-8 cannot hold";
    if (torn >= 0) throw lineError(file, page.places[torn]!, problem, { column: name });
  }
  return jsonColumn(type, values);
}

/** Returns the JSON text of a value as in the file, without whitespace; null if the key is missing. */
function textOf(
  { rows, texts, members }: JsonRows,
  index: number,
  name: string,
): string | LongText | null {
  const row = rows[index]!;
  if (!Object.hasOwn(row, name) || row[name] === null) return null;
  if (row[name] instanceof LongString) return row[name].json;
  return compactText(texts[index]!, members(index).find(({ key }) => key === name)!);
}

/** Whether a value is -0, or a list with such an item. It may be written as -0.0, a float. */
function hasNegativeZero(value: unknown): boolean {
  return Object.is(value, -0) || (Array.isArray(value) && value.some(hasNegativeZero));
}

/** Whether the text of a value can be encoded as UTF-8. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string" || value instanceof LongString) return value.isWellFormed();
  return !Array.isArray(value) || value.every(isWellFormed);
}

function checkKeys({ rows, places }: JsonRows, names: ReadonlySet<string>, file: string): void {
  for (const [index, row] of rows.entries()) {
    for (const name in row) {
      if (names.has(name)) continue;
      const own = jsonTypeOf(row[name]) ?? "string";
      const remedy = typeRemedy(name, givenTypes.includes(own) ? own : "json");
      const problem = "is not a key of the first rows";
      throw lineError(file, places[index]!, problem, { column: name, remedy });
    }
  }
}

function givenType(file: string, name: string, type: string): JsonType {
  const known = type === DIGITS ? type : namedType(type);
  if (known !== undefined) return known;
  throw new FileError(file, unknownType(type, name, givenTypes));
}

function misfit(file: string, page: JsonRows, index: number, column: JsonColumn): FileError {
  const { name, type, isGiven } = column;
  const shown = textOf(page, index, name)!.slice(0, 40);
  const isFloat = type === "int64" && fitsColumn("float64", page.rows[index]![name], false);
  const why = isGiven ? "" : ", as the first rows suggested";
  const hasCure = !isGiven || isFloat || type === "string";
  const remedy = hasCure ? typeRemedy(name, isFloat ? "float64" : "json") : [];
  // Only a guessed json column rejects values: it holds objects, lists and numbers.
  const expected = type === "json" ? "list, object or number" : `valid ${type}`;
  return lineError(file, page.places[index]!, `${shown} is not a ${expected}${why}`, {
    column: name,
    remedy,
  });
}
