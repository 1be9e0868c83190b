/**
 * The interface of file formats: name and suffixes, traits, and the functions that open readers and
 * writers. A format is one object, in `format.ts` of its folder. It imports its reader or writer
 * only when a file is opened.
 *
 * @module
 */

import type { FileDecoding } from "../source/file_decoder.ts";
import type { WidestType } from "../source/concat_schemas.ts";
import type { FileEncoder } from "../sink/file_sink.ts";
import type { FileSink } from "../sink/sink_job.ts";
import type { OffsetsPolicy } from "../sink/sink_offsets.ts";
import type { Source } from "../plan/source.ts";
import type { RowLimit } from "../rows/row_limit.ts";
import type { InvalidText } from "../text/valid_utf8.ts";
import type { Duplicates } from "../types/distinct_names.ts";
import type { GivenKeys } from "./given_keys.ts";
import type { CastColumns } from "./given_types.ts";

/** A feature that only some formats have and that an option of `write()` controls. */
export type FormatTrait = "compression" | "offsets" | "row groups" | "delimiter";

/** The properties of all formats. */
interface FormatFacts {
  readonly name: string;
  /** The suffixes of its file names, in lower case, with their dots. */
  readonly suffixes: readonly string[];
  readonly traits: readonly FormatTrait[];
  /** The names of the types that its reader takes. Default: types cannot be given. */
  readonly types?: readonly string[];
  /** The type that takes any value, in a format whose reader guesses types. */
  readonly widest?: WidestType;
}

/** A format of files. Without `read` it can only be written, without `write` only read. */
export interface FileFormat extends FormatFacts, Omit<FileDecoding, "openDecoder"> {
  /**
   * Whether its reader replaces invalid UTF-8 itself. If not, Sluice replaces it in the batches.
   */
  readonly replacesInvalid?: boolean;
  /**
   * Checks the options and returns a function that opens a decoder. Throws a TypeError for options
   * that the format does not take.
   */
  read?(path: string, options: FileReadOptions): FileDecoding["openDecoder"];
  /** Like `read`, for an encoder. */
  write?(path: string, options: FileWriteOptions): () => FileEncoder | Promise<FileEncoder>;
}

/** A format whose data are folders; it creates its own sources and sinks. */
export interface FolderFormat extends FormatFacts {
  source?(path: string): Source;
  sink?(path: string): FileSink;
}

/** Options for reading a file. A format ignores options that do not concern it. */
export interface FileReadOptions extends RowLimit, CastColumns {
  /** The types of columns, by name. Default: guessed or stored. */
  readonly types?: Readonly<Record<string, string>> | undefined;
  /** The delimiter of fields. */
  readonly delimiter?: string | undefined;
  /** The treatment of text that is not UTF-8. */
  readonly invalid?: InvalidText | undefined;
  /** The treatment of columns of one name. */
  readonly duplicates?: Duplicates | undefined;
  /** The bytes that a worker may decode ahead. Default: 0, no worker. */
  readonly aheadBytes?: number | undefined;
  /** The keys of all files that are read as one table. Default: those of this file alone. */
  readonly keys?: GivenKeys | undefined;
}

/** Options for writing a file. A format ignores options that do not concern it. */
export interface FileWriteOptions {
  readonly compression?: string | undefined;
  readonly offsets?: OffsetsPolicy | undefined;
  readonly rowGroupRows?: number | undefined;
  readonly rowGroupBytes?: number | undefined;
  readonly delimiter?: string | undefined;
}
