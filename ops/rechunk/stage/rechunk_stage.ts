/**
 * Rechunking as a stage of a plan: chunks in as rows, or read from an array, and chunks out as rows.
 * Loaded when a plan has such a step.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { isChunkedText, type TextReader } from "../../../streams/formats/zarr/items/text_array.ts";
import type { ChunkedArray, ZarrReader } from "../../../streams/formats/zarr/items/zarr_array.ts";
import { ChunkFinder } from "../../../streams/formats/zarr/rows/chunk_batch.ts";
import { arrayFieldOf } from "../../../streams/formats/zarr/rows/chunk_rows.ts";
import { numChunks } from "../../../streams/formats/zarr/grid/grid.ts";
import { TextFinder } from "../../../streams/formats/zarr/rows/text_batch.ts";
import type { TempFolder } from "../../../streams/formats/arrow/temp_folder.ts";
import type { ZarrSource } from "../../../streams/formats/zarr/zarr_source.ts";
import type { Batch } from "../../batch/batch.ts";
import type { Stage, StageContext } from "../../engine/node.ts";
import { ChunkOutlet } from "./chunk_outlet.ts";
import { ColumnChunks } from "./column_chunks.ts";
import { explainPlan } from "../plan/explain_plan.ts";
import { sizeText } from "../../../base/quantities.ts";
import type { RechunkPlan } from "../plan/rechunk_plan.ts";
import { InputPace } from "./input_pace.ts";
import { planForArrays } from "../plan/plan_for_arrays.ts";
import { runRechunk } from "../move/run_rechunk.ts";
import { outletBatches, withTempFolder } from "./run_outlet.ts";
import { SpooledChunks } from "./spooled_chunks.ts";
import { type ChunkTarget, targetChunk } from "./target_chunk.ts";

/** The options of a node, and the array that it reads by itself, if it does. */
export interface RechunkSpec {
  readonly to: ChunkTarget;
  readonly maxMem: number;
  readonly minMem?: number | undefined;
  readonly stages?: number | undefined;
  readonly temp?: string | undefined;
  readonly over?: ZarrSource;
}

/** A node bound to an array. */
interface BoundRechunk {
  readonly source: ZarrReader;
  /** What it becomes. */
  readonly result: ChunkedArray;
  /** What is filled with the rows that come in; absent: none are needed. */
  readonly spool: SpooledChunks | undefined;
  readonly outlet: ChunkOutlet;
  readonly plan: RechunkPlan;
  /** Bytes for boxes and codecs: without chunks that are kept in memory. */
  readonly maxMem: number;
  readonly temp: string | undefined;
}

/** Binds a node to the array whose chunks come in, and plans. */
export async function bindRechunk(spec: RechunkSpec, input: Schema): Promise<Stage> {
  const reader = await spec.over?.array();
  if (isChunkedText(reader ?? arrayFieldOf(input).array)) {
    const { bindTextRechunk } = await import("./text_stage.ts");
    return bindTextRechunk(spec, reader as TextReader | undefined ?? new TextFinder(input));
  }
  return bindNumbers(spec, input, reader as ZarrReader | undefined);
}

function bindNumbers(spec: RechunkSpec, input: Schema, reader: ZarrReader | undefined): Stage {
  const { to, maxMem, minMem, stages, temp } = spec;
  const spool = reader === undefined
    ? new SpooledChunks(new ChunkFinder(input), maxMem)
    : undefined;
  const source = spool?.reader ?? reader!;
  const array: ChunkedArray = source;
  const result = withChunk(array, targetChunk(to, array));
  const outlet = new ChunkOutlet(result);
  const forBoxes = maxMem - (spool?.heldBytes ?? 0);
  const limits = { maxMem: forBoxes, minMem, stages };
  const plan = planOnce(spec, () => planForArrays({ source, target: outlet, ...limits }), array);
  const bound = { source, result, spool, outlet, plan, maxMem: forBoxes, temp };
  const { shape, chunk } = array.grid;
  return {
    schema: outlet.schema,
    run: (batches, context) => run(bound, batches, context),
    explain: () => [
      inputLine(source, spool),
      ...explainPlan(plan, {
        ...{ shape, itemsize: array.itemBytes, source: chunk, maxMem: forBoxes },
        target: outlet.grid.chunk,
      }),
    ],
  };
}

/** Where chunks are read from. */
function inputLine({ name }: ZarrReader, spool: SpooledChunks | undefined): string {
  if (spool === undefined) return `reads chunks of ${name} in the order of the plan`;
  const { heldBytes } = spool;
  return heldBytes > 0
    ? `keeps all chunks in memory first, ${sizeText(heldBytes)}`
    : "keeps all chunks in a temporary folder first";
}

const plans = new WeakMap<RechunkSpec, { readonly key: string; readonly plan: RechunkPlan }>();

/** A node is bound several times, and planning takes a while. */
function planOnce(
  spec: RechunkSpec,
  plan: () => RechunkPlan,
  { grid, itemBytes, name }: ChunkedArray,
): RechunkPlan {
  const key = JSON.stringify([name, grid.shape, grid.chunk, itemBytes]);
  let known = plans.get(spec);
  if (known?.key !== key) plans.set(spec, known = { key, plan: plan() });
  return known.plan;
}

/** The same array with other chunks, and so far without shards. */
function withChunk(array: ChunkedArray, chunk: readonly number[]): ChunkedArray {
  const { name, dataType, itemBytes, fill, dimensionNames, attributes, metadata } = array;
  const grid = { shape: array.grid.shape, chunk };
  return {
    ...{ name, grid, writeGrid: grid, dataType, itemBytes, fill, dimensionNames, attributes },
    metadata,
  };
}

async function* run(
  bound: BoundRechunk,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { spool, result, plan } = bound;
  // In memory, and whole: then the chunks come in C order, wherever they are copied.
  const isWhole = plan.direct?.every((length, axis) => length >= result.grid.shape[axis]!) ?? false;
  if (spool === undefined || spool.heldBytes === 0 || !isWhole) {
    return yield* runOnHost(bound, input, context);
  }
  const batches = input[Symbol.asyncIterator]();
  const first = await batches.next();
  const all = withFirst(first, batches);
  if (first.done === true || !ColumnChunks.suits(spool.finder, context, first.value)) {
    return yield* runOnHost(bound, all, context);
  }
  using chunks = new ColumnChunks(spool.finder, context);
  for await (const batch of all) await chunks.add(batch);
  yield* chunks.rechunked(result);
}

/** Batches of which the first was already taken. */
async function* withFirst(
  first: IteratorResult<Batch, void>,
  others: AsyncIterator<Batch, void>,
): AsyncGenerator<Batch, void, void> {
  try {
    for (let next = first; next.done !== true; next = await others.next()) yield next.value;
  } finally {
    await others.return?.();
  }
}

function runOnHost(
  bound: BoundRechunk,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  return withTempFolder(
    bound.temp ?? context.temp,
    (folder) => runIn(folder, bound, input, context),
  );
}

async function* runIn(
  folder: TempFolder,
  { source, spool, outlet, plan, maxMem }: BoundRechunk,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  await spool?.fill(input, folder, context);
  const pace = spool === undefined ? new InputPace(input, numChunks(source.grid)) : undefined;
  const countSpilled = spillCounter(plan, context);
  const write = (signal: AbortSignal) =>
    runRechunk({
      ...{ source, target: outlet, plan, maxMem, signal },
      ...(plan.stages.length === 0 ? {} : { temp: folder.pathOf("stages") }),
      onProgress: (progress) => {
        countSpilled(progress);
        pace?.reach(progress.bytes / progress.totalBytes);
      },
    });
  const plannedOutlet = {
    schema: outlet.schema,
    batches: outlet.batches,
    give: (write: () => Promise<void>) => outlet.give(plan, write),
  };
  yield* outletBatches(plannedOutlet, { write, pace, signal: context.signal });
}

/** Counts what is written to intermediate stores: half of the bytes that passes before the last move. */
function spillCounter({ stages }: RechunkPlan, { onSpill }: StageContext) {
  let counted = 0;
  return ({ stage, bytes }: { readonly stage: number; readonly bytes: number }) => {
    if (stage > stages.length) return;
    onSpill?.((bytes - counted) / 2);
    counted = bytes;
  };
}
