/**
 * A file that appears under its name only when it is complete.
 *
 * @module
 */

import { dirname } from "node:path";
import { toFileError } from "./errors.ts";
import { checkTarget, openTarget, partialPath } from "./output_target.ts";
import { isStderr, isStdout } from "./standard_streams.ts";
import { takeRights } from "./take_rights.ts";

/** Chunks up to this size are gathered, so that small batches do not cost a system call each. */
const smallChunkBytes = 32 << 10;
const gatherBytes = 256 << 10;

/** A file, or what the process was given. */
type OpenedOutput = Deno.FsFile | typeof Deno.stdout;

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
 * one. A file that replaces another has its owner, group and mode before any byte is in it; of
 * links, that which they lead to is replaced. What is not a plain file, such as a pipe or a device,
 * is written to as it is, and so is what the process was given: stdout for `-` and `/dev/stdout`.
 */
export class OutputFile {
  /** What errors call it. */
  readonly name: string;
  /** Bytes written so far. */
  bytesWritten = 0;
  readonly #file: OpenedOutput;
  /** Where it lies until it is committed, and where it belongs; absent where written in place. */
  readonly #paths: { readonly partial: string; readonly final: string } | undefined;
  #gathered = new Uint8Array(gatherBytes);
  #numGathered = 0;
  #closed = false;

  private constructor(
    name: string,
    file: OpenedOutput,
    paths?: { readonly partial: string; readonly final: string },
  ) {
    this.name = name;
    this.#file = file;
    this.#paths = paths;
  }

  /** What errors call the output at a path. */
  static nameOf(path: string): string {
    return isStdout(path) ? "standard output" : isStderr(path) ? "standard error" : path;
  }

  /** Throws where the path cannot become a file, as far as that can be told without writing. */
  static async check(path: string): Promise<void> {
    if (givenStream(path) === undefined) await checkTarget(path);
  }

  /** Opens the output. */
  static async create(path: string): Promise<OutputFile> {
    const name = OutputFile.nameOf(path);
    const given = givenStream(path);
    if (given !== undefined) return new OutputFile(name, given);
    await OutputFile.check(path);
    const target = await openTarget(path);
    if ("file" in target) return new OutputFile(name, target.file);
    try {
      return OutputFile.#begin(name, target.path, target.old);
    } catch (error) {
      throw toFileError(path, error);
    }
  }

  /** Begins a file. Waits for nothing: a signal in between would find a file that nobody knows of. */
  static #begin(name: string, final: string, old: Deno.FileInfo | undefined): OutputFile {
    const partial = partialPath(final);
    const file = createPartial(partial, old === undefined ? 0o666 : 0o600);
    partialPaths.add(partial);
    const output = new OutputFile(name, file, { partial, final });
    try {
      if (old !== undefined) takeRights(partial, file.statSync(), old);
      return output;
    } catch (error) {
      output.discard();
      throw error;
    }
  }

  /** Whether it appears under its name when it is complete, so that nobody sees it before. */
  get appearsAtEnd(): boolean {
    return this.#paths !== undefined;
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
      // Whoever reads a pipe waits for what is there.
      if (!this.appearsAtEnd) await this.#flush();
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
    if (this.#file !== Deno.stdout && this.#file !== Deno.stderr) this.#file.close();
  }
}

/** What a path names that the process was given. */
function givenStream(path: string): typeof Deno.stdout | undefined {
  return isStdout(path) ? Deno.stdout : isStderr(path) ? Deno.stderr : undefined;
}

/** Creates a file that is not there; it follows no link, and its mode obeys the mask of the user. */
function createPartial(path: string, mode: number): Deno.FsFile {
  try {
    return Deno.openSync(path, { write: true, createNew: true, mode });
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    const problem = `cannot be written, files may not be added to the folder ${dirname(path)}`;
    throw new Error(problem, { cause: error });
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Whoever removed it first did what is wanted here.
  }
}
