/**
 * The head of a Parquet file: all that Sluice knows of it without reading rows, kept between
 * openings.
 *
 * @module
 */

import type { Schema, TimeUnit } from "apache-arrow";
import type { Duplicates } from "../../../types/distinct_names.ts";
import type { FileInput } from "../../../bytes/file_input.ts";
import { nameColumns } from "./distinct_columns.ts";
import { decodeMetadata, readFooter } from "./footer.ts";
import type { FileMetadata } from "./metadata.ts";
import { type LeafMeaning, repairMetadata } from "./repair.ts";

/** The repaired metadata of a file, and facts derived from it. */
export interface ParquetHead {
  readonly metadata: FileMetadata;
  /** The byte at which the pages end. */
  readonly pagesStop: number;
  /** For each leaf, the meaning that parquet-wasm does not report. */
  readonly leaves: readonly (LeafMeaning | undefined)[];
  /** The columns as parquet-wasm decodes them, with narrowed types; absent until they are read. */
  decodedSchema?: Schema;
  /** The units of INT96 columns, as far as they are known. */
  readonly units: Map<string, TimeUnit>;
}

/** Caches the head of one file. */
export class KeptHead {
  readonly #duplicates: Duplicates | undefined;
  #footer: Uint8Array | undefined;
  #head: ParquetHead | undefined;

  /** `duplicates` is the treatment of columns of one name. */
  constructor(duplicates?: Duplicates) {
    this.#duplicates = duplicates;
  }

  /**
   * Reads the footer, and decodes it unless it is unchanged. Throws a TypeError if the file is not
   * readable.
   */
  async of(input: FileInput): Promise<ParquetHead> {
    const known = this.#head;
    const { bytes, start } = await readFooter(input, known?.pagesStop);
    if (known?.pagesStop === start && areEqual(this.#footer!, bytes)) return known;
    const metadata = decodeMetadata(bytes);
    nameColumns(metadata, this.#duplicates);
    const leaves = repairMetadata(metadata, start);
    this.#footer = bytes;
    return this.#head = { metadata, pagesStop: start, leaves, units: new Map() };
  }
}

function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  const [ours, theirs] = [left, right].map(({ buffer, byteOffset, length }) =>
    new DataView(buffer, byteOffset, length)
  ) as [DataView, DataView];
  const stop = left.length & ~3;
  for (let at = 0; at < stop; at += 4) {
    if (ours.getInt32(at) !== theirs.getInt32(at)) return false;
  }
  return left.subarray(stop).every((byte, index) => byte === right[stop + index]);
}
