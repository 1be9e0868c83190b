/**
 * An operator: a WHATWG transform stream that can join a plan.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { BatchStream, operatorBrand, type Plannable } from "./batch_stream.ts";
import type { Plan, PlanEngine, PlanNode } from "./plan.ts";
import { streamSource } from "./stream_source.ts";

/** The engine that runs an operator. */
interface OperatorEngine {
  /** The engine that runs the operator if it joins no plan. */
  readonly engine: PlanEngine;
  /** Whether it joins only plans of that engine. */
  readonly pinned: boolean;
}

/**
 * One operator: a TransformStream of record batches whose node can join the plan of the stream
 * that is piped into it. Like any TransformStream, it can be used once.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { head, toTable } from "../../mod.ts";
 *
 * const first = head(1);
 * const writer = first.writable.getWriter();
 * for (const batch of tableFromArrays({ id: [1, 2] }).batches) void writer.write(batch);
 * void writer.close();
 * assertEquals((await toTable(first.readable)).numRows, 1);
 * ```
 */
export class Operator implements TransformStream<RecordBatch, RecordBatch> {
  /** The output batches. */
  readonly readable: BatchStream;
  /** The input, for a foreign stream or a writer. */
  readonly writable: WritableStream<RecordBatch>;
  /**
   * The part that a stream needs to add this operator to its plan.
   *
   * @internal
   */
  readonly [operatorBrand]: Plannable;

  /**
   * Creates an operator for a node of a plan; called by the functions that make operators.
   *
   * @internal
   */
  constructor(node: PlanNode, { engine, pinned }: OperatorEngine) {
    const pipe = new TransformStream<RecordBatch, RecordBatch>();
    const readable = new BatchStream(
      Object.freeze({ source: streamSource(pipe.readable), nodes: Object.freeze([node]), engine }),
    );
    this.readable = readable;
    this.writable = pipe.writable;
    this[operatorBrand] = {
      node,
      engine: pinned ? engine : undefined,
      adopt(plan: Plan): boolean {
        if (pipe.writable.locked || !readable.replacePlan(plan)) return false;
        pipe.writable.getWriter();
        return true;
      },
    };
  }
}
