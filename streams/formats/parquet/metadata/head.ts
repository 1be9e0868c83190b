/**
 * The head of a Parquet file: all that is known without its rows, kept from one opening to the next.
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

/** The metadata of a file, repaired, and what was found out by them. */
export interface ParquetHead {
  readonly metadata: FileMetadata;
  /** The byte at which the pages end. */
  readonly pagesStop: number;
  /** The meaning of each leaf that the decoded schema does not show. */
  readonly leaves: readonly (LeafMeaning | undefined)[];
  /** The columns as parquet-wasm decodes them, their types narrowed; absent before they are read. */
  decodedSchema?: Schema;
  /** The units of the columns of INT96, as far as they are known. */
  readonly units: Map<string, TimeUnit>;
}

/** The head of one file. */
export class KeptHead {
  readonly #duplicates: Duplicates | undefined;
  #footer: Uint8Array | undefined;
  #head: ParquetHead | undefined;

  /** `duplicates` is what becomes of columns of one name. */
  constructor(duplicates?: Duplicates) {
    this.#duplicates = duplicates;
  }

  /** Reads the footer, and decodes it unless it is as before. Throws a TypeError. */
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
