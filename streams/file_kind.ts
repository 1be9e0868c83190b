// deno-lint-ignore-file no-control-regex -- files begin with control characters
/**
 * What a file is, by its first bytes: who gives a file to the reader of another format is told which
 * it is.
 *
 * @module
 */

/** What a reader reads, as errors say it. */
export type ReadKind = "Arrow data" | "Parquet" | "CSV" | "NDJSON";

/** First bytes, in Latin-1, and what they mean. */
interface Kind {
  readonly front: RegExp;
  /** What the file is, and for what we read ourselves nothing else. */
  readonly is: string;
  readonly cure?: string;
}

const unpack = "unpack it first";
const convert = "convert it to UTF-8 first";

const kinds: readonly Kind[] = [
  { front: /^ARROW1\0\0/, is: "Arrow data" },
  { front: /^\xff\xff\xff\xff[^][^][^]\0/, is: "Arrow data" },
  // A page header follows, or the footer; no text does.
  { front: /^PAR1[\0-\x08\x0e-\x1f]/, is: "Parquet" },
  { front: /^\x1f\x8b/, is: "compressed by gzip", cure: unpack },
  { front: /^\x28\xb5\x2f\xfd/, is: "compressed by zstd", cure: unpack },
  { front: /^BZh[1-9]\x31\x41\x59\x26/, is: "compressed by bzip2", cure: unpack },
  { front: /^\xfd7zXZ\0/, is: "compressed by xz", cure: unpack },
  { front: /^\x04\x22\x4d\x18/, is: "compressed by lz4", cure: unpack },
  { front: /^PK(\x03\x04|\x05\x06)/, is: "a ZIP archive or a workbook of Excel", cure: unpack },
  { front: /^7z\xbc\xaf\x27\x1c/, is: "a 7z archive", cure: unpack },
  { front: /^SQLite format 3\0/, is: "a SQLite database" },
  { front: /^Obj\x01/, is: "Avro" },
  { front: /^ORC[\0-\x08\x0e-\x1f]/, is: "ORC" },
  { front: /^(\xff\xfe|\xfe\xff)/, is: "UTF-16 text", cure: convert },
];

/** Bytes from the start that tell the kind. */
export const kindBytes = 16;

/**
 * What is wrong with a file that begins so where it is to be read as `wanted`; undefined where it may
 * be that.
 */
export function otherKind(front: Uint8Array, wanted: ReadKind): string | undefined {
  const text = String.fromCharCode(...front.subarray(0, kindBytes));
  const kind = kinds.find(({ front }) => front.test(text));
  if (kind === undefined || kind.is.startsWith(wanted)) return undefined;
  return `is ${kind.is}, not ${wanted}${kind.cure === undefined ? "" : `; ${kind.cure}`}`;
}
