/**
 * Reads the columns and rows of CSV files.
 *
 * The parser is our own and works on bytes: text goes from the file to Arrow buffers without
 * becoming JavaScript strings, and malformed files are detected. udsv, the fastest package, appends
 * surplus fields to the last column, continues short rows on the next line, and cannot tell an
 * empty field from an empty string.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import { distinctNames, type Duplicates } from "../../types/distinct_names.ts";
import { FileError } from "../../../base/errors/file_error.ts";
import { type CastColumns, csvTypes, unknownType, withoutColumn } from "../given_types.ts";
import type { ScalarType } from "../../types/scalar_type.ts";
import type { InvalidText } from "../../text/valid_utf8.ts";
import type { FileInput } from "../../bytes/file_input.ts";
import type { OpenOptions, SourceRows } from "../../plan/source.ts";
import { BatchBuilder, type CsvColumn } from "./batch_builder.ts";
import { TypeGuess } from "./infer.ts";
import { CsvRecords, type RecordDialect } from "./records.ts";

/** Options for reading CSV. */
interface CsvDialect extends RecordDialect, CastColumns {
  /** The given types, by column; the others are guessed. */
  readonly types: Readonly<Record<string, ScalarType>>;
  /** The treatment of text that is not UTF-8. */
  readonly invalid: InvalidText;
  /** The treatment of columns of one name. */
  readonly duplicates?: Duplicates | undefined;
  /** Whether the user named the delimiter, so that no other is looked for. */
  readonly isDelimiterGiven?: boolean;
}

/** The number of rows from which types are guessed. */
const sampleRows = 10_000;
/** A batch ends after this many rows or bytes of text. */
const batchRows = 65_536;
const batchBytes = 8 << 20;

/**
 * Reads the header, and guesses the types from the first rows. The input must be at its first byte
 * and able to rewind; it is left anywhere.
 */
export async function readCsvColumns(
  input: FileInput,
  dialect: CsvDialect,
): Promise<CsvColumn[]> {
  let found: SampledColumns | undefined;
  let failure: unknown;
  try {
    found = await sampleColumns(input, dialect);
    if (found.columns.length > 1) return found.columns;
  } catch (cause) {
    if (!isSluiceError(cause, "FileError")) throw cause;
    failure = cause;
  }
  const isClear = dialect.isDelimiterGiven || found?.numRows === 0;
  const { delimiterLineError, otherDelimiter } = await import("./other_delimiter.ts");
  if (found?.told !== undefined) throw delimiterLineError(found.told, dialect);
  const numRows = found?.numRows ?? Infinity;
  const other = isClear
    ? undefined
    : await otherDelimiter(input, dialect, { numRows, cause: failure });
  if (other !== undefined) throw other;
  if (found === undefined) throw failure;
  return found.columns;
}

interface SampledColumns {
  readonly columns: CsvColumn[];
  /** The number of rows that the types were guessed from. */
  readonly numRows: number;
  /** The delimiter that a first line `sep=;` names; such a line is not a header. */
  readonly told?: string;
}

async function sampleColumns(input: FileInput, dialect: CsvDialect): Promise<SampledColumns> {
  using records = new CsvRecords(input, dialect);
  if (!await records.next()) throw new FileError(dialect.name, "is empty, not CSV");
  const told = delimiterLine(records, dialect);
  if (told !== undefined) return { columns: [], numRows: 0, told };
  const names = columnNames(records, dialect);
  records.skipsEmptyLines = names.length > 1;
  const guesses = names.map(() => new TypeGuess());
  let numRows = 0;
  for (; numRows < sampleRows && await records.next(); numRows++) records.guess(guesses);
  const columns = names.map((name, index) => {
    const given = Object.hasOwn(dialect.types, name) ? dialect.types[name] : undefined;
    const { type, hasValues } = guesses[index]!;
    const isGiven = given !== undefined;
    return { name, type: given ?? type, isGiven, isUntyped: !isGiven && !hasValues };
  });
  return { columns, numRows };
}

/** Reads all rows; the input must be at its first byte. */
export async function* readCsvRows(
  input: FileInput,
  { columns: wanted }: OpenOptions,
  columns: readonly CsvColumn[],
  dialect: CsvDialect,
): AsyncGenerator<SourceRows, void, void> {
  using records = new CsvRecords(input, dialect);
  await records.next();
  records.skipsEmptyLines = columns.length > 1;
  const batch = new BatchBuilder(columns, wanted, dialect);
  let [firstRow, numBytes] = [0, 0];
  // Awaiting only where the buffer is exhausted takes a third less time.
  while (records.nextBuffered() || await records.next()) {
    batch.add(records);
    numBytes += records.numBytes;
    const { numRows } = batch;
    if (numRows === batchRows || numBytes >= batchBytes) {
      records.freeRecord();
      yield { batch: batch.finish(), firstRow };
      firstRow += numRows;
      numBytes = 0;
    }
  }
  if (batch.numRows > 0 || batch.isFirst) yield { batch: batch.finish(), firstRow };
}

/**
 * Returns the delimiter in a first line such as `sep=;`, which is meant for Excel; undefined if
 * there is none.
 */
function delimiterLine(records: CsvRecords, { delimiter }: CsvDialect): string | undefined {
  if (records.scanner.numFields > 2) return undefined;
  const line = records.texts().join(String.fromCharCode(delimiter));
  return /^sep=([^\w\s]|\t)?$/.exec(line)?.[1];
}

function columnNames(
  records: CsvRecords,
  { name: file, types, duplicates }: CsvDialect,
): readonly string[] {
  // Without this check all rows would become part of the header.
  if (records.endsLinesByReturns()) {
    throw new FileError(file, "ends its lines with CR alone; write LF or CRLF");
  }
  const given = records.texts().map((name, index) => name || `column_${index + 1}`);
  const names = distinctNames(given, duplicates);
  for (const [name, type] of Object.entries(types)) {
    if (!names.includes(name)) {
      throw new FileError(file, `has no ${withoutColumn(name, names)}`);
    }
    if (!csvTypes.includes(type)) throw new FileError(file, unknownType(type, name, csvTypes));
  }
  return names;
}
