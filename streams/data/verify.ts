/**
 * Verifies the metadata of a message or a footer before apache-arrow decodes it. The decoder checks
 * nothing: it would loop over billions of missing entries, and read missing values as zeros.
 *
 * Field numbers follow the order in Message.fbs, Schema.fbs and File.fbs of the Arrow format.
 *
 * @module
 */

import { BrokenPartError, UnsupportedArrowError } from "../../base/errors/data_error.ts";
import { type FlatTable, rootTable } from "./flat_table.ts";

const headers = {
  schema: 1,
  dictionaryBatch: 2,
  recordBatch: 3,
  tensor: 4,
  sparseTensor: 5,
} as const;

/** Columns nested deeper than this are rejected. */
const maxDepth = 64;

/** Throws if an offset in the metadata of a message points outside its bytes. */
export function verifyMessage(bytes: Uint8Array): void {
  const message = rootTable(bytes);
  verifyKeyValues(message, 4);
  const header = message.table(2);
  if (header === undefined) throw new BrokenPartError("it has no header");
  switch (message.byte(1)) {
    case headers.schema:
      return verifySchema(header);
    case headers.dictionaryBatch:
      return verifyBatch(header.table(1));
    case headers.recordBatch:
      return verifyBatch(header);
    case headers.tensor:
    case headers.sparseTensor:
      throw new UnsupportedArrowError("holds a tensor");
    default:
      throw new BrokenPartError("it is neither a schema nor a record batch nor a dictionary");
  }
}

/** Throws if an offset in a footer points outside its bytes. */
export function verifyFooter(bytes: Uint8Array): void {
  const footer = rootTable(bytes);
  verifySchema(footer.table(1));
  const blockBytes = 24;
  footer.vector(2, blockBytes);
  footer.vector(3, blockBytes);
  verifyKeyValues(footer, 4);
}

function verifySchema(schema: FlatTable | undefined): void {
  if (schema === undefined) throw new BrokenPartError("it has no schema");
  if (schema.byte(0) !== 0) {
    throw new UnsupportedArrowError("has big-endian numbers");
  }
  for (const field of schema.tables(1)) verifyField(field, field.string(0) ?? "", maxDepth);
  verifyKeyValues(schema, 2);
}

function verifyField(field: FlatTable, column: string, depth: number): void {
  if (depth === 0) throw new BrokenPartError(`column ${column} is nested too deeply`);
  const type = field.byte(2);
  const unread = unreadTypes[type];
  if (unread !== undefined) {
    throw new UnsupportedArrowError(`column ${column} is ${unread}`);
  }
  if (type === 0 || type > lastType) {
    throw new BrokenPartError(`column ${column} is of no known type`);
  }
  const parameters = field.table(3);
  // Only two types have variable-length parameters: the type ids of a union, a timestamp's time zone.
  if (type === unionType) parameters?.vector(1, 4);
  if (type === timestampType) parameters?.string(1);
  field.table(4)?.table(1);
  for (const child of field.tables(5)) {
    child.string(0);
    verifyField(child, column, depth - 1);
  }
  verifyKeyValues(field, 6);
}

const timestampType = 10;
const unionType = 14;
const lastType = 24;
/** Types of the format that apache-arrow does not support. */
const unreadTypes: Readonly<Record<number, string>> = {
  22: "run-end encoded",
  25: "a list view",
  26: "a large list view",
};

function verifyBatch(batch: FlatTable | undefined): void {
  if (batch === undefined) throw new BrokenPartError("it has no record batch");
  const pairBytes = 16;
  batch.vector(1, pairBytes);
  batch.vector(2, pairBytes);
  const compression = batch.table(3);
  if (compression !== undefined && compression.byte(1) !== 0) {
    throw new UnsupportedArrowError("has record batches that are compressed as a whole");
  }
  batch.vector(4, 8);
}

function verifyKeyValues(table: FlatTable, field: number): void {
  for (const pair of table.tables(field)) {
    pair.string(0);
    pair.string(1);
  }
}
