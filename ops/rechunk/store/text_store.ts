/**
 * A store in between of chunks of text: a file for each chunk in one folder.
 *
 * @module
 */

import { type Grid, product } from "../../../streams/formats/zarr/grid/grid.ts";
import { syncTree } from "../../../streams/bytes/own_files/durable.ts";
import { toFileError } from "../../../base/errors/wrap_error.ts";
import type {
  TextArrayInfo,
  TextItems,
  TextReader,
  TextWriter,
} from "../../../streams/formats/zarr/items/text_array.ts";
import { areWhole, TextFileReader, writeItems } from "./text_file.ts";
import { itemsBytes } from "../plan/text_sizes.ts";

/** The file of a chunk that is being written. */
const PARTIAL = "chunk.partial";

/** The chunks of an array in a folder. Missing ones have no file. */
export class TextStore implements TextReader, TextWriter {
  readonly name: string;
  readonly grid: Grid;
  readonly writeGrid: Grid;
  readonly dataType: TextArrayInfo["dataType"];
  readonly fill: Uint8Array;
  readonly dimensionNames = undefined;
  readonly attributes = {};
  readonly #files = new TextFileReader();
  bytesRead = 0;
  bytesWritten = 0;

  /** Touches no file. */
  constructor(path: string, { dataType, fill }: TextArrayInfo, grid: Grid) {
    this.name = path;
    this.grid = grid;
    this.writeGrid = grid;
    this.dataType = dataType;
    this.fill = fill;
  }

  /** Creates the folder, unless it is there. */
  create(): void {
    try {
      Deno.mkdirSync(this.name, { recursive: true });
    } catch (error) {
      throw toFileError(this.name, error);
    }
  }

  readChunk(index: readonly number[]): Promise<TextItems | undefined> {
    try {
      const items = this.#files.read(this.#pathOf(index), product(this.grid.chunk));
      if (items !== undefined) this.bytesRead += itemsBytes(items);
      return Promise.resolve(items);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  writeChunk(index: readonly number[], items: TextItems): Promise<void> {
    const partial = `${this.name}/${PARTIAL}`;
    const path = this.#pathOf(index);
    try {
      writeItems(partial, items);
      Deno.renameSync(partial, path);
      this.bytesWritten += itemsBytes(items);
      return Promise.resolve();
    } catch (error) {
      return Promise.reject(toFileError(path, error));
    }
  }

  hasChunk(index: readonly number[]): Promise<boolean> {
    const path = this.#pathOf(index);
    try {
      return Promise.resolve(areWhole(path, product(this.grid.chunk)));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Brings all that was written to the disk. */
  sync(): Promise<void> {
    return syncTree(this.name);
  }

  /** Removes the folder with all that is in it. Never fails: the chunks have done their work. */
  remove(): void {
    try {
      Deno.removeSync(this.name, { recursive: true });
    } catch {
      // It may have been removed already.
    }
  }

  #pathOf(index: readonly number[]): string {
    return `${this.name}/${["c", ...index].join(".")}`;
  }
}
