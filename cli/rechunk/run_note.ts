/**
 * The note that a run keeps in the folder of its unfinished result.
 *
 * @module
 */

import { readNote, writeNote } from "../../streams/bytes/own_files/durable.ts";
import { FileError } from "../../base/errors/file_error.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { isTempPath } from "./run_temp.ts";

/** The options of a run, which a resumed run must repeat. */
export type RunWords = Readonly<Record<string, string>>;

/** The content of the note. */
export interface RunNote {
  readonly words: RunWords;
  /** The absolute path of the folder for intermediate stores; absent if that lies beside the note. */
  readonly temp?: string | undefined;
  /** Paths of the arrays that are complete. */
  readonly done: readonly string[];
  /** Whether everything is complete, so that the result is about to get its final name. */
  readonly isComplete?: boolean;
}

const KIND = "sluice rechunk run";
const FORMAT = `${KIND} 2`;
/** The name of its file. */
export const NOTE = ".sluice-rechunk.json";

/** Writes the note of a folder durably: once this returns, it survives a crash of the machine. */
export function writeRunNote(folder: string, note: RunNote): void {
  const text = JSON.stringify({ format: FORMAT, ...note }, null, 2);
  writeNote(`${folder}/${NOTE}`, `${text}\n`, { isDurable: true });
}

/** Reads the note of a folder; undefined if it has none. Throws a FileError if its file is not a note. */
export function readRunNote(folder: string): RunNote | undefined {
  const text = readNote(`${folder}/${NOTE}`);
  if (text === undefined) return undefined;
  const note = parseNote(text);
  if (note?.format === FORMAT) return note;
  const isOther = typeof note?.format === "string" && note.format.startsWith(KIND);
  throw new FileError(
    folder,
    isOther
      ? "is from a run of another version of Sluice, which cannot be resumed; remove it"
      : "exists, but no run can be resumed from it; remove it",
  );
}

/** Throws a CommandError if the options of an earlier run differ from those of this one. */
export function checkSame(folder: string, theirs: RunWords, ours: RunWords): void {
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    if (theirs[name] === ours[name]) continue;
    const was = theirs[name] === undefined ? `without ${name}` : `with ${name} ${theirs[name]}`;
    throw new CommandError(`${folder} is from a run ${was}: resume with the same, or remove it`);
  }
}

function parseNote(text: string): (RunNote & { readonly format: string }) | undefined {
  try {
    const note = JSON.parse(text);
    const isNote = typeof note?.words === "object" && note.words !== null &&
      Array.isArray(note.done) &&
      // The run removes this folder at the end, so a forged note must not name any other folder.
      (note.temp === undefined || typeof note.temp === "string" && isTempPath(note.temp));
    return isNote ? note : undefined;
  } catch {
    return undefined;
  }
}
