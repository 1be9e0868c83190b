/**
 * A ReadableStream of record batches that carries a plan.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import { appendNode, type Plan, type PlanNode } from "./plan.ts";

/** Marks operators of this copy of the library; those of another copy are foreign. */
export const operatorBrand: unique symbol = Symbol("sluice operator");

/** The part of an operator that `pipeThrough` needs to add it to a plan. */
export interface Plannable {
  /** The node it adds. */
  readonly node: PlanNode;
  /** The engine it requires, if any. */
  readonly engine: Plan["engine"] | undefined;
  /** Takes over the plan; returns false if the operator is already in use. */
  adopt(plan: Plan): boolean;
}

/**
 * A stream of Arrow record batches. It is a plain WHATWG ReadableStream; `pipeThrough` with one of
 * Sluice's operators appends to its plan instead of running anything, and the first read runs the
 * plan as a whole. Everything else (`tee`, foreign transforms, `pipeThrough` with options) sees
 * record batches.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, slice } from "../../mod.ts";
 *
 * const stream = fromBatches(tableFromArrays({ id: [1, 2, 3] })).pipeThrough(slice(1));
 * assertEquals((await stream.schema()).names, ["id"]);
 * for await (const batch of stream) assertEquals(batch.numRows, 2);
 * ```
 */
export class BatchStream extends ReadableStream<RecordBatch> {
  #plan: Plan;
  #sealed = false;

  /**
   * Creates a stream of the batches of a plan, which runs at the first read.
   *
   * @internal
   */
  constructor(plan: Plan) {
    const abort = new AbortController();
    let batches: AsyncGenerator<RecordBatch, void, void> | undefined;
    const start = () => {
      this.#sealed = true;
      return this.#plan.engine.open(this.#plan, abort.signal);
    };
    super({
      async pull(controller) {
        batches ??= start();
        const next = await batches.next();
        if (abort.signal.aborted) return;
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel(reason) {
        abort.abort(reason);
        if (batches === undefined) {
          // A generator that never ran would not cancel its source; this one ends immediately.
          batches = start();
          await batches.next();
        }
        await batches.return();
      },
      // With 0 nothing is pulled before the first read, so the plan may grow until then.
    }, { highWaterMark: 0 });
    this.#plan = plan;
  }

  /** Returns the schema of the batches, without reading rows. */
  schema(): Promise<Schema> {
    return this.#plan.engine.schema(this.#plan);
  }

  /**
   * Returns the original schema of the source. Inside a plan all text is utf8, even if it was large, a view or
   * a dictionary. Undefined for a foreign stream that ended before its first batch.
   */
  sourceSchema(): Promise<Schema | undefined> {
    return this.#plan.source.schema();
  }

  /**
   * The name of the source in errors and `explain`.
   *
   * @internal
   */
  get sourceName(): string {
    return this.#plan.source.name;
  }

  /** Returns the number of rows if metadata has it, else undefined. */
  numRows(): Promise<number | undefined> {
    return this.#plan.engine.numRows(this.#plan);
  }

  /**
   * Returns the number of rows if metadata has it, for callers that want nothing else: the engine reports it
   * as a run.
   *
   * @internal
   */
  countFromMetadata(): Promise<number | undefined> {
    return this.#plan.engine.numRows(this.#plan, { isResult: true });
  }

  /**
   * Describes the plan that would run, or has run: the steps after rewriting, the kernels, the cuts and why. With `code`
   * also the code of each kernel: the row functions, their IR, the WebAssembly and JavaScript of the
   * host, the WGSL of a device; for any text, or with `ascii` for batches whose text is ASCII.
   */
  explain(options: { readonly code?: boolean; readonly ascii?: boolean } = {}): Promise<string> {
    return this.#plan.engine.explain(this.#plan, options);
  }

  /**
   * Pipes through one of Sluice's operators, which joins the plan. The stream is then locked, as
   * after any pipe.
   */
  override pipeThrough(
    transform: { readonly readable: BatchStream; readonly writable: WritableStream<RecordBatch> },
  ): BatchStream;
  /**
   * Pipes through any other transform, or with options: the native method, at which the plan ends.
   */
  override pipeThrough<T>(
    transform: ReadableWritablePair<T, RecordBatch>,
    options?: StreamPipeOptions,
  ): ReadableStream<T>;
  override pipeThrough<T>(
    transform: ReadableWritablePair<T, RecordBatch>,
    options?: StreamPipeOptions,
  ): ReadableStream<T> {
    const operator = plannable(transform);
    if (operator === undefined || options !== undefined || this.#sealed || this.locked) {
      return super.pipeThrough(transform, options);
    }
    const sameEngine = operator.engine === undefined || operator.engine === this.#plan.engine;
    if (!sameEngine || !operator.adopt(appendNode(this.#plan, operator.node))) {
      return super.pipeThrough(transform, options);
    }
    this.#sealed = true;
    this.getReader();
    return transform.readable;
  }

  /**
   * Replaces the plan of a stream that was not read yet, when an operator joins a plan.
   *
   * @internal
   */
  replacePlan(plan: Plan): boolean {
    if (this.#sealed || this.locked) return false;
    this.#plan = plan;
    return true;
  }
}

function plannable(transform: object): Plannable | undefined {
  return (transform as { [operatorBrand]?: Plannable })[operatorBrand];
}
