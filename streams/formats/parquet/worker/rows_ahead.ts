/**
 * Rows of files that a thread decodes before it is asked for them: a command knows from its start what
 * it will read, and then loads the library and plans.
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

/** Bytes of a file that are decoded before they are asked for. */
const mostBytes = 4 << 20;

/** Files of which all rows will be asked for, probably. */
export class RowsAhead {
  readonly #headOf: (path: string) => KeptHead;
  #expected: readonly string[] = [];
  /** Undefined for what cannot be opened: the job that asks for it says why. */
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

  /** Returns the rows of a job if they were begun; otherwise forgets those of its file that were. */
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

/** All rows of a file, of which the first are decoded before they are asked for. */
export class BegunRows {
  readonly input: FileInput;
  readonly #count: ReadCount;
  readonly #rows: AsyncGenerator<SourceRows, void, void>;
  readonly #ready: SourceRows[] = [];
  /** Fulfilled when nothing more is decoded before the rows are asked for. */
  readonly #filled: Promise<void>;
  #isTaken = false;

  private constructor(input: FileInput, count: ReadCount, head: KeptHead) {
    this.input = input;
    this.#count = count;
    this.#rows = readParquetRows(input, head, allRows, {});
    this.#filled = this.#fill();
    // Whoever takes the rows gets the error.
    this.#filled.catch(() => {});
  }

  static async open(path: string, head: KeptHead): Promise<BegunRows> {
    const count = new ReadCount();
    const input = await FileInput.open(path, { onRead: (numBytes) => count.add(numBytes) });
    return new BegunRows(input, count, head);
  }

  /** Whether these are the rows of a job. */
  areOf({ device, inode, size, chunkBytes, request, columns }: RowsJob): boolean {
    const { identity, chunkBytes: ownBytes } = this.input;
    return identity?.device === device && identity.inode === inode && identity.size === size &&
      ownBytes === chunkBytes && columns === undefined &&
      isAllRows(request);
  }

  /** Yields the rows, as `readParquetRows` does; `onRead` is told of all reads, earlier ones too. */
  async *take(onRead: (numBytes: number) => void): AsyncGenerator<SourceRows, void, void> {
    this.#isTaken = true;
    this.#count.tell(onRead);
    // Calls of an input must not overlap, and who takes the rows may read more of it.
    const failure = await this.#filled.then(() => undefined, (error) => ({ error }));
    yield* this.#ready.splice(0);
    if (failure !== undefined) throw failure.error;
    yield* this.#rows;
  }

  /** Forgets rows that nobody has taken. */
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

/** Counts the bytes of reads until somebody wants to be told of them. */
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
