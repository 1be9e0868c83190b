/**
 * An output that is a folder, and appears under its name only when it is complete.
 *
 * @module
 */

import { FileError } from "../../base/errors/file_error.ts";
import { toFileError } from "../../base/errors/wrap_error.ts";
import { checkIsFile, partialPath } from "./output_target.ts";
import { forgetPartial, notePartial, removeQuietly } from "../../base/partial_paths.ts";
import { dirname } from "../../base/paths.ts";
import { isDescriptor, isStderr, isStdout } from "../bytes/standard_streams.ts";

/**
 * A folder that is filled as `.name.<random>.partial` beside its final place, and renamed on commit. It
 * replaces nothing: a file or folder of its name is an error, at the beginning and at the end.
 */
export class OutputFolder {
  /** The path while it is filled. */
  readonly path: string;
  readonly #final: string;

  private constructor(path: string, final: string) {
    this.path = path;
    this.#final = final;
  }

  /** Throws if the path cannot become a folder, as far as can be known without writing. */
  static async check(path: string): Promise<void> {
    checkIsFile(path);
    if (isStdout(path) || isStderr(path) || isDescriptor(path)) {
      throw new FileError(path, "is a stream, but only a folder can be written");
    }
    try {
      if (await exists(path)) {
        throw new FileError(path, "exists already, and is not replaced; remove it first");
      }
      const folder = dirname(withoutSlash(path));
      if (!await exists(folder)) {
        throw new FileError(path, `cannot be written: the folder ${folder} does not exist`);
      }
    } catch (error) {
      throw toFileError(path, error);
    }
  }

  static async create(path: string): Promise<OutputFolder> {
    await OutputFolder.check(path);
    const final = withoutSlash(path);
    const partial = partialPath(final);
    try {
      // Synchronous, so that no signal can arrive before the folder is registered.
      Deno.mkdirSync(partial);
      notePartial(partial);
    } catch (error) {
      throw toFileError(path, error);
    }
    return new OutputFolder(partial, final);
  }

  /** Renames the folder to its final name. */
  async commit(): Promise<void> {
    try {
      // An empty folder would be replaced.
      if (await exists(this.#final)) {
        throw new Error("was created in the meantime, and is not replaced");
      }
      await Deno.rename(this.path, this.#final);
      forgetPartial(this.path);
    } catch (error) {
      this.discard();
      throw toFileError(this.#final, error);
    }
  }

  /** Removes the partial folder, with all that is in it. */
  discard(): void {
    if (forgetPartial(this.path)) removeQuietly(this.path);
  }
}

/** Returns the path of a folder without slashes at its end. */
export function withoutSlash(path: string): string {
  return path.replace(/(?<=[^/\\])[/\\]+$/, "");
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
