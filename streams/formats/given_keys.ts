/**
 * Checks that each key of NDJSON for which a type was given occurs in some row.
 *
 * @module
 */

import { FileError } from "../../base/errors/file_error.ts";
import { withoutColumn } from "./given_types.ts";

/** The keys of one file. */
export interface FileKeys {
  /** The keys that no row of any file has had yet. */
  readonly missing: ReadonlySet<string>;
  /** Records keys that rows have. */
  see(names: Iterable<string>): void;
  /**
   * Records that all rows of the file were read. Throws if it was the last file and a key is still
   * missing.
   */
  end(): void;
}

/**
 * The keys for which a type was given, in files that are read as one table. A key may come late, or
 * in only one of the files, so a missing key is an error only once every file was read to its end.
 * Where no file has rows, no key is missing.
 */
export class GivenKeys {
  readonly #missing: Set<string>;
  /** The keys of the first rows. */
  readonly #known = new Set<string>();
  readonly #files: string[] = [];
  readonly #unread = new Set<FileKeys>();

  constructor(names: Iterable<string>) {
    this.#missing = new Set(names);
  }

  /** Adds a file. */
  add(name: string): FileKeys {
    const file: FileKeys = {
      missing: this.#missing,
      see: (names) => this.#see(names),
      end: () => {
        this.#unread.delete(file);
        if (this.#unread.size === 0) this.#check();
      },
    };
    this.#files.push(name);
    this.#unread.add(file);
    return file;
  }

  #see(names: Iterable<string>): void {
    for (const name of names) {
      this.#missing.delete(name);
      this.#known.add(name);
    }
  }

  #check(): void {
    const [name] = this.#missing;
    if (name === undefined || this.#known.size === 0) return;
    const [first, ...others] = this.#files;
    const files = others.length === 0 ? first! : `${first} and ${others.length} more`;
    throw new FileError(files, `no row has ${withoutColumn(name, [...this.#known])}`);
  }
}
