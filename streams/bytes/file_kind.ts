// deno-lint-ignore-file no-control-regex -- files begin with control characters
/**
 * Detects the kind of a file from its first or last bytes, to report a file of another format.
 *
 * @module
 */

import { option, type OptionText, optionText } from "../../base/errors/option_text.ts";

/** The kinds of binary files that Sluice reads, as errors name them: no text can be one. */
const binary: readonly string[] = ["Arrow data", "Parquet"];

/** A kind of file, by its first or last bytes as Latin-1. */
interface Kind {
  readonly mark: RegExp;
  /** For kinds that Sluice reads, the `kind` of their format. */
  readonly is: string;
  readonly cure?: string | OptionText;
}

const unpack = "unpack it first";
const convert = (encoding: string) => `convert it to UTF-8 first: iconv -f ${encoding} -t UTF-8`;
/** Two characters of Latin-1 as UTF-16 without a mark. */
const utf16 = {
  little: /^([\t\n\r -~\xa0-\xff]\0){2}/,
  big: /^(\0[\t\n\r -~\xa0-\xff]){2}/,
};

const kinds: readonly Kind[] = [
  { mark: /^ARROW1\0\0/, is: "Arrow data" },
  { mark: /^\xff\xff\xff\xff[^][^][^]\0/, is: "Arrow data" },
  // A page header or the footer follows, which does not look like text.
  { mark: /^PAR1[\0-\x08\x0e-\x1f]/, is: "Parquet" },
  { mark: /^\x1f\x8b/, is: "compressed by gzip", cure: unpack },
  { mark: /^\x28\xb5\x2f\xfd/, is: "compressed by zstd", cure: unpack },
  { mark: /^BZh[1-9]\x31\x41\x59\x26/, is: "compressed by bzip2", cure: unpack },
  { mark: /^\xfd7zXZ\0/, is: "compressed by xz", cure: unpack },
  { mark: /^\x04\x22\x4d\x18/, is: "compressed by lz4", cure: unpack },
  { mark: /^PK(\x03\x04|\x05\x06)/, is: "a ZIP archive or a workbook of Excel", cure: unpack },
  { mark: /^7z\xbc\xaf\x27\x1c/, is: "a 7z archive", cure: unpack },
  { mark: /^SQLite format 3\0/, is: "a SQLite database" },
  { mark: /^Obj\x01/, is: "Avro" },
  { mark: /^FEA1\0/, is: "Feather of version 1", cure: "write it again as version 2" },
  {
    // Servers often send this in place of a file.
    mark: /^(\xef\xbb\xbf)?[\t\n\r ]*<(!doctype|html|head|body|\?xml)/i,
    is: "a page of HTML or XML",
    cure: "look at it with a browser or a pager",
  },
  { mark: /^ORC[\0-\x08\x0e-\x1f]/, is: "ORC" },
  { mark: /^(\xff\xfe\0\0|\0\0\xfe\xff)/, is: "UTF-32 text", cure: convert("UTF-32") },
  { mark: /^(\xff\xfe|\xfe\xff)/, is: "UTF-16 text", cure: convert("UTF-16") },
  { mark: utf16.little, is: "UTF-16 text without a mark", cure: convert("UTF-16LE") },
  { mark: utf16.big, is: "UTF-16 text without a mark", cure: convert("UTF-16BE") },
];

const ndjson = option("format", "ndjson");
const readObjects = optionText`${ndjson} reads one object a line`;
const makeObjects =
  optionText`jq -c '.[]' makes one object a line of an array, which ${ndjson} reads`;

/** JSON, which would be CSV with odd names. CSV doubles quotes within a field, and puts it in quotes. */
const objects: readonly Kind[] = [
  { mark: /^(\xef\xbb\xbf)?[\t\n\r ]*\{[\t\n\r ]*"/, is: "JSON", cure: readObjects },
  {
    mark: /^(\xef\xbb\xbf)?[\t\n\r ]*\[[\t\n\r ]*\{[\t\n\r ]*"/,
    is: "JSON",
    cure: makeObjects,
  },
];

/** The kinds of text, which are no problem for readers of text. No byte of UTF-8 is above f4. */
const texts: readonly Kind[] = [
  {
    mark: /^(\xef\xbb\xbf)?[\t\n\r ]*\{[\t\n\r -~\x80-\xf4]*$/,
    is: "JSON",
    cure: readObjects,
  },
  {
    mark: /^(\xef\xbb\xbf)?[\t\n\r ]*\[[\t\n\r -~\x80-\xf4]*$/,
    is: "JSON",
    cure: makeObjects,
  },
  {
    mark: /^[ -~\x80-\xf4]*\t[\t\n\r -~\x80-\xf4]*$/,
    is: "text",
    cure: optionText`${option("format", "tsv")} reads columns separated by tabs`,
  },
  {
    mark: /^[\t\n\r -~\x80-\xf4]{2,}$/,
    is: "text",
    cure: optionText`${option("format", "csv")} reads CSV; tsv and ndjson read other text`,
  },
];

/** The number of bytes at the start, or the end, that identify a kind. */
export const kindBytes = 16;

/** The kinds that end in a mark. */
const endings: readonly Kind[] = [
  { mark: /ARROW1$/, is: "Arrow data" },
  { mark: /PAR1$/, is: "Parquet" },
  { mark: /ORC.$/, is: "ORC" },
];

/**
 * Returns the problem with a file that begins with these bytes and is read as `wanted`; undefined if none is
 * known.
 */
export function otherKind(front: Uint8Array, wanted: string): OptionText | undefined {
  const others = wanted === "CSV" ? objects : binary.includes(wanted) ? texts : [];
  return problemOf(front.subarray(0, kindBytes), [...kinds, ...others], wanted);
}

/** Returns the same for a file that ends with these bytes. */
export function otherEnding(end: Uint8Array, wanted: string): OptionText | undefined {
  return problemOf(end.subarray(-kindBytes), endings, wanted);
}

function problemOf(
  bytes: Uint8Array,
  kinds: readonly Kind[],
  wanted: string,
): OptionText | undefined {
  const text = String.fromCharCode(...bytes);
  const kind = kinds.find(({ mark }) => mark.test(text));
  if (kind === undefined || kind.is.startsWith(wanted)) return undefined;
  const cure = kind.cure === undefined ? "" : optionText`; ${kind.cure}`;
  return optionText`is ${kind.is}, not ${wanted}${cure}`;
}
