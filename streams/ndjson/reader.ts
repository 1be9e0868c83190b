/**
 * Reading NDJSON.
 *
 * @module
 */

import { type Data, Field, makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import { FileError } from "../errors.ts";
import type { FileInput } from "../file_input.ts";
import type { OpenOptions } from "../source.ts";
import { jsonColumn, jsonText } from "./columns.ts";
import {
  fitsColumn,
  jsonArrowType,
  type JsonType,
  jsonTypeOf,
  knownType,
  namedType,
  unitedType,
} from "./json_type.ts";
import {
  type JsonRows,
  type LineDialect,
  lineError,
  type LinePlace,
  readJsonRows,
} from "./lines.ts";

/** How a file is read. */
export interface NdjsonDialect extends LineDialect {
  /** The types of columns that are not to be guessed. */
  readonly types: Readonly<Record<string, string>>;
}

/** A column of an NDJSON file. */
export interface JsonColumn {
  readonly name: string;
  readonly type: JsonType;
}

/** What the first rows of an NDJSON file tell. */
export interface JsonTable {
  /** The columns; a file without rows has those whose types are given. */
  readonly columns: readonly JsonColumn[];
  /** Whether the file has no rows at all. */
  readonly isEmpty: boolean;
}

/** Rows that types are guessed from, at least where there are as many. */
const sampleRows = 10_000;
const givenTypes = "string, int64, float64, bool, json, list<...>";

/** The schema of columns. Any key may be missing. */
export function jsonSchema(columns: readonly JsonColumn[]): Schema {
  return new Schema(
    columns.map(({ name, type }) => new Field(name, jsonArrowType(type), true)),
  );
}

/** Finds the columns of the first rows, in the order in which they appear. */
export async function readJsonTable(
  input: FileInput,
  dialect: NdjsonDialect,
): Promise<JsonTable> {
  const { name: file, types: given } = dialect;
  const types = new Map<string, JsonType | undefined>();
  let numRows = 0;
  for await (const { rows, places } of readJsonRows(input, dialect)) {
    for (const [index, row] of rows.entries()) {
      for (const [name, value] of Object.entries(row)) {
        const known = types.get(name);
        const own = jsonTypeOf(value);
        const type = own === undefined || Object.hasOwn(given, name)
          ? known
          : unitedType(known, own);
        if (own !== undefined && type === undefined && !Object.hasOwn(given, name)) {
          throw misfit(file, places[index]!, name, known!, value);
        }
        types.set(name, type);
      }
    }
    numRows += rows.length;
    if (numRows >= sampleRows) break;
  }
  for (const [name, type] of Object.entries(given)) types.set(name, givenType(file, name, type));
  const columns = [...types].map(([name, type]) => ({ name, type: knownType(type ?? "string") }));
  return { columns, isEmpty: numRows === 0 };
}

/** Reads record batches. */
export async function* readJsonBatches(
  input: FileInput,
  { columns: wanted }: OpenOptions,
  columns: readonly JsonColumn[],
  dialect: LineDialect,
): AsyncGenerator<RecordBatch, void, void> {
  const file = dialect.name;
  const chosen = columns.filter(({ name }) => wanted === undefined || wanted.includes(name));
  const schema = jsonSchema(chosen);
  const type = new Struct(schema.fields);
  const names = new Set(columns.map(({ name }) => name));
  const batchOf = (page: JsonRows) => {
    const children = chosen.map((column) => columnOf(page, column, dialect));
    const length = page.rows.length;
    return new RecordBatch(schema, makeData({ type, length, nullCount: 0, children }));
  };
  let isEmpty = true;
  for await (const page of readJsonRows(input, dialect)) {
    isEmpty = false;
    checkKeys(page, names, file);
    yield batchOf(page);
  }
  if (isEmpty) yield batchOf({ rows: [], places: [] });
}

function columnOf(
  { rows, places }: JsonRows,
  { name, type }: JsonColumn,
  { name: file, invalid }: LineDialect,
): Data {
  const values = rows.map((row) => (Object.hasOwn(row, name) ? row[name] : null));
  const bad = values.findIndex((value) => !fitsColumn(type, value));
  if (bad >= 0) throw misfit(file, places[bad]!, name, type, values[bad]);
  if (type === "json") {
    const texts = values.map((value) => value == null ? null : textOf(value));
    const deep = texts.indexOf(undefined);
    if (deep >= 0) throw lineError(file, places[deep]!, "is nested too deeply", { column: name });
    return jsonColumn("string", texts);
  }
  if (invalid === "error") {
    const torn = values.findIndex((value) => !isWellFormed(value));
    const problem = "half of a surrogate pair, which UTF-8 cannot hold";
    if (torn >= 0) throw lineError(file, places[torn]!, problem, { column: name });
  }
  return jsonColumn(type, values);
}

/** Whether the text of a value can be written as UTF-8; in JSON text it stays an escape. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  return !Array.isArray(value) || value.every(isWellFormed);
}

/** The JSON text of a value; undefined where it is nested too deeply for the stack. */
function textOf(value: unknown): string | undefined {
  try {
    return jsonText(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function checkKeys({ rows, places }: JsonRows, names: ReadonlySet<string>, file: string): void {
  for (const [index, row] of rows.entries()) {
    for (const name in row) {
      if (names.has(name)) continue;
      const cure = `name its type in types, such as "string"`;
      const problem = `is not a key of the first rows; ${cure}`;
      throw lineError(file, places[index]!, problem, { column: name });
    }
  }
}

function givenType(file: string, name: string, type: string): JsonType {
  const known = namedType(type);
  if (known !== undefined) return known;
  throw new FileError(file, `type ${type} of column ${name} is none of ${givenTypes}`);
}

function misfit(
  file: string,
  place: LinePlace,
  column: string,
  type: JsonType,
  value: unknown,
): FileError {
  const shown = textOf(value) ?? "a value that is nested too deeply";
  return lineError(file, place, `${shown.slice(0, 40)} is no ${type}`, { column });
}
