/**
 * Keys of NDJSON that are given a type.
 *
 * @module
 */

import { FileError } from "../../base/errors/file_error.ts";
import { withoutColumn } from "./given_types.ts";

/** The keys of one of the files. */
export interface FileKeys {
  /** The keys that no row of any file has had yet. */
  readonly missing: ReadonlySet<string>;
  /** Notes keys of rows. */
  see(names: Iterable<string>): void;
  /** Notes that all rows were seen. Throws if they were those of the last file, and lack a key. */
  end(): void;
}

/**
 * The keys that are given a type in files that are read as one. A key may come late, or in one of the
 * files alone: only once all of them were read to their ends is it an error that no row has it. Files
 * without rows have every key.
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

  /** Adds a file of a name. */
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
