/**
 * Detects that a file uses another delimiter than the one it is read with.
 *
 * @module
 */

import { option, type OptionText, optionText } from "../../../base/errors/option_text.ts";
import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import { FileError } from "../../../base/errors/file_error.ts";
import type { FileInput } from "../../bytes/file_input.ts";
import { CsvRecords, type RecordDialect } from "./records.ts";

/** The usual delimiters, in the order in which they are tried, with their names in errors. */
const delimiters: ReadonlyMap<string, string> = new Map([
  [",", "commas"],
  [";", "semicolons"],
  ["\t", "tabs"],
  ["|", "bars"],
]);
/** The number of rows that must agree. */
const mostRows = 100;

/**
 * Looks for another delimiter in a file whose header is a single field or malformed. Returns an
 * error that names the first one that splits the header and each of the first rows into the same
 * number of fields; undefined if there is none, so the file really has one column. Reads the input
 * from its start and leaves it anywhere.
 */
export async function otherDelimiter(
  input: FileInput,
  dialect: RecordDialect,
  { numRows, cause }: { readonly numRows: number; readonly cause?: unknown },
): Promise<FileError | undefined> {
  const own = String.fromCharCode(dialect.delimiter);
  for (const [delimiter, name] of delimiters) {
    if (delimiter === own) continue;
    await input.rewind();
    const numFields = await commonFields(input, {
      ...dialect,
      delimiter: delimiter.charCodeAt(0),
    }, Math.min(numRows, mostRows));
    if (numFields === undefined) continue;
    const missing = delimiters.get(own) ?? JSON.stringify(own);
    const problem =
      optionText`has no ${missing} between its fields but ${name}, which split its header and rows into ${
        String(numFields)
      } fields; ${cureOf(delimiter, own)}`;
    return FileError.naming(dialect.name, problem, { cause });
  }
  return undefined;
}

/**
 * Returns the error for a file that begins with a line such as `sep=;`, which tells Excel the
 * delimiter.
 */
export function delimiterLineError(told: string, { name, delimiter }: RecordDialect): FileError {
  const isOwn = told === String.fromCharCode(delimiter);
  const cure = isOwn ? "remove it" : optionText`remove it, and give ${option("delimiter", told)}`;
  return FileError.naming(
    name,
    optionText`begins with the line "sep=${told}" for Excel, which is not a header; ${cure}`,
  );
}

function cureOf(delimiter: string, own: string): OptionText {
  const format = { ",": "csv", "\t": "tsv" }[delimiter];
  const split = format === undefined ? option("delimiter", delimiter) : option("format", format);
  return optionText`${split} splits them, ${option("delimiter", own)} reads one column`;
}

/**
 * Returns the number of fields that the header and the first rows have in common; undefined if they
 * differ, have one field, or are malformed.
 */
async function commonFields(
  input: FileInput,
  dialect: RecordDialect,
  numRows: number,
): Promise<number | undefined> {
  using records = new CsvRecords(input, dialect);
  try {
    if (!await records.next()) return undefined;
    const { numFields } = records.scanner;
    if (numFields === 1) return undefined;
    for (let row = 0; row < numRows && await records.next(); row++) {
      if (records.scanner.numFields !== numFields) return undefined;
    }
    return numFields;
  } catch (error) {
    if (isSluiceError(error, "FileError")) return undefined;
    throw error;
  }
}
