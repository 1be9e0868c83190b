/**
 * Errors of files, and the place in a file that an error names.
 *
 * @module
 */

import { showControls } from "../show_controls.ts";
import { nameOfPath } from "../url.ts";
import { libraryText, type OptionText } from "./option_text.ts";

/** The place of an error in a file, as far as it is known. */
export interface FileErrorPlace extends ErrorOptions {
  /** Row of the file, counted from 0 as in `slice`, without the header of a text file. */
  readonly row?: number;
  /** Name of the column. */
  readonly column?: string;
}

/**
 * A file that cannot be read or written. The message is one line and begins with its name.
 *
 * @example
 * ```ts
 * import { assertEquals, assertRejects } from "@std/assert";
 * import { FileError, read, toTable } from "../../mod.ts";
 *
 * const error = await assertRejects(() => toTable(read("missing.csv")), FileError);
 * assertEquals(error.message, "missing.csv: no such file");
 * ```
 */
export class FileError extends Error {
  /** The tag of the class: see `isSluiceError`. */
  override readonly name = "FileError";
  /** The file as the user named it. */
  readonly file: string;
  /** Row of the file, counted from 0 as in `slice`, if known. */
  readonly row: number | undefined;
  /** Name of the column, if known. */
  readonly column: string | undefined;
  #text: OptionText | undefined;

  /**
   * `problem` is one clause without a period. The message begins with the file, omits the parts of a URL
   * that may be secret, and escapes control characters in names and values.
   */
  constructor(file: string, problem: string, place: FileErrorPlace = {}) {
    super(showControls(`${nameOfPath(file)}: ${problem}`), place);
    this.file = file;
    this.row = place.row;
    this.column = place.column;
  }

  /**
   * The message with its options as data, if it names any.
   *
   * @internal
   */
  get text(): OptionText | undefined {
    return this.#text;
  }

  /**
   * Creates an error whose problem names options.
   *
   * @internal
   */
  static naming(file: string, problem: OptionText, place?: FileErrorPlace): FileError {
    const error = new FileError(file, libraryText(problem), place);
    error.#text = [`${nameOfPath(file)}: `, ...problem];
    return error;
  }
}

/** A value that a file cannot hold. The message names its row and its column. */
export class CellError extends Error {
  override readonly name = "CellError";
  readonly row: number;
  readonly column: string;

  /** `problem` is one clause without a period. */
  constructor(problem: string, { row, column, cause }: Required<FileErrorPlace>) {
    super(`row ${row}, column ${column}: ${problem}`, { cause });
    this.row = row;
    this.column = column;
  }
}

/** The data ends at `position`, within a requested range. */
export class EndedError extends Error {
  override readonly name = "EndedError";
  readonly position: number;

  constructor(position: number) {
    super(`ends at byte ${position}`);
    this.position = position;
  }
}
