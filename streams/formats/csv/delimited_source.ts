/**
 * The source over text with delimiters: CSV and TSV.
 *
 * @module
 */

import { checkDuplicates, type Duplicates } from "../../types/distinct_names.ts";
import { FileInput } from "../../bytes/file_input.ts";
import { fileSource } from "../../source/file_source.ts";
import type { HttpOptions } from "../../bytes/http/http_options.ts";
import type { RowLimit } from "../../rows/row_limit.ts";
import { type ScalarType, scalarTypeOf } from "../../types/scalar_type.ts";
import type { InvalidText } from "../../text/sound_text.ts";
import type { Source } from "../../plan/source.ts";
import { type CastColumns, type CsvColumn, csvSchema } from "./batch_builder.ts";
import { readCsvColumns, readCsvRows } from "./reader.ts";

/** How CSV is read. */
export interface ReadCsvOptions {
  /** Types of columns, in place of the guessed ones. */
  readonly types?: Readonly<Record<string, ScalarType>> | undefined;
  /** The delimiter of fields, one ASCII character. Default: a comma. */
  readonly delimiter?: string | undefined;
  /** What becomes of text that is not UTF-8: an error, or U+FFFD in its place. Default: an error. */
  readonly invalid?: InvalidText | undefined;
  /** What becomes of columns of one name: an error, or `a`, `a_2`, `a_3`. Default: an error. */
  readonly duplicates?: Duplicates | undefined;
  /** How URLs are read. */
  readonly http?: HttpOptions | undefined;
}

/** The source of `readCsv`; `usual` is the delimiter where none is given. */
export function delimitedSource(
  path: string,
  options: ReadCsvOptions & RowLimit & CastColumns,
  usual: string,
): Source {
  checkDuplicates("The option duplicates", options.duplicates);
  const dialect = {
    name: FileInput.nameOf(path),
    delimiter: delimiterByte(options.delimiter ?? usual),
    isDelimiterGiven: options.delimiter !== undefined,
    rowBytes: options.rowBytes,
    castColumns: options.castColumns,
    types: options.types ?? {},
    invalid: options.invalid ?? "error",
    duplicates: options.duplicates,
  };
  let columns: Promise<readonly CsvColumn[]> | undefined;
  let known: readonly CsvColumn[] = [];
  const columnsOf = (input: FileInput) =>
    columns ??= readCsvColumns(input, dialect).then((found) => known = found);
  return fileSource(path, {
    kind: "CSV",
    schema: async (input) => csvSchema(await columnsOf(input)),
    untyped: {
      get names() {
        return new Set(known.flatMap(({ name, isUntyped }) => isUntyped === true ? [name] : []));
      },
      adopt({ name, type }) {
        const own = scalarTypeOf(type);
        if (own === undefined) return false;
        known = known.map((column) => column.name === name ? { ...column, type: own } : column);
        columns = Promise.resolve(known);
        return true;
      },
    },
    async rows(input, _, wanted) {
      if (columns === undefined) {
        await columnsOf(input);
        await input.rewind();
      }
      return readCsvRows(input, wanted, await columnsOf(input), dialect);
    },
  }, options.http);
}

/** The byte of a delimiter. Throws a TypeError if it can be none. */
export function delimiterByte(delimiter = ","): number {
  const byte = delimiter.charCodeAt(0);
  if (delimiter.length !== 1 || byte >= 128 || '"\r\n'.includes(delimiter)) {
    throw new TypeError(
      'A delimiter is one ASCII character that is neither a quote (") nor ends a line (LF, CR), not ' +
        JSON.stringify(delimiter),
    );
  }
  return byte;
}
