/**
 * Plans and runs arrays of text and bytes. Loaded when a store has one that gets other chunks.
 *
 * @module
 */

import { planTextRechunk } from "../../ops/rechunk/plan/plan_text_rechunk.ts";
import { runTextPlan } from "../../ops/rechunk/move/run_text_plan.ts";
import { sampleSizes } from "../../ops/rechunk/move/sample_sizes.ts";
import {
  createTextArray,
  textArrayLike,
} from "../../streams/formats/zarr/store/create_text_array.ts";
import type { StoredTextReader } from "../../streams/formats/zarr/store/text_reader.ts";
import { asMistakes, type Limits } from "./limits.ts";
import type { RechunkPace } from "./rechunk_progress.ts";
import type { PlannedText } from "./store_plan.ts";

/** What an array is to become. */
interface TextTask {
  /** Its path from the store. */
  readonly path: string;
  /** Where the new array is written. */
  readonly output: string;
  readonly chunk: readonly number[];
  readonly limits: Limits;
}

/** Plans for an array, of which some chunks are read. Writes nothing. */
export async function planTextArray(
  reader: StoredTextReader,
  { path, output, chunk, limits }: TextTask,
): Promise<PlannedText> {
  const { name, grid, dimensionNames } = reader;
  const writer = await textArrayLike(output, reader.metadata, { chunk });
  const sizes = await sampleSizes(reader, limits.maxMem).catch((error) =>
    asMistakes(() => {
      throw error;
    })
  );
  const ends = { source: reader, target: writer, sizes, ...limits };
  const { plan, itemBytes } = asMistakes(() => planTextRechunk(ends));
  return {
    ...{ kind: "text", path, reader, writer, sizes, name, dimensionNames, plan },
    itemType: reader.dataType === "string" ? "text" : "bytes",
    shape: grid.shape,
    itemsize: itemBytes,
    source: grid.chunk,
    target: writer.writeGrid.chunk,
  };
}

/** Makes the new array. A limit of memory that is too little is called as on the command line. */
export async function runTextArray(
  { path, name, reader, writer, sizes, plan }: PlannedText,
  { maxMem, temp, isResumed, totalBytes, pace }: {
    readonly maxMem: number;
    /** The folder for intermediate stores. */
    readonly temp: string;
    readonly isResumed: boolean;
    readonly totalBytes: number;
    readonly pace: RechunkPace;
  },
): Promise<void> {
  const chunk = writer.grid.chunk;
  const target = await createTextArray(writer.name, reader.metadata, { chunk });
  const onProgress = (share: number) => {
    const numStages = plan.stages.length + 1;
    const stage = Math.min(numStages - 1, Math.floor(share * numStages));
    const [stageBytes, bytes] = [totalBytes / numStages, Math.round(share * totalBytes)];
    const bytesBefore = stage * stageBytes;
    pace.set({
      name: path || name,
      label: `stage ${stage + 1} of ${numStages}`,
      bytes: bytes - bytesBefore,
      totalBytes: stageBytes,
      bytesBefore,
    });
  };
  const run = { source: reader, target, sizes, maxMem, plan, temp, onProgress };
  await runTextPlan({ ...run, resume: isResumed, isDurable: true });
}
