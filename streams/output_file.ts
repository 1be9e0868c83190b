/**
 * A file that appears under its name only when it is complete.
 *
 * @module
 */

import { FileError, toFileError } from "./errors.ts";
import { standardStream } from "./file_input.ts";

/** Chunks up to this size are gathered, so that small batches do not cost a system call each. */
const smallChunkBytes = 32 << 10;
const gatherBytes = 256 << 10;

/** Partial files that exist now. */
const partialPaths = new Set<string>();

/**
 * Removes the partial outputs of this process, at once: for a signal handler that is about to
 * exit. What was being written is lost; complete outputs stay.
 *
 * @example
 * ```ts
 * import { removePartialOutputs } from "../mod.ts";
 *
 * const stop = () => {
 *   removePartialOutputs();
 *   Deno.exit(130);
 * };
 * Deno.addSignalListener("SIGINT", stop);
 * Deno.removeSignalListener("SIGINT", stop);
 * ```
 */
export function removePartialOutputs(): void {
  for (const path of partialPaths) removeQuietly(path);
  partialPaths.clear();
}

/**
 * An output that is being written: to `.name.<random>.partial` beside its place, renamed when it
 * is committed. So a file can be replaced while it is read, and whoever finds a file finds a whole
 * one. Devices and pipes are written in place, as is stdout for `-`.
 */
export class OutputFile {
  /** What errors call it. */
  readonly name: string;
  /** Bytes written so far. */
  bytesWritten = 0;
  readonly #file: Deno.FsFile | typeof Deno.stdout;
  /** Where it lies until it is committed, and where it belongs; absent where written in place. */
  readonly #paths: { readonly partial: string; readonly final: string } | undefined;
  #gathered = new Uint8Array(gatherBytes);
  #numGathered = 0;
  #closed = false;

  private constructor(
    name: string,
    file: Deno.FsFile | typeof Deno.stdout,
    paths?: { readonly partial: string; readonly final: string },
  ) {
    this.name = name;
    this.#file = file;
    this.#paths = paths;
  }

  /** What errors call the output at a path. */
  static nameOf(path: string): string {
    return path === standardStream ? "standard output" : path;
  }

  /** Throws where the path cannot become a file, as far as that can be told without writing. */
  static async check(path: string): Promise<void> {
    if (path === standardStream) return;
    const target = await statOf(path);
    if (target?.isDirectory) throw new FileError(path, "is a folder, not a file");
    if (target !== undefined) return;
    const folder = folderOf(path);
    if (!(await statOf(folder))?.isDirectory) {
      throw new FileError(path, `cannot be written, the folder ${folder} does not exist`);
    }
  }

  /** Opens the output. */
  static async create(path: string): Promise<OutputFile> {
    if (path === standardStream) return new OutputFile(OutputFile.nameOf(path), Deno.stdout);
    await OutputFile.check(path);
    try {
      const target = await statOf(path);
      if (target !== undefined && !target.isFile) {
        return new OutputFile(path, await Deno.open(path, { write: true }));
      }
      // Replacing a link would leave what it points to as it was.
      const final = target === undefined ? path : await Deno.realPath(path);
      const partial = partialPath(final);
      // Not awaited: a signal in between would find a file that nobody knows of.
      const file = Deno.openSync(partial, { write: true, createNew: true });
      partialPaths.add(partial);
      return new OutputFile(path, file, { partial, final });
    } catch (error) {
      throw toFileError(path, error);
    }
  }

  /** Writes chunks in order; they may be reused when the promise is fulfilled. */
  async write(chunks: readonly Uint8Array[]): Promise<void> {
    try {
      for (const chunk of chunks) {
        if (chunk.length <= smallChunkBytes) await this.#gather(chunk);
        else {
          await this.#flush();
          await this.#writeAll(chunk);
        }
        this.bytesWritten += chunk.length;
      }
    } catch (error) {
      throw toFileError(this.name, error);
    }
  }

  /** Ends the output and gives it its name. */
  async commit(): Promise<void> {
    try {
      await this.#flush();
      this.#close();
      if (this.#paths === undefined) return;
      await Deno.rename(this.#paths.partial, this.#paths.final);
      partialPaths.delete(this.#paths.partial);
    } catch (error) {
      this.discard();
      throw toFileError(this.name, error);
    }
  }

  /** Closes the output and removes what was written. */
  discard(): void {
    this.#close();
    if (this.#paths === undefined || !partialPaths.delete(this.#paths.partial)) return;
    removeQuietly(this.#paths.partial);
  }

  async #gather(chunk: Uint8Array): Promise<void> {
    if (this.#numGathered + chunk.length > gatherBytes) await this.#flush();
    this.#gathered.set(chunk, this.#numGathered);
    this.#numGathered += chunk.length;
  }

  async #flush(): Promise<void> {
    const numBytes = this.#numGathered;
    this.#numGathered = 0;
    await this.#writeAll(this.#gathered.subarray(0, numBytes));
  }

  /**
   * A file takes the bytes at once, into the page cache: handing them to a thread and waiting for
   * it doubles the time. A pipe or a device may keep us waiting, so these are waited for.
   */
  async #writeAll(bytes: Uint8Array): Promise<void> {
    const isRegular = this.#paths !== undefined;
    for (let written = 0; written < bytes.length;) {
      const rest = bytes.subarray(written);
      written += isRegular ? this.#file.writeSync(rest) : await this.#file.write(rest);
    }
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#file !== Deno.stdout) this.#file.close();
  }
}

function partialPath(path: string): string {
  const slash = path.lastIndexOf("/") + 1;
  const random = crypto.randomUUID().slice(0, 8);
  return `${path.slice(0, slash)}.${path.slice(slash)}.${random}.partial`;
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : path.slice(0, slash) || "/";
}

async function statOf(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return;
    throw toFileError(path, error);
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Whoever removed it first did what is wanted here.
  }
}
