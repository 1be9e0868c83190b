/**
 * The record of a run of rechunking in its temporary folder, with which the next run can resume it: the
 * task, and the number of complete passes. The output of a pass knows which of its chunks
 * exist.
 *
 * Files appear under their names when they are complete, so the process may end at any point. The
 * machine may crash too where a run is durable: its work is on disk before the journal records it.
 *
 * @module
 */

import { removeQuietly } from "../../../base/partial_paths.ts";
import { readNote, writeNote } from "../../../streams/bytes/own_files/durable.ts";
import { FileError } from "../../../base/errors/file_error.ts";
import { inFile } from "../../../base/errors/wrap_error.ts";
import type { AnyArray } from "../../../streams/formats/zarr/items/array.ts";
import type { RechunkPlan } from "../plan/rechunk_plan.ts";

/** The arrays and the plan of a run, and its folder. */
interface JournalRun {
  readonly source: AnyArray;
  readonly target: AnyArray;
  readonly plan: RechunkPlan;
  /** The folder, for this run alone. The journal creates it, with the folders around it. */
  readonly temp: string;
  /** Whether to resume an earlier run, if there is one. */
  readonly resume: boolean;
  /** Whether the journal is flushed to disk when it is written. Default: false. */
  readonly isDurable?: boolean;
}

/** The facts that must be equal in a resumed run, as text, under the names that users know. */
interface RunIdentity {
  readonly source: string;
  readonly target: string;
  readonly plan: string;
}

interface JournalText extends RunIdentity {
  readonly format: typeof FORMAT;
  readonly passesDone: number;
}

const FORMAT = "sluice rechunk 1";

/** The journal of a run. */
export class Journal {
  readonly #temp: string;
  readonly #path: string;
  readonly #identity: RunIdentity;
  readonly #isDurable: boolean;
  /** Whether an earlier run is resumed. */
  readonly isResumed: boolean;
  #passesDone = 0;

  /**
   * Begins a run in a folder, in place of an earlier one, or resumes that one. Throws a FileError if
   * the earlier run had other arrays or another plan.
   */
  constructor(run: JournalRun) {
    this.#temp = run.temp;
    this.#path = `${run.temp}/journal.json`;
    this.#identity = identityOf(run);
    this.#isDurable = run.isDurable ?? false;
    const found = readJournal(this.#path);
    this.isResumed = run.resume && found !== undefined;
    if (this.isResumed) {
      this.#checkSame(found!);
      this.#passesDone = found!.passesDone;
    } else {
      if (found !== undefined) removeStores(this.#temp);
      inFile(this.#temp, () => Deno.mkdirSync(this.#temp, { recursive: true }));
      this.#write();
    }
  }

  /** The number of complete passes. */
  get passesDone(): number {
    return this.#passesDone;
  }

  /** Records that one more pass is complete. */
  passDone(): void {
    this.#passesDone++;
    this.#write();
  }

  /** Removes the journal and its folder with all contents, when the run is complete. */
  remove(): void {
    removeQuietly(`${this.#path}.partial`);
    removeQuietly(this.#path);
    removeQuietly(this.#temp);
  }

  #checkSame(found: RunIdentity): void {
    for (const what of ["source", "target", "plan"] as const) {
      if (found[what] === this.#identity[what]) continue;
      throw new FileError(
        this.#temp,
        `is from a run with another ${what}, which cannot be resumed`,
      );
    }
  }

  #write(): void {
    const { source, target, plan } = this.#identity;
    const passesDone = this.#passesDone;
    const text: JournalText = { format: FORMAT, source, target, plan, passesDone };
    const isDurable = this.#isDurable;
    inFile(
      this.#path,
      () => writeNote(this.#path, `${JSON.stringify(text, null, 2)}\n`, { isDurable }),
    );
  }
}

/** Returns the path of the store that a pass, counted from 0, writes. */
export function storePath(temp: string, pass: number): string {
  return `${temp}/${STORE}${pass + 1}`;
}

const STORE = "store-";

/** Removes the stores of an earlier run. */
function removeStores(temp: string): void {
  inFile(temp, () => {
    for (const { name } of Deno.readDirSync(temp)) {
      if (name.startsWith(STORE)) Deno.removeSync(`${temp}/${name}`, { recursive: true });
    }
  });
}

function identityOf({ source, target, plan }: JournalRun): RunIdentity {
  const { stages, direct } = plan;
  const boxes = stages.map(({ read, intermediate, write }) => ({ read, intermediate, write }));
  return {
    source: arrayIdentity(source, source.grid.chunk),
    target: arrayIdentity(target, target.writeGrid.chunk),
    plan: JSON.stringify({ stages: boxes, direct }),
  };
}

function arrayIdentity(
  array: AnyArray,
  chunk: readonly number[],
): string {
  const { name, grid: { shape }, dataType, itemBytes, fill, attributes } = array;
  return JSON.stringify({ name, shape, chunk, dataType, itemBytes, fill: [...fill], attributes });
}

function readJournal(path: string): JournalText | undefined {
  return inFile(path, () => {
    const text = readNote(path);
    if (text === undefined) return undefined;
    const journal = parseJournal(text);
    if (journal === undefined) throw new FileError(path, "is not a journal of rechunking");
    return journal;
  });
}

function parseJournal(text: string): JournalText | undefined {
  try {
    const journal: Partial<JournalText> | null = JSON.parse(text);
    const isSound = journal?.format === FORMAT && Number.isSafeInteger(journal.passesDone);
    return isSound ? journal as JournalText : undefined;
  } catch {
    return undefined;
  }
}
