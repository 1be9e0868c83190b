/**
 * Decodes a file of NDJSON.
 *
 * @module
 */

import type { FileInput } from "../../bytes/file_input.ts";
import { nameOfInput } from "../../bytes/standard_streams.ts";
import type { FileDecoder } from "../../source/file_decoder.ts";
import type { FileReadOptions } from "../format.ts";
import { type FileKeys, GivenKeys } from "../given_keys.ts";
import { jsonSchema, type JsonTable, jsonTypeIn, readJsonTable, readNdjsonRows } from "./reader.ts";

/** Creates the decoder of a file. `keys` are its keys where several files are read as one table. */
export function ndjsonDecoder(
  path: string,
  keys: FileKeys | undefined,
  { types = {}, invalid = "error", rowBytes }: FileReadOptions,
): FileDecoder {
  const name = nameOfInput(path);
  const own = keys ?? new GivenKeys(Object.keys(types)).add(name);
  const dialect = { name, types, keys: own, invalid, rowBytes };
  let table: Promise<JsonTable> | undefined;
  let known: JsonTable | undefined;
  const tableOf = (input: FileInput) =>
    table ??= readJsonTable(input, dialect).then((found) => known = found);
  return {
    schema: async (input) => jsonSchema((await tableOf(input)).columns),
    untyped: {
      get names() {
        const columns = known?.columns ?? [];
        return new Set(columns.flatMap(({ name, isUntyped }) => isUntyped === true ? [name] : []));
      },
      adopt(field) {
        const type = jsonTypeIn(field);
        if (type === undefined || known === undefined) return false;
        const columns = known.columns.map((column) =>
          column.name === field.name ? { ...column, type } : column
        );
        table = Promise.resolve(known = { ...known, columns });
        return true;
      },
    },
    numRows: async (input) => (await tableOf(input)).isEmpty ? 0 : undefined,
    async rows(input, _, wanted) {
      if (table === undefined) {
        await tableOf(input);
        await input.rewind();
      }
      return readNdjsonRows(input, wanted, (await tableOf(input)).columns, dialect);
    },
  };
}
