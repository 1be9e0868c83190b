/**
 * Starts a stream from batches in memory or from an iterable.
 *
 * @module
 */

import { checkNamed } from "../../base/option_kinds.ts";
import { BatchStream } from "../../streams/plan/batch_stream.ts";
import {
  type Batches,
  memorySource,
  type MemorySourceOptions,
} from "../../streams/source/memory.ts";
import { defaultEngine } from "../engine/engine.ts";
import { checkEngine, type EngineOption } from "../engine/operator_of.ts";

/** The facts about the batches, and the engine for the operators that follow. */
export interface FromBatchesOptions extends MemorySourceOptions, EngineOption {}

/**
 * A stream over record batches that lie in memory or come from an iterable: a table, a batch, or
 * anything that yields batches of one schema. An iterable is read only as far as needed. Nothing is
 * copied: a batch that was given must not change, so the next one needs buffers of its own.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, toTable } from "../../mod.ts";
 *
 * const table = await toTable(fromBatches(tableFromArrays({ id: [1, 2] })));
 * assertEquals(table.numRows, 2);
 * ```
 */
export function fromBatches(batches: Batches, options: FromBatchesOptions = {}): BatchStream {
  checkNamed("fromBatches()", "options", options);
  checkEngine(options.engine);
  const { engine = defaultEngine(), ...rest } = options;
  const source = memorySource(batches, rest);
  return new BatchStream(Object.freeze({ source, nodes: Object.freeze([]), engine: engine.plans }));
}
