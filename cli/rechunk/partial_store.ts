/**
 * The folder in which a run builds its result. The result gets its final name when it is complete.
 *
 *     begin     creates OUT.partial, or finds that of an earlier run; locks it and writes the note
 *     setDone   for each array: once its files are synced, adds it to the note
 *     commit    syncs OUT.partial/store, notes that it is complete, renames it to OUT, then removes the
 *               temporary files and OUT.partial, its note last
 *     sweep     in the next run: finishes a commit that ended after the rename
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import { dirname, resolve } from "node:path";
import { syncFolder, syncTree } from "../../streams/bytes/own_files/durable.ts";
import { FileError } from "../../base/errors/file_error.ts";
import { toFileError } from "../../base/errors/wrap_error.ts";
import {
  checkPrivateFolder,
  createPrivateFolder,
} from "../../streams/bytes/own_files/private_folder.ts";
import { removeQuietly } from "../../base/temp_paths.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import {
  checkSame,
  NOTE,
  readRunNote,
  type RunNote,
  type RunWords,
  writeRunNote,
} from "./run_note.ts";
import { newTempPath, openTemp, sweepTemps } from "./run_temp.ts";
import { LOCK, StoreLock } from "./store_lock.ts";

export type { RunWords } from "./run_note.ts";

/** The options of a new result. */
interface Beginning {
  readonly words: RunWords;
  /** The folder that the user gave for temporary files. */
  readonly temp: string | undefined;
  readonly resume: boolean;
  /** Paths of the arrays whose plans depend on the memory limit, which must not change until they are done. */
  readonly bound: readonly string[];
}

/** The option that may change on resuming if no unfinished array is bound to it. */
const MEMORY = "--max-mem";

/**
 * The unfinished result of a run, in `OUT.partial` beside OUT. Only its owner may enter that folder. It has a
 * note, the result, and the folder for temporary files unless that lies elsewhere. It is locked until this
 * object is disposed.
 */
export class PartialStore implements Disposable {
  /** The folder in which the result is built. */
  readonly path: string;
  /** A line for each leftover of an earlier run. */
  readonly findings: readonly string[];
  /** Whether it resumes an earlier run. */
  readonly isResumed: boolean;
  readonly #output: string;
  readonly #folder: string;
  readonly #temp: string;
  readonly #locks: DisposableStack;
  #note: RunNote;

  private constructor(
    output: string,
    note: RunNote,
    { locks, findings, isResumed }: {
      readonly locks: DisposableStack;
      readonly findings: readonly string[];
      readonly isResumed: boolean;
    },
  ) {
    this.#output = output;
    this.#folder = partialOf(output);
    this.path = builtAt(output);
    this.#note = note;
    this.#temp = tempOf(output, note);
    this.#locks = locks;
    this.findings = findings;
    this.isResumed = isResumed;
  }

  /**
   * Creates the folder, or resumes from an existing one if asked to. Throws a CommandError if that belongs to a
   * run with other options, and a FileError if another process uses it.
   */
  static begin(output: string, beginning: Beginning): PartialStore {
    const folder = partialOf(output);
    return attempt(folder, () => {
      const isNew = createUnlessThere(folder);
      using locks = new DisposableStack();
      locks.use(StoreLock.take(folder));
      const findings: string[] = [];
      let found = isNew ? undefined : readRunNote(folder);
      if (found !== undefined && isOver(output, found)) {
        removeLeft(output, found);
        found = undefined;
        findings.push(`reusing ${folder}, which a complete run left`);
      } else if (!isNew && found === undefined) {
        findings.push(`reusing ${folder}, left by a run that had written nothing`);
      }
      const note = found === undefined
        ? newNote(output, beginning)
        : resumedNote(folder, found, beginning);
      writeRunNote(folder, note);
      syncFolder(dirname(resolve(folder)));
      findings.push(...openTemps(output, note, { locks, isResumed: found !== undefined }));
      return new PartialStore(output, note, {
        locks: locks.move(),
        findings,
        isResumed: found !== undefined,
      });
    });
  }

  /**
   * Removes the leftovers of a run that ended after it had renamed its result to OUT. Returns whether there
   * was such a run. Throws a CommandError if it is to be resumed with other options.
   */
  static sweep(output: string, { words, resume }: Pick<Beginning, "words" | "resume">): boolean {
    const folder = partialOf(output);
    return attempt(folder, () => {
      if (!exists(output) || !exists(`${folder}/${NOTE}`)) return false;
      checkPrivateFolder(folder);
      using _lock = StoreLock.take(folder);
      const note = readRunNote(folder);
      if (note === undefined || !isOver(output, note)) return false;
      if (resume) checkSame(folder, note.words, words);
      removeLeft(output, note);
      removeFolder(folder);
      return true;
    });
  }

  /** The folder for intermediate stores of the array at a path. */
  tempOf(path: string): string {
    return path === "" ? this.#temp : `${this.#temp}/${path}`;
  }

  isDone(path: string): boolean {
    return this.#note.done.includes(path);
  }

  /** Notes that an array is complete. Its files must be synced already. */
  setDone(path: string): void {
    attempt(this.#folder, () => {
      const above = path.split("/").slice(0, -1);
      for (let depth = above.length; depth > 0; depth--) {
        syncFolder(`${this.path}/${above.slice(0, depth).join("/")}`);
      }
      syncFolder(this.path);
      this.#write({ ...this.#note, done: [...this.#note.done, path] });
    });
  }

  /** Gives the result its final name, and removes temporary files. */
  async commit(): Promise<void> {
    const done = this.#note.done.filter((path) => path !== "").map((path) =>
      `${this.path}/${path}`
    );
    if (!this.isDone("")) await syncTree(this.path, { except: new Set(done) });
    attempt(this.#output, () => {
      this.#write({ ...this.#note, isComplete: true });
      // A rename would replace an empty folder.
      if (exists(this.#output)) throw new Error("was created in the meantime, and is not replaced");
      Deno.renameSync(this.path, this.#output);
      syncFolder(dirname(resolve(this.#output)));
      removeLeft(this.#output, this.#note);
      removeFolder(this.#folder);
    });
  }

  [Symbol.dispose](): void {
    this.#locks.dispose();
  }

  #write(note: RunNote): void {
    writeRunNote(this.#folder, note);
    this.#note = note;
  }
}

/** Returns the folder in which the result `output` is built. */
export function partialOf(output: string): string {
  return `${output}.partial`;
}

/** Returns the path of the unfinished result in that folder. */
export function builtAt(output: string): string {
  return `${partialOf(output)}/store`;
}

function tempOf(output: string, { temp }: RunNote): string {
  return temp ?? `${partialOf(output)}/temp`;
}

/** Creates the folder. Returns false if it exists and may belong to a run; throws if it belongs to none. */
function createUnlessThere(folder: string): boolean {
  try {
    createPrivateFolder(folder);
    return true;
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  checkPrivateFolder(folder);
  const names = namesIn(folder);
  // A run that ended before its first note left at most these.
  const isOfRun = names.includes(NOTE) ||
    names.every((name) =>
      name === LOCK || name === `${NOTE}.partial` || name.startsWith(".sluice-")
    );
  if (isOfRun) return false;
  throw new FileError(folder, "exists, but no run can be resumed from it; remove it");
}

function newNote(output: string, { words, temp }: Beginning): RunNote {
  return { words, ...(temp === undefined ? {} : { temp: newTempPath(temp, output) }), done: [] };
}

function resumedNote(folder: string, note: RunNote, beginning: Beginning): RunNote {
  const { words, temp, resume, bound } = beginning;
  if (!resume) {
    const cure = "continue it with --resume, or remove it";
    throw new FileError(folder, `is left from an interrupted run; ${cure}`);
  }
  const isFree = bound.every((array) => note.done.includes(array));
  const memory = words[MEMORY];
  const kept = isFree && memory !== undefined ? { ...note.words, [MEMORY]: memory } : note.words;
  checkSame(folder, kept, words);
  const theirs = note.temp === undefined ? resolve(folder) : dirname(note.temp);
  if (temp !== undefined && resolve(temp) !== theirs) {
    throw new CommandError(`${folder} is from a run with its temporary files in ${theirs}`);
  }
  return { ...note, words };
}

/** Creates or opens the folder for temporary files. Returns the leftovers of earlier runs. */
function openTemps(
  output: string,
  note: RunNote,
  { locks, isResumed }: { readonly locks: DisposableStack; readonly isResumed: boolean },
): string[] {
  const temp = tempOf(output, note);
  const isLost = isResumed && note.temp !== undefined && !exists(temp);
  attempt(temp, () => locks.use(openTemp(temp)));
  if (note.temp === undefined) return [];
  const swept = sweepTemps(dirname(temp), output, temp);
  return [
    ...(isLost ? [`${temp} no longer exists; its files are written again`] : []),
    ...swept.map((path) => `removed ${path}, which an earlier run left`),
  ];
}

/** Whether a run renamed its result, but ended before it removed the rest. */
function isOver(output: string, { isComplete = false }: RunNote): boolean {
  return isComplete && !exists(builtAt(output));
}

/** Removes the folder for temporary files, unless another user's folder has replaced it. */
function removeLeft(output: string, note: RunNote): void {
  const temp = tempOf(output, note);
  try {
    checkPrivateFolder(temp);
  } catch {
    return;
  }
  removeQuietly(temp);
}

/** Removes the folder of a run, the note last: until then it identifies the rest. */
function removeFolder(folder: string): void {
  const names = namesIn(folder).filter((name) => name !== NOTE);
  for (const name of [...names, NOTE]) removeQuietly(`${folder}/${name}`);
  removeQuietly(folder);
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name);
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory;
    if (isMissing) return false;
    throw error;
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isSluiceError(error, "CommandError")) throw error;
    throw toFileError(path, error);
  }
}
