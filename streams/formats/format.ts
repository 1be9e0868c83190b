/**
 * The interface of file formats: name and suffixes, traits, and the ways to read and write files. A format is one object, in `format.ts` of its folder, which loads its readers and writers when a
 * file is opened.
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

/** A feature that only some formats have, and that options of `write()` control. */
export type FormatTrait = "compression" | "offsets" | "row groups" | "delimiter";

/** The facts that all formats state. */
interface FormatFacts {
  readonly name: string;
  /** The ends of names of its files, in lower case, each with its dot. */
  readonly suffixes: readonly string[];
  readonly traits: readonly FormatTrait[];
  /** The types that its reader takes by name; absent: no types can be given. */
  readonly types?: readonly string[];
  /** The type that has any value, of a format that guesses types. */
  readonly widest?: WidestType;
}

/** A format of files. One without `read` is only written, one without `write` only read. */
export interface FileFormat extends FormatFacts, Omit<FileDecoding, "openDecoder"> {
  /** Whether its reader replaces text that is not UTF-8; if not, that is done to its batches. */
  readonly replacesInvalid?: boolean;
  /**
   * Checks how a file is to be read, and returns the function that opens a decoder of it. Throws a
   * TypeError for options that the format does not take.
   */
  read?(path: string, options: FileReadOptions): FileDecoding["openDecoder"];
  /** As `read`, for an encoder. */
  write?(path: string, options: FileWriteOptions): () => FileEncoder | Promise<FileEncoder>;
}

/** A format whose data are folders, of which it makes sources and sinks itself. */
export interface FolderFormat extends FormatFacts {
  source?(path: string): Source;
  sink?(path: string): FileSink;
}

/** Options for reading a file; a format ignores those that do not concern it. */
export interface FileReadOptions extends RowLimit, CastColumns {
  /** Types of columns, in place of the guessed ones. */
  readonly types?: Readonly<Record<string, string>> | undefined;
  /** The delimiter of fields. */
  readonly delimiter?: string | undefined;
  /** The treatment of text that is not UTF-8. */
  readonly invalid?: InvalidText | undefined;
  /** The treatment of columns of one name. */
  readonly duplicates?: Duplicates | undefined;
  /** Bytes that another thread may decode ahead; 0 or absent: no other thread is used. */
  readonly aheadBytes?: number | undefined;
  /** The keys of all files that are read as one; absent: of this one alone. */
  readonly keys?: GivenKeys | undefined;
}

/** Options for writing a file; a format ignores those that do not concern it. */
export interface FileWriteOptions {
  readonly compression?: string | undefined;
  readonly offsets?: OffsetsPolicy | undefined;
  readonly rowGroupRows?: number | undefined;
  readonly rowGroupBytes?: number | undefined;
  readonly delimiter?: string | undefined;
}
