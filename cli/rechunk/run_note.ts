/**
 * The note that a run keeps in the folder where it builds its result, until the end.
 *
 * @module
 */

import { readNote, writeNote } from "../../streams/bytes/own_files/durable.ts";
import { FileError } from "../../base/errors/file_error.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { isTempPath } from "./run_temp.ts";

/** What a run is asked for: it goes on only with the same. */
export type RunWords = Readonly<Record<string, string>>;

/** What a run notes. */
export interface RunNote {
  readonly words: RunWords;
  /** The folder for intermediate stores, absolute; absent where it lies beside the note. */
  readonly temp?: string | undefined;
  /** Paths of the arrays that are complete. */
  readonly done: readonly string[];
  /** Whether all is complete, so that the result gets its name. */
  readonly isComplete?: boolean;
}

const KIND = "sluice rechunk run";
const FORMAT = `${KIND} 2`;
/** The name of its file. */
export const NOTE = ".sluice-rechunk.json";

/** Writes the note of a folder: when this returns, it survives the end of the machine. */
export function writeRunNote(folder: string, note: RunNote): void {
  const text = JSON.stringify({ format: FORMAT, ...note }, null, 2);
  writeNote(`${folder}/${NOTE}`, `${text}\n`, { isDurable: true });
}

/** The note of a folder; undefined where it has none. Throws a FileError for what is no note. */
export function readRunNote(folder: string): RunNote | undefined {
  const text = readNote(`${folder}/${NOTE}`);
  if (text === undefined) return undefined;
  const note = parseNote(text);
  if (note?.format === FORMAT) return note;
  const isOther = typeof note?.format === "string" && note.format.startsWith(KIND);
  throw new FileError(
    folder,
    isOther
      ? "is of a run by another version of Sluice, which cannot be resumed; remove it"
      : "is there, but is not of a run that could be resumed; remove it",
  );
}

/** Throws a CommandError that says what a run was asked for, where these words ask for something else. */
export function checkSame(folder: string, theirs: RunWords, ours: RunWords): void {
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    if (theirs[name] === ours[name]) continue;
    const was = theirs[name] === undefined ? `without ${name}` : `with ${name} ${theirs[name]}`;
    throw new CommandError(`${folder} is of a run ${was}: resume with the same, or remove it`);
  }
}

function parseNote(text: string): (RunNote & { readonly format: string }) | undefined {
  try {
    const note = JSON.parse(text);
    const isNote = typeof note?.words === "object" && note.words !== null &&
      Array.isArray(note.done) &&
      // The folder is removed at the end: a note that came from elsewhere must not name any other.
      (note.temp === undefined || typeof note.temp === "string" && isTempPath(note.temp));
    return isNote ? note : undefined;
  } catch {
    return undefined;
  }
}
