/**
 * Writes a file that appears under its name only when it is complete.
 *
 * @module
 */

import { toFileError } from "../../base/errors/wrap_error.ts";
import { checkTarget, openTarget, partialPath } from "./output_target.ts";
import {
  forgetPartial,
  notePartial,
  removePartials,
  removeQuietly,
} from "../../base/partial_paths.ts";
import { dirname } from "../../base/paths.ts";
import { isStderr, isStdout } from "../bytes/standard_streams.ts";

/** Chunks up to this size are buffered, so that small batches do not cost a system call each. */
const smallChunkBytes = 32 << 10;
const gatherBytes = 256 << 10;

type OpenedOutput = Deno.FsFile | typeof Deno.stdout;

/** Gives the new file at a path the rights of the file that it will replace. */
type TakeRights = (path: string, created: Deno.FileInfo) => void;

/**
 * Removes the partial outputs and the temporary files of this process synchronously, for signal
 * handlers that exit. Complete outputs stay.
 *
 * @example
 * ```ts
 * import { removePartialOutputs } from "../../mod.ts";
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
  removePartials();
}

/**
 * An output being written to `.name.<random>.partial` in the same folder, and renamed on commit. A
 * file can thus be replaced while it is read, and readers only see complete files. A file that
 * replaces another gets its owner, group and mode before any byte is written; links are followed.
 * Pipes, devices and inherited descriptors (stdout for `-` and `/dev/stdout`) are written directly.
 */
export class OutputFile {
  /** Its name in errors. */
  readonly name: string;
  /** Bytes written so far. */
  bytesWritten = 0;
  readonly #file: OpenedOutput;
  /** The paths before and after the commit; absent if written directly. */
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

  /** Returns the name of the output in errors. */
  static nameOf(path: string): string {
    return isStdout(path) ? "standard output" : isStderr(path) ? "standard error" : path;
  }

  /** Throws if the path cannot become a file, as far as can be known without writing. */
  static async check(path: string): Promise<void> {
    if (givenStream(path) === undefined) await checkTarget(path);
  }

  static async create(path: string): Promise<OutputFile> {
    const name = OutputFile.nameOf(path);
    const given = givenStream(path);
    if (given !== undefined) return new OutputFile(name, given);
    await OutputFile.check(path);
    const target = await openTarget(path);
    if ("file" in target) return new OutputFile(name, target.file);
    try {
      return OutputFile.#begin(name, target.path, await rightsOf(target.old));
    } catch (error) {
      throw toFileError(path, error);
    }
  }

  /** Creates a partial file. Synchronous, so that no signal can arrive before the file is registered. */
  static #begin(name: string, final: string, rights: TakeRights | undefined): OutputFile {
    const partial = partialPath(final);
    const file = createPartial(partial, rights === undefined ? 0o666 : 0o600);
    notePartial(partial);
    const output = new OutputFile(name, file, { partial, final });
    try {
      rights?.(partial, file.statSync());
      return output;
    } catch (error) {
      output.discard();
      throw error;
    }
  }

  /** Whether it becomes visible only when it is complete. */
  get appearsAtEnd(): boolean {
    return this.#paths !== undefined;
  }

  /** Writes chunks in order; their memory may be reused once the promise is fulfilled. */
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
      // Flush, since the reader of a pipe waits for these bytes.
      if (!this.appearsAtEnd) await this.#flush();
    } catch (error) {
      throw toFileError(this.name, error);
    }
  }

  /** Completes the output, which does not appear yet. */
  async finish(): Promise<void> {
    try {
      if (!this.#closed) await this.#flush();
      this.#close();
    } catch (error) {
      this.discard();
      throw toFileError(this.name, error);
    }
  }

  /** Completes the output and renames it to its final name. */
  async commit(): Promise<void> {
    await this.finish();
    try {
      if (this.#paths === undefined) return;
      await Deno.rename(this.#paths.partial, this.#paths.final);
      forgetPartial(this.#paths.partial);
    } catch (error) {
      this.discard();
      throw toFileError(this.name, error);
    }
  }

  /** Closes the output and removes the partial file. */
  discard(): void {
    this.#close();
    if (this.#paths === undefined || !forgetPartial(this.#paths.partial)) return;
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
   * Writes to a file are synchronous: the page cache takes the bytes at once, and an asynchronous
   * write takes twice as long. Writes to pipes and devices may block, so these are asynchronous.
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

function givenStream(path: string): typeof Deno.stdout | undefined {
  return isStdout(path) ? Deno.stdout : isStderr(path) ? Deno.stderr : undefined;
}

/** Returns the function that takes over the rights of an old file; undefined where there is none. */
async function rightsOf(old: Deno.FileInfo | undefined): Promise<TakeRights | undefined> {
  if (old === undefined) return undefined;
  const { takeRights } = await import("./output_rights.ts");
  return (path, created) => takeRights(path, created, old);
}

/** Creates a new file; follows no link, and applies the umask. */
function createPartial(path: string, mode: number): Deno.FsFile {
  try {
    return Deno.openSync(path, { write: true, createNew: true, mode });
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    const problem = `cannot be written, files may not be added to the folder ${dirname(path)}`;
    throw new Error(problem, { cause: error });
  }
}
