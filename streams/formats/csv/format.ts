/**
 * CSV and TSV as file formats.
 *
 * @module
 */

import { showValue } from "../../../base/kind_of.ts";
import type { FileFormat } from "../format.ts";
import { csvTypes } from "../given_types.ts";

export const csvFormat: FileFormat = delimitedFormat("csv", ",");

export const tsvFormat: FileFormat = delimitedFormat("tsv", "\t");

/** Returns a format of delimited text; `usual` is its default delimiter. */
function delimitedFormat(name: string, usual: string): FileFormat {
  return {
    name,
    suffixes: [`.${name}`],
    traits: ["delimiter"],
    types: csvTypes,
    widest: "string",
    kind: "CSV",
    firstRange: { from: "start", numBytes: 64 << 10 },
    replacesInvalid: true,
    read(path, options) {
      const delimiter = delimiterByte(options.delimiter, usual);
      return async () => {
        const { csvDecoder } = await import("./csv_decoder.ts");
        return csvDecoder(path, delimiter, options);
      };
    },
    write(_, options) {
      const delimiter = delimiterByte(options.delimiter, usual);
      return async () => new (await import("./writer.ts")).CsvEncoder(delimiter);
    },
  };
}

/** Returns the byte of a delimiter. Throws a TypeError if the string cannot be a delimiter. */
function delimiterByte(delimiter: string | undefined, usual: string): number {
  if (delimiter === undefined) return usual.charCodeAt(0);
  const isText = typeof delimiter === "string" && delimiter.length === 1;
  const byte = isText ? delimiter.charCodeAt(0) : NaN;
  if (byte < 128 && !'"\r\n'.includes(delimiter)) return byte;
  throw new TypeError(
    'A delimiter is one ASCII character that is neither a quote (") nor ends a line (LF, CR), not ' +
      showValue(delimiter),
  );
}
