/**
 * Operations on files of this process that end at any of them, as if the process were killed there, or
 * the machine lost its power.
 */

/** What the end of a process looks like from within: every operation from there on throws it. */
class Killed extends Error {
  constructor() {
    super("killed");
  }
}

/** What becomes of the files when it ends. */
export type Ending =
  /** The system brings all of it to the disk. */
  | "killed"
  /** Files that were not brought to the disk are cut. */
  | "data lost"
  /** Names that were not brought to the disk are as before, too. */
  | "names lost";

/** A name in a folder that is not on the disk yet, and how to undo it. */
interface NewName {
  readonly folder: string;
  undo(): void;
}

const {
  lstatSync,
  mkdirSync,
  mkdir,
  copyFileSync,
  copyFile,
  renameSync,
  rename,
  removeSync,
  writeTextFileSync,
  openSync,
  readFileSync,
} = Deno;
const own = {
  ...{ lstatSync, mkdirSync, mkdir, copyFileSync, copyFile, renameSync, rename, removeSync },
  ...{ writeTextFileSync, openSync, readFileSync },
};
const { writeSync, syncSync, sync } = Deno.FsFile.prototype;

/**
 * Runs work that ends at the operation with this number, from 0 on. Gives how many there were. What is
 * brought to the disk is noted only: that would take long.
 */
export async function breakAt(
  number: number,
  ending: Ending,
  work: () => Promise<unknown>,
): Promise<number> {
  const files = new BrokenFiles(number);
  files.patch();
  try {
    await work();
  } catch (error) {
    if (!isKilled(error)) throw error;
  } finally {
    files.restore();
  }
  if (files.numOperations > number) files.lose(ending);
  return files.numOperations;
}

function isKilled(error: unknown): boolean {
  return error instanceof Error && (error instanceof Killed || isKilled(error.cause));
}

class BrokenFiles {
  numOperations = 0;
  readonly #last: number;
  /** Files whose bytes are not on the disk. */
  readonly #unsynced = new Set<string>();
  #names: NewName[] = [];
  readonly #paths = new WeakMap<Deno.FsFile, string>();

  constructor(last: number) {
    this.#last = last;
  }

  /** Counts an operation; the last one is not done any more. */
  #step(): void {
    if (this.numOperations++ >= this.#last) throw new Killed();
  }

  patch(): void {
    // deno-lint-ignore no-this-alias -- methods of files need both
    const files = this;
    const makeFolder: typeof Deno.mkdirSync = (path, options) => {
      files.#step();
      const isNew = !exists(String(path));
      own.mkdirSync(path, options);
      if (isNew) files.#created(String(path));
    };
    const copy = (from: string | URL, to: string | URL) => {
      files.#step();
      own.copyFileSync(from, to);
      files.#created(String(to));
      files.#unsynced.add(String(to));
    };
    const renameTo: typeof Deno.renameSync = (from, to) => {
      files.#step();
      files.#rename(String(from), String(to));
    };
    Object.assign(Deno, {
      mkdirSync: makeFolder,
      mkdir: (...args: Parameters<typeof Deno.mkdir>) => Promise.try(makeFolder, ...args),
      copyFile: (...args: Parameters<typeof Deno.copyFile>) => Promise.try(copy, ...args),
      renameSync: renameTo,
      rename: (...args: Parameters<typeof Deno.rename>) => Promise.try(renameTo, ...args),
      removeSync(path: string, options?: Deno.RemoveOptions) {
        files.#step();
        own.removeSync(path, options);
      },
      writeTextFileSync(path: string, text: string) {
        using file = Deno.openSync(path, { write: true, create: true, truncate: true });
        file.writeSync(new TextEncoder().encode(text));
      },
      openSync(path: string, options: Deno.OpenOptions = { read: true }) {
        const isNew = options.write === true && !exists(path);
        if (isNew) files.#step();
        const file = own.openSync(path, options);
        files.#paths.set(file, path);
        if (isNew) files.#created(path);
        return file;
      },
    });
    Deno.FsFile.prototype.writeSync = function (bytes) {
      files.#unsynced.add(files.#paths.get(this)!);
      if (files.numOperations === files.#last) {
        // The half of it was written.
        writeSync.call(this, bytes.subarray(0, bytes.length >> 1));
      }
      files.#step();
      return writeSync.call(this, bytes);
    };
    Deno.FsFile.prototype.syncSync = function () {
      files.#step();
      files.#synced(files.#paths.get(this)!);
    };
    Deno.FsFile.prototype.sync = function () {
      return Promise.try(() => this.syncSync());
    };
  }

  restore(): void {
    Object.assign(Deno, own);
    Object.assign(Deno.FsFile.prototype, { writeSync, syncSync, sync });
  }

  /** Loses what the machine would have lost. */
  lose(ending: Ending): void {
    if (ending === "killed") return;
    for (const path of this.#unsynced) {
      if (exists(path)) Deno.truncateSync(path, Deno.statSync(path).size >> 1);
    }
    if (ending === "names lost") { for (const name of this.#names.toReversed()) name.undo(); }
  }

  #created(path: string): void {
    this.#names.push({ folder: folderOf(path), undo: () => remove(path) });
  }

  #rename(from: string, to: string): void {
    const isFile = own.lstatSync(from).isFile;
    const before = isFile && exists(to) ? own.readFileSync(to) : undefined;
    own.renameSync(from, to);
    if (this.#unsynced.delete(from)) this.#unsynced.add(to);
    else this.#unsynced.delete(to);
    if (!isFile) {
      const moved = (path: string) =>
        path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
      for (const path of [...this.#unsynced]) {
        this.#unsynced.delete(path);
        this.#unsynced.add(moved(path));
      }
    }
    this.#names.push({
      folder: folderOf(to),
      undo() {
        if (!exists(to)) return;
        if (!exists(folderOf(from))) return remove(to);
        Deno.renameSync(to, from);
        if (before !== undefined) Deno.writeFileSync(to, before);
      },
    });
  }

  #synced(path: string): void {
    this.#unsynced.delete(path);
    this.#names = this.#names.filter(({ folder }) => folder !== path);
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function exists(path: string): boolean {
  try {
    own.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function remove(path: string): void {
  try {
    own.removeSync(path, { recursive: true });
  } catch {
    // It is gone already.
  }
}
