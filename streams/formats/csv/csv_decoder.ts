/**
 * Decodes delimited text: CSV or TSV.
 *
 * @module
 */

import type { FileInput } from "../../bytes/file_input.ts";
import { nameOfInput } from "../../bytes/standard_streams.ts";
import type { FileDecoder } from "../../source/file_decoder.ts";
import { type ScalarType, scalarTypeOf } from "../../types/scalar_type.ts";
import type { FileReadOptions } from "../format.ts";
import { type CsvColumn, csvSchema } from "./batch_builder.ts";
import { readCsvColumns, readCsvRows } from "./reader.ts";

/** Creates the decoder of a file whose fields are separated by the byte `delimiter`. */
export function csvDecoder(path: string, delimiter: number, options: FileReadOptions): FileDecoder {
  const dialect = {
    name: nameOfInput(path),
    delimiter,
    isDelimiterGiven: options.delimiter !== undefined,
    rowBytes: options.rowBytes,
    castColumns: options.castColumns,
    // The reader rejects types that it does not know.
    types: (options.types ?? {}) as Readonly<Record<string, ScalarType>>,
    invalid: options.invalid ?? "error",
    duplicates: options.duplicates,
  };
  let columns: Promise<readonly CsvColumn[]> | undefined;
  let known: readonly CsvColumn[] = [];
  const columnsOf = (input: FileInput) =>
    columns ??= readCsvColumns(input, dialect).then((found) => known = found);
  return {
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
  };
}
