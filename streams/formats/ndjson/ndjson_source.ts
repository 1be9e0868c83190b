/**
 * The source over NDJSON, of which the reader is loaded when a file is opened.
 *
 * @module
 */

import { FileInput } from "../../bytes/file_input.ts";
import { fileSource } from "../../source/file_source.ts";
import type { HttpOptions } from "../../bytes/http/http_options.ts";
import type { RowLimit } from "../../rows/row_limit.ts";
import type { InvalidText } from "../../text/sound_text.ts";
import type { Source } from "../../plan/source.ts";
import { GivenKeys } from "./given_keys.ts";
import type { JsonTable, jsonTypeIn } from "./reader.ts";

/** How NDJSON is read. */
export interface ReadNdjsonOptions {
  /** Types of columns, in place of the guessed ones. A value of another type is an error. */
  readonly types?: Readonly<Record<string, string>> | undefined;
  /**
   * What becomes of text that is not UTF-8, and of half a surrogate pair: an error, or U+FFFD in its
   * place. Default: an error.
   */
  readonly invalid?: InvalidText | undefined;
  /** How URLs are read. */
  readonly http?: HttpOptions | undefined;
}

/**
 * The source of `readNdjson`. The keys are those of all files that are read as one; default: of this one
 * alone.
 */
export function ndjsonSource(
  path: string,
  options: ReadNdjsonOptions & RowLimit & { readonly keys?: GivenKeys },
): Source {
  const { types = {}, keys = new GivenKeys(Object.keys(types)) } = options;
  const name = FileInput.nameOf(path);
  const dialect = {
    name,
    types,
    keys: keys.add(name),
    invalid: options.invalid ?? "error",
    rowBytes: options.rowBytes,
  };
  // Loaded when a file is opened.
  const load = () => import("./reader.ts");
  let table: Promise<JsonTable> | undefined;
  let known: JsonTable | undefined;
  let typeIn: typeof jsonTypeIn | undefined;
  const tableOf = (input: FileInput) =>
    table ??= load().then(async ({ readJsonTable, jsonTypeIn }) => {
      typeIn = jsonTypeIn;
      return known = await readJsonTable(input, dialect);
    });
  return fileSource(path, {
    kind: "NDJSON",
    async schema(input) {
      const { jsonSchema } = await load();
      return jsonSchema((await tableOf(input)).columns);
    },
    untyped: {
      get names() {
        const columns = known?.columns ?? [];
        return new Set(columns.flatMap(({ name, isUntyped }) => isUntyped === true ? [name] : []));
      },
      adopt(field) {
        const type = typeIn?.(field);
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
      const { readNdjsonRows } = await load();
      return readNdjsonRows(input, wanted, (await tableOf(input)).columns, dialect);
    },
  }, options.http);
}
