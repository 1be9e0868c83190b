/**
 * The passes of a plan, whatever the items are: each moves all chunks from one store to the next, and is
 * noted in the journal when it is complete, so that a run goes on after a break.
 *
 * @module
 */

import { allChunks } from "../../../streams/formats/zarr/grid/grid.ts";
import type { ArrayReader, ArrayWriter } from "../../../streams/formats/zarr/items/array.ts";
import type { Journal } from "../store/journal.ts";

/** A store between two passes. */
interface PassStore {
  create(options: { readonly mayBeThere: boolean }): void;
  /** Throws a FileError where the store is not there, which is not one without chunks. */
  check(): void;
  /** Removes what runs left that ended while they wrote a chunk. */
  removeLeftovers(): void;
  sync(): Promise<void>;
  remove(): void;
}

/** The passes of a run, one more than there are stores. */
export interface PassesRun {
  readonly target: ArrayWriter;
  readonly stores: readonly PassStore[];
  readonly journal: Journal | undefined;
  readonly resume: boolean;
  /** Whether what is complete has to survive the end of the machine. */
  readonly isDurable: boolean;
  /** Called with the first pass that is to be run. */
  begin?(firstPass: number): void;
  /** Runs a pass, which writes no chunk again that may be there from an earlier run. */
  runPass(pass: number, options: { readonly mayHaveChunks: boolean }): Promise<void>;
  /** Memory for a chunk of the target, which nobody uses yet. */
  readonly room?: Uint8Array;
}

/** Runs all passes that are not complete, and removes what lies between them. */
export async function runPasses(run: PassesRun): Promise<void> {
  const { target, stores, journal, resume, isDurable } = run;
  const isThere = resume && journal?.isResumed !== true && await isComplete(run);
  const firstPass = isThere ? stores.length + 1 : journal?.passesDone ?? 0;
  run.begin?.(firstPass);
  // A run may have ended before it removed what it had read for the last time.
  for (const store of stores.slice(0, Math.max(0, firstPass - 1))) store.remove();
  for (let pass = firstPass; pass <= stores.length; pass++) {
    const store = stores[pass];
    const wasBegun = pass === firstPass && journal?.isResumed === true;
    store?.create({ mayBeThere: wasBegun });
    stores[pass - 1]?.check();
    const mayHaveChunks = wasBegun || (store === undefined && resume);
    await run.runPass(pass, { mayHaveChunks });
    // Of a run that ended in the middle, or of a thread that was given up.
    (store ?? target).removeLeftovers?.();
    if (isDurable) await (store ?? target).sync?.();
    journal?.passDone();
    stores[pass - 1]?.remove();
  }
  // Its metadata may have been written once more.
  if (isDurable && firstPass > stores.length) await target.sync?.();
  stores.at(-1)?.remove();
  journal?.remove();
}

/** Whether all chunks of the target are there. */
async function isComplete({ target, room }: PassesRun): Promise<boolean> {
  for (const index of allChunks(target.writeGrid)) {
    if (!await target.hasChunk(index, room)) return false;
  }
  return true;
}

/** Returns the folder that a plan with stages needs. */
export function folderOf({ temp }: { readonly temp?: string }): string {
  if (temp === undefined) throw new RangeError("A plan with stages needs a folder for them");
  return temp;
}

/** Throws a RangeError for a target of other items than the source has. */
export function checkSameItems(source: ArrayReader, target: ArrayWriter): void {
  const isSame = source.grid.shape.join() === target.grid.shape.join() &&
    source.dataType === target.dataType && source.itemBytes === target.itemBytes &&
    source.fill.join() === target.fill.join();
  if (isSame) return;
  throw new RangeError(`${target.name}: has another shape, type or fill value than ${source.name}`);
}
