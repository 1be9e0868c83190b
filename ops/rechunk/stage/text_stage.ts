/**
 * Rechunking of text and bytes as a stage of a plan. Loaded when a plan has such a step.
 *
 * @module
 */

import type { ChunkedText, TextReader } from "../../../streams/formats/zarr/items/text_array.ts";
import { numChunks } from "../../../streams/formats/zarr/grid/grid.ts";
import { TextFinder } from "../../../streams/formats/zarr/rows/text_batch.ts";
import type { TempFolder } from "../../../streams/formats/arrow/temp_folder.ts";
import type { Batch } from "../../batch/batch.ts";
import type { Stage, StageContext } from "../../engine/node.ts";
import { InputPace } from "./input_pace.ts";
import { sizeText } from "../../../base/quantities.ts";
import type { RechunkSpec } from "./rechunk_stage.ts";
import { outletBatches, withTempFolder } from "./run_outlet.ts";
import { targetChunk } from "./target_chunk.ts";
import { planTextRechunk } from "../plan/plan_text_rechunk.ts";
import { runTextPlan } from "../move/run_text_plan.ts";
import { SpooledText } from "./spooled_text.ts";
import { TextOutlet } from "./text_outlet.ts";
import { sampleSizes } from "../move/sample_sizes.ts";

/**
 * Binds a node to an array: to its reader, which the stage then asks for chunks, or to what finds them
 * in rows.
 */
export function bindTextRechunk(spec: RechunkSpec, from: TextReader | TextFinder): Stage {
  const array: ChunkedText = from instanceof TextFinder ? from.array : from;
  const { name, dataType, fill, dimensionNames, attributes, metadata } = array;
  const grid = { shape: array.grid.shape, chunk: targetChunk(spec.to, array) };
  const kept = { name, dataType, fill, dimensionNames, attributes, metadata };
  const outlet = new TextOutlet({ ...kept, grid, writeGrid: grid });
  return {
    schema: outlet.schema,
    run: (input, context) =>
      withTempFolder(
        spec.temp ?? context.temp,
        (folder) => runIn(folder, { spec, from, outlet }, input, context),
      ),
    explain: () => [
      from instanceof TextFinder
        ? "keeps all chunks first, in memory or in a temporary folder"
        : `reads chunks of ${name} in the order of boxes`,
      `chunks of ${array.grid.chunk.join()} become chunks of ${grid.chunk.join()}`,
      `boxes of whole new chunks whose items fit in ${sizeText(spec.maxMem)}`,
    ],
  };
}

/** A node bound to an array. */
interface BoundText {
  readonly spec: RechunkSpec;
  readonly from: TextReader | TextFinder;
  readonly outlet: TextOutlet;
}

async function* runIn(
  folder: TempFolder,
  { spec: { maxMem, minMem, stages }, from, outlet }: BoundText,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const spool = from instanceof TextFinder ? new SpooledText(from, maxMem) : undefined;
  await spool?.fill(input, folder, context);
  const source = spool?.reader ?? from as TextReader;
  const pace = spool === undefined ? new InputPace(input, numChunks(source.grid)) : undefined;
  const write = async (signal: AbortSignal) => {
    const sizes = spool?.sizes ?? await sampleSizes(source, maxMem);
    const left = maxMem - (spool?.heldBytes ?? 0);
    const ends = { source, target: outlet, sizes, maxMem: left };
    const { plan } = planTextRechunk({ ...ends, minMem, stages });
    await runTextPlan({
      ...{ ...ends, plan, signal, writesMissing: true },
      ...(plan.stages.length === 0 ? {} : { temp: folder.pathOf("stages") }),
      onStored: (numBytes) => context.onSpill?.(numBytes),
      onProgress: (share) => pace?.reach(share),
    });
  };
  yield* outletBatches(outlet, { write, pace, signal: context.signal });
}
