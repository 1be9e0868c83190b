/**
 * The folder in which a run builds its result, which gets its name when it is complete.
 *
 * @module
 */

import { basename, resolve } from "node:path";
import { FileError, toFileError } from "../../streams/errors.ts";
import { CommandError } from "../arguments.ts";
import { StoreLock } from "./store_lock.ts";

/** What a run is asked for: it goes on only with the same. */
export type RunWords = Readonly<Record<string, string>>;

/** What lies in the folder until the end. */
interface Note {
  readonly format: typeof FORMAT;
  readonly words: RunWords;
  /** The folder for intermediate stores, absolute. */
  readonly temp: string;
  /** Paths of the arrays that are complete. */
  readonly done: readonly string[];
}

const FORMAT = "sluice rechunk run 1";
const NOTE = ".sluice-rechunk.json";

/** How a result is begun. */
interface Beginning {
  readonly words: RunWords;
  /** The folder that the user gave for temporary files. */
  readonly temp: string | undefined;
  readonly resume: boolean;
  /** Paths of the arrays whose plans hold for one limit of memory: as long as one is not complete. */
  readonly bound: readonly string[];
}

/** The word that may change where nothing is bound to it. */
const MEMORY = "--max-mem";

/**
 * The result of a run while it is built, in `OUT.partial` beside OUT. It is locked, until it is disposed
 * of or has its name.
 */
export class PartialStore implements Disposable {
  /** Where it is built, as the user would name it. */
  readonly path: string;
  readonly #output: string;
  readonly #words: RunWords;
  readonly #done: Set<string>;
  readonly #temp: string;
  readonly #lock: StoreLock;
  /** Whether it goes on with an earlier run. */
  readonly isResumed: boolean;

  private constructor(
    output: string,
    { words, temp, done }: Omit<Note, "format">,
    { lock, isResumed }: { readonly lock: StoreLock; readonly isResumed: boolean },
  ) {
    this.#lock = lock;
    this.#output = output;
    this.path = partialOf(output);
    this.#words = words;
    this.#temp = temp;
    this.#done = new Set(done);
    this.isResumed = isResumed;
  }

  /**
   * Creates the folder, or goes on with one that is there where that is wanted. Throws a CommandError
   * for one of a run that was asked for something else, a FileError for one that another process builds.
   */
  static begin(output: string, { words, temp, resume, bound }: Beginning): PartialStore {
    const path = partialOf(output);
    const own = ownTemp(output, temp);
    return attempt(path, () => {
      const isNew = !exists(path);
      if (isNew) {
        createTemp(own);
        Deno.mkdirSync(path);
      } else checkIsOfRun(path);
      using locks = new DisposableStack();
      const lock = locks.use(StoreLock.take(path));
      let store;
      if (isNew) {
        store = new PartialStore(output, { words, temp: own, done: [] }, {
          lock,
          isResumed: false,
        });
        store.#write();
      } else {
        const note = checkIsOfRun(path);
        if (!resume) {
          const cure = "--resume goes on with it; or remove it";
          throw new FileError(path, `is there from a run that did not end; ${cure}`);
        }
        const isFree = bound.every((array) => note.done.includes(array));
        const kept = isFree ? { ...note.words, ...pick(words, MEMORY) } : note.words;
        checkSame(path, kept, words);
        if (temp !== undefined && own !== note.temp) {
          throw new CommandError(`${path} is of a run with its temporary files in ${note.temp}`);
        }
        store = new PartialStore(output, { ...note, words }, { lock, isResumed: true });
      }
      locks.move();
      return store;
    });
  }

  /** The folder for intermediate stores of the array at a path. */
  tempOf(path: string): string {
    return path === "" ? this.#temp : `${this.#temp}/${path}`;
  }

  isDone(path: string): boolean {
    return this.#done.has(path);
  }

  /** Notes that an array is complete. */
  setDone(path: string): void {
    this.#done.add(path);
    attempt(this.path, () => this.#write());
  }

  /** Gives the folder its name, and removes what is temporary. */
  commit(): void {
    attempt(this.#output, () => {
      // An empty folder would be replaced.
      if (exists(this.#output)) throw new Error("has come into being, and is not replaced");
      Deno.renameSync(this.path, this.#output);
    });
    removeQuietly(`${this.#output}/${NOTE}`);
    this.#lock.remove(this.#output);
    removeQuietly(this.#temp);
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]();
  }

  #write(): void {
    const [words, temp, done] = [this.#words, this.#temp, [...this.#done]];
    const note: Note = { format: FORMAT, words, temp, done };
    const path = `${this.path}/${NOTE}`;
    Deno.writeTextFileSync(`${path}.partial`, `${JSON.stringify(note, null, 2)}\n`);
    Deno.renameSync(`${path}.partial`, path);
  }
}

/** Where the result is built that becomes `output`. */
export function partialOf(output: string): string {
  return `${output}.partial`;
}

/** The folder for the temporary files of a run: its name has that of the output, and tells outputs apart. */
function ownTemp(output: string, folder: string | undefined): string {
  if (folder === undefined) return resolve(`${output}.temp`);
  const place = resolve(output);
  return resolve(folder, `${basename(place)}.${hashOf(place)}.temp`);
}

/** FNV-1a, as eight hexadecimal digits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Creates a folder that is removed at the end: one that has something in it is not ours to remove. */
function createTemp(path: string): void {
  attempt(path, () => {
    try {
      Deno.mkdirSync(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      if (Deno.readDirSync(path)[Symbol.iterator]().next().done !== true) {
        throw new FileError(path, "is there already, and would have temporary files; remove it");
      }
    }
  });
}

function pick(words: RunWords, name: string): RunWords {
  const word = words[name];
  return word === undefined ? {} : { [name]: word };
}

function checkSame(path: string, theirs: RunWords, ours: RunWords): void {
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    if (theirs[name] === ours[name]) continue;
    const was = theirs[name] === undefined ? `without ${name}` : `with ${name} ${theirs[name]}`;
    throw new CommandError(`${path} is of a run ${was}: resume with the same, or remove it`);
  }
}

/** The note of a folder that is there. Throws a FileError where it has none. */
function checkIsOfRun(path: string): Note {
  const note = readNote(path);
  if (note !== undefined) return note;
  throw new FileError(path, "is there, but is not of a run that could be resumed; remove it");
}

function readNote(path: string): Note | undefined {
  let text;
  try {
    text = Deno.readTextFileSync(`${path}/${NOTE}`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  try {
    const note: Partial<Note> | null = JSON.parse(text);
    return note?.format === FORMAT ? note as Note : undefined;
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw toFileError(path, error);
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch {
    // It was never created, or has been removed.
  }
}
