/**
 * Rechunking as a stage of a plan: its input chunks come as rows or are read from an array, and its
 * output chunks are rows. Loaded when a plan has such a step.
 *
 *     rows of chunks -> spool -+
 *                              +-> passes of the plan -> outlet -> rows of chunks
 *     Zarr array --------------+
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { TempFolder } from "../../../streams/formats/arrow/temp_folder.ts";
import { numChunks } from "../../../streams/formats/zarr/grid/grid.ts";
import {
  type AnyArray,
  type ArrayReader,
  type ArrayWriter,
  type Chunked,
  type FixedArray,
  type FixedReader,
  isFixed,
  type VariableArray,
  type VariableReader,
} from "../../../streams/formats/zarr/items/array.ts";
import { ChunkFinder } from "../../../streams/formats/zarr/rows/chunk_batch.ts";
import { arrayFieldOf } from "../../../streams/formats/zarr/rows/chunk_rows.ts";
import type { Batch } from "../../batch/batch.ts";
import type { Stage, StageContext } from "../../engine/node.ts";
import { runRechunk } from "../move/run_rechunk.ts";
import { explainPlan } from "../plan/explain_plan.ts";
import type { ItemSizes } from "../plan/item_sizes.ts";
import { sizeText } from "../../../base/quantities.ts";
import { planFixed } from "../plan/plan_fixed.ts";
import type { RechunkPlan } from "../plan/rechunk_plan.ts";
import { ColumnChunks } from "./column_chunks.ts";
import { InputPace } from "./input_pace.ts";
import { Outlet } from "./outlet.ts";
import type { RechunkSpec } from "./rechunk_spec.ts";
import { outletBatches, withTempFolder } from "./run_stage.ts";
import { FixedSpool, VariableSpool } from "./spool.ts";
import { targetChunk } from "./target_chunk.ts";

/** A node, bound to an array. */
interface BoundRechunk {
  readonly source: ArrayReader;
  /** The spool for incoming rows; absent if none are needed. */
  readonly spool: FixedSpool | VariableSpool | undefined;
  readonly outlet: Outlet;
  readonly temp: string | undefined;
  /** Returns the plan, and the bytes for boxes and codecs, once all needed rows have come. */
  plan(): Promise<BoundPlan>;
}

interface BoundPlan {
  readonly plan: RechunkPlan;
  readonly maxMem: number;
  readonly sizes?: ItemSizes;
}

/** Binds a node to the array whose chunks are its input. */
export async function bindRechunk(spec: RechunkSpec, input: Schema): Promise<Stage> {
  const reader = await spec.over?.array();
  const array: Chunked = reader ?? arrayFieldOf(input).array;
  return isFixed<AnyArray>(array)
    ? bindFixed(spec, input, reader as FixedReader | undefined)
    : bindVariable(spec, input, reader as VariableReader | undefined);
}

/** Binds an array of fixed items. Plans immediately, since all sizes are known. */
function bindFixed(spec: RechunkSpec, input: Schema, reader: FixedReader | undefined): Stage {
  const { maxMem, minMem, stages, temp } = spec;
  const spool = reader === undefined
    ? new FixedSpool(new ChunkFinder<FixedArray>(input), maxMem)
    : undefined;
  const source = spool?.reader ?? reader!;
  const result = withChunk<FixedArray>(spec, source);
  const outlet = new Outlet<FixedArray>(result);
  const forBoxes = maxMem - (spool?.bufferedBytes ?? 0);
  const limits = { maxMem: forBoxes, minMem, stages };
  const plan = planOnce(spec, () => planFixed({ source, target: outlet, ...limits }), source);
  const bound = {
    ...{ source, spool, outlet: outlet as Outlet, temp },
    plan: () => Promise.resolve({ plan, maxMem: forBoxes }),
  };
  const { shape, chunk } = source.grid;
  return {
    schema: outlet.schema,
    run: (batches, context) => runFixed(bound, { spool, result, plan }, batches, context),
    explain: () => [
      inputLine(source, spool),
      ...explainPlan(plan, {
        ...{ shape, itemsize: source.itemBytes, source: chunk, maxMem: forBoxes },
        target: outlet.grid.chunk,
      }),
    ],
  };
}

/** Binds an array of variable items. Plans when the run begins, since sizes are known only then. */
function bindVariable(
  spec: RechunkSpec,
  input: Schema,
  reader: VariableReader | undefined,
): Stage {
  const { maxMem, minMem, stages, temp } = spec;
  const spool = reader === undefined
    ? new VariableSpool(new ChunkFinder<VariableArray>(input), maxMem)
    : undefined;
  const source = spool?.reader ?? reader!;
  const outlet = new Outlet<VariableArray>(withChunk<VariableArray>(spec, source));
  const bound = {
    ...{ source, spool, outlet: outlet as Outlet, temp },
    plan: async () => {
      const { planVariable } = await import("../plan/plan_variable.ts");
      const { sampleSizes } = await import("../plan/sample_sizes.ts");
      const sizes = spool?.sizes ?? await sampleSizes(source, maxMem);
      const left = maxMem - (spool?.bytesInMemory ?? 0);
      const ends = { source, target: outlet, sizes, maxMem: left };
      return { plan: planVariable({ ...ends, minMem, stages }).plan, maxMem: left, sizes };
    },
  };
  return {
    schema: outlet.schema,
    run: (batches, context) => runOnHost(bound, batches, context),
    explain: () => [
      spool === undefined
        ? `reads chunks of ${source.name} in the order of boxes`
        : "keeps all chunks first, in memory or in a temporary folder",
      `chunks of ${source.grid.chunk.join()} become chunks of ${outlet.grid.chunk.join()}`,
      `boxes of whole new chunks whose items fit in ${sizeText(maxMem)}`,
    ],
  };
}

/** Describes the input of a plan. */
function inputLine({ name }: FixedReader, spool: FixedSpool | undefined): string {
  if (spool === undefined) return `reads chunks of ${name} in the order of the plan`;
  const { bufferedBytes } = spool;
  return bufferedBytes > 0
    ? `keeps all chunks in memory first, ${sizeText(bufferedBytes)}`
    : "keeps all chunks in a temporary folder first";
}

const plans = new WeakMap<RechunkSpec, { readonly key: string; readonly plan: RechunkPlan }>();

/** Caches the plan of a node, since a node is bound several times and planning takes long. */
function planOnce(
  spec: RechunkSpec,
  plan: () => RechunkPlan,
  { grid, itemBytes, name }: FixedArray,
): RechunkPlan {
  const key = JSON.stringify([name, grid.shape, grid.chunk, itemBytes]);
  let known = plans.get(spec);
  if (known?.key !== key) plans.set(spec, known = { key, plan: plan() });
  return known.plan;
}

/** Returns the same array with other chunks, and without shards. */
function withChunk<A extends AnyArray>({ to }: RechunkSpec, array: Chunked<A>): Chunked<A> {
  const { name, dataType, itemBytes, fill, dimensionNames, attributes, metadata } = array;
  const grid = { shape: array.grid.shape, chunk: targetChunk(to, array) };
  const facts = { name, grid, writeGrid: grid, dataType, fill, dimensionNames, attributes };
  return { ...facts, itemBytes, metadata } as unknown as Chunked<A>;
}

async function* runFixed(
  bound: BoundRechunk,
  { spool, result, plan }: {
    readonly spool: FixedSpool | undefined;
    readonly result: Chunked<FixedArray>;
    readonly plan: RechunkPlan;
  },
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  // With all chunks in memory and one box, the output is in C order wherever the chunks are copied.
  const isWhole = plan.direct?.every((length, axis) => length >= result.grid.shape[axis]!) ?? false;
  if (spool === undefined || spool.bufferedBytes === 0 || !isWhole) {
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

/** Yields batches, the first of which was taken already. */
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
  bound: BoundRechunk,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { source, spool, outlet } = bound;
  await spool?.fill(input, folder, context);
  const pace = spool === undefined ? new InputPace(input, numChunks(source.grid)) : undefined;
  const write = async (signal: AbortSignal) => {
    const planned = await bound.plan();
    const target = outlet as Outlet & ArrayWriter;
    await runRechunk({
      ...{ ...planned, source, target, signal, writesMissing: true },
      ...(planned.plan.stages.length === 0 ? {} : { temp: folder.pathOf("stages") }),
      onStored: (numBytes) => context.onSpill?.(numBytes),
      onProgress: ({ bytes, totalBytes }) => pace?.reach(bytes / totalBytes),
    });
  };
  yield* outletBatches(outlet, { write, pace, signal: context.signal });
}
