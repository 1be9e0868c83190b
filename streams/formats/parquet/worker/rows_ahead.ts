/**
 * Decodes rows of files before they are requested: a command knows from its start which files it
 * will read, and loads the library and plans meanwhile.
 *
 * @module
 */

import { FileInput } from "../../../bytes/file_input.ts";
import { allRows, isAllRows } from "../../../rows/row_request.ts";
import type { SourceRows } from "../../../plan/source.ts";
import type { KeptHead } from "../metadata/head.ts";
import { readParquetRows } from "../read/reader.ts";
import { batchMessage } from "./batch_message.ts";
import type { RowsJob } from "./messages.ts";

/** The bytes of a file that are decoded before they are requested. */
const mostBytes = 4 << 20;

/** Files all of whose rows will probably be requested. */
export class RowsAhead {
  readonly #headOf: (path: string) => KeptHead;
  #expected: readonly string[] = [];
  /** Undefined for a file that cannot be opened: the job that requests it reports the error. */
  readonly #begun = new Map<string, Promise<BegunRows | undefined>>();

  constructor(headOf: (path: string) => KeptHead) {
    this.#headOf = headOf;
  }

  /** Names the files, in the order in which their rows are needed, and begins with the first. */
  expect(paths: readonly string[]): void {
    this.#expected = paths;
    this.beginNext();
  }

  /** Begins with the next file. */
  beginNext(): void {
    const [path, ...others] = this.#expected;
    if (path === undefined) return;
    this.#expected = others;
    const opened = BegunRows.open(path, this.#headOf(path)).catch(() => {
      this.beginNext();
      return undefined;
    });
    this.#begun.set(path, opened);
  }

  /** Returns the rows of a job if they were begun. If other rows of its file were, drops them. */
  async take(job: RowsJob): Promise<BegunRows | undefined> {
    this.#expected = this.#expected.filter((path) => path !== job.path);
    const opened = this.#begun.get(job.path);
    this.#begun.delete(job.path);
    const begun = await opened;
    if (begun?.areOf(job)) return begun;
    await begun?.drop();
    return undefined;
  }
}

/** All rows of a file, the first of which are decoded before they are requested. */
class BegunRows {
  readonly input: FileInput;
  readonly #count: ReadCount;
  readonly #rows: AsyncGenerator<SourceRows, void, void>;
  readonly #ready: SourceRows[] = [];
  /** Resolves when no more rows are decoded ahead of the request. */
  readonly #filled: Promise<void>;
  #isTaken = false;

  private constructor(input: FileInput, count: ReadCount, head: KeptHead) {
    this.input = input;
    this.#count = count;
    this.#rows = readParquetRows(input, head, allRows, {});
    this.#filled = this.#fill();
    // `take` reports the error.
    this.#filled.catch(() => {});
  }

  static async open(path: string, head: KeptHead): Promise<BegunRows> {
    const count = new ReadCount();
    const input = await FileInput.open(path, { onRead: (numBytes) => count.add(numBytes) });
    return new BegunRows(input, count, head);
  }

  /** Whether these are the rows that a job requests. */
  areOf({ device, inode, size, chunkBytes, request, columns }: RowsJob): boolean {
    const { identity, chunkBytes: ownBytes } = this.input;
    return identity?.device === device && identity.inode === inode && identity.size === size &&
      ownBytes === chunkBytes && columns === undefined &&
      isAllRows(request);
  }

  /**
   * Yields the rows, as `readParquetRows` does. `onRead` receives the bytes of all reads, earlier
   * ones included.
   */
  async *take(onRead: (numBytes: number) => void): AsyncGenerator<SourceRows, void, void> {
    this.#isTaken = true;
    this.#count.tell(onRead);
    // Calls of an input must not overlap, and the caller may read more of it.
    const failure = await this.#filled.then(() => undefined, (error) => ({ error }));
    yield* this.#ready.splice(0);
    if (failure !== undefined) throw failure.error;
    yield* this.#rows;
  }

  /** Drops the rows and closes the file. */
  async drop(): Promise<void> {
    this.#isTaken = true;
    await this.#filled.catch(() => {});
    await this.#rows.return().catch(() => {});
    this.input.close();
  }

  async #fill(): Promise<void> {
    for (let numBytes = 0; numBytes < mostBytes && !this.#isTaken;) {
      const next = await this.#rows.next();
      if (next.done) return;
      this.#ready.push(next.value);
      numBytes += batchMessage(next.value.batch).numBytes;
    }
  }
}

/** Counts the bytes of reads until a listener takes them over. */
class ReadCount {
  #numBytes = 0;
  #onRead: ((numBytes: number) => void) | undefined;

  add(numBytes: number): void {
    if (this.#onRead === undefined) this.#numBytes += numBytes;
    else this.#onRead(numBytes);
  }

  tell(onRead: (numBytes: number) => void): void {
    this.#onRead = onRead;
    onRead(this.#numBytes);
  }
}
