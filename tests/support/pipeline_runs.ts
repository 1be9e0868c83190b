/**
 * Running one pipeline on several engines, and comparing what comes out.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import type { HostColumn } from "../../gpu/column.ts";
import { concatColumns } from "../../gpu/host/concat.ts";
import { gatherColumn } from "../../gpu/host/gather.ts";
import {
  type BatchStream,
  createEngine,
  type Device,
  type Engine,
  fromBatches,
} from "../../mod.ts";
import { fromArrow } from "../../ops/from_arrow.ts";
import { chooseOffsetRule, isSettled, type OffsetRule } from "../../ops/offset_rule.ts";
import { plainSchema } from "../../streams/plain_schema.ts";
import type { RandomTable } from "./pipeline_tables.ts";
import { randomSteps, type Step } from "./pipelines.ts";
import { randomTable } from "./pipeline_tables.ts";
import type { SeededRandom } from "./seeded_random.ts";
import { rowsOf } from "./streams_samples.ts";

/**
 * Engines of some devices, with their rewrites and without, and two for each where all text has
 * 64-bit offsets, or that of larger batches.
 */
export function enginesOf(...devices: Device[]): Engine[] {
  return devices.flatMap((device) => [
    createEngine({ device, fuse: true }),
    createEngine({ device, fuse: false }),
    createEngine({ device, threshold: 1 }),
    createEngine({ device, threshold: 40, fuse: false }),
  ]);
}

/** The stream that the steps make of a table. */
export function pipelineOf(
  table: RandomTable,
  steps: readonly Step[],
  engine: Engine,
): BatchStream {
  const { batches, schema } = table;
  const foreign = (stream: BatchStream) =>
    fromBatches(stream.pipeThrough(new TransformStream<RecordBatch, RecordBatch>()), { engine });
  return steps.reduce(
    (stream: BatchStream, step) =>
      (step.isAfterForeign ? foreign(stream) : stream).pipeThrough(step.operator(engine)),
    fromBatches(batches, { schema, engine }),
  );
}

/** Checks a random pipeline over a random table: the rows of the model, the same bytes everywhere. */
export async function checkRandomPipeline(
  random: SeededRandom,
  engines: readonly Engine[],
): Promise<void> {
  const table = randomTable(random);
  const steps = randomSteps(random, table.columns);
  const label = steps.map(({ label }) => label).join(" | ");
  const expected = steps.reduce((rows, { model }) => model(rows), table.rows);
  const names = [...(steps.at(-1)?.columns ?? table.columns).keys()];
  const isRegrouped = steps.at(-1)?.label.startsWith("regroup") ?? false;
  let reference: Canonical | undefined;
  for (const [index, engine] of engines.entries()) {
    const batches = await Array.fromAsync(pipelineOf(table, steps, engine));
    const which = `engine ${index}: ${label}`;
    assertEquals(batches[0]!.schema.names, names, which);
    assertEquals(rowsOf(batches), expected.map((row) => pick(row, names)), which);
    const canonical = canonicalOf(batches, isRegrouped, engine.offsets);
    if (reference === undefined) reference = canonical;
    else assertEquals(canonical, reference, which);
  }
}

/** What two runs must have in common, byte for byte. */
interface Canonical {
  readonly schema: string;
  readonly columns: readonly HostColumn[];
  /** Rows of each batch, where that is promised. */
  readonly sizes: readonly number[] | undefined;
}

/**
 * The columns of batches put together: offsets from 0, bitmaps from bit 0, nothing below nulls. The
 * text of each batch must have offsets as wide as the rule wants.
 */
export function canonicalOf(
  batches: readonly RecordBatch[],
  withSizes: boolean,
  rule: OffsetRule = chooseOffsetRule(),
): Canonical {
  for (const { data } of batches) assert(data.children.every((column) => isSettled(column, rule)));
  const schema = plainSchema(batches[0]!.schema);
  const columns = schema.fields.map((_, index) =>
    withoutHidden(concatColumns([
      ...batches.map((batch) => fromArrow(batch.data.children[index]!)),
      // A single column would come back as it is, with its own offsets.
      fromArrow(batches[0]!.slice(0, 0).data.children[index]!),
    ]))
  );
  const fields = schema.fields.map(({ name, type, nullable }) => `${name}: ${type} ${nullable}`);
  return {
    schema: fields.join(", "),
    columns,
    sizes: withSizes ? batches.map(({ numRows }) => numRows) : undefined,
  };
}

/** The column without bytes below nulls: a map of whole columns keeps what it was given there. */
function withoutHidden(column: HostColumn): HostColumn {
  const { validity, length } = column;
  if (validity === null) return column;
  const isValid = (row: number) => ((validity[row >> 3]! >> (row & 7)) & 1) === 1;
  return gatherColumn(column, Int32Array.from({ length }, (_, row) => isValid(row) ? row : -1));
}

function pick(row: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}
