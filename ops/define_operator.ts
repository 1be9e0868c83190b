/** @module */

import type { Schema } from "apache-arrow";
import type { Backend } from "../gpu/backend.ts";
import type { Operator } from "../streams/operator.ts";
import { Batch } from "./batch.ts";
import { type EngineOption, operatorOf } from "./engine_option.ts";
import type { OperatorNode, RowRule, Stage, StageContext } from "./node.ts";
import { plainSchema } from "./plain_schema.ts";

/** What an operator may use while it runs. */
export interface OperatorContext {
  /** Computes columns; the same operations on the host and on a device. */
  readonly backend: Backend;
  /** Schema of the batches that come in. */
  readonly schema: Schema;
}

/** What the author of an operator writes down. */
export interface OperatorSpec<Options> {
  /** What errors, `explain` and the command line call it. */
  readonly name: string;
  /** How it treats rows; "any" promises nothing. */
  readonly rows: RowRule;
  /** The schema of what it gives. Every mistake of a user is thrown here. */
  schema(input: Schema, options: Options): Schema;
  /**
   * Starts a run. `transform` is called for each batch in order; the batch is released afterwards
   * unless it was enqueued. What is enqueued has the promised schema.
   */
  open(options: Options, context: OperatorContext): Transformer<Batch, Batch>;
}

/** Makes operators with options. */
export interface OperatorFactory<Options = unknown> {
  (options: Options, engine?: EngineOption): Operator;
  /** What it was defined with. */
  readonly spec: OperatorSpec<Options>;
}

/**
 * Defines an operator: a transformer of batches and the schema of its result. It takes part in
 * plans as the built-in ones do; with `rows: "same"` slices move past it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { defineOperator, fromBatches, toTable } from "../mod.ts";
 *
 * const firstOfEach = defineOperator<{ n: number }>({
 *   name: "firstOfEach",
 *   rows: "fewer",
 *   schema: (input) => input,
 *   open: ({ n }, { backend }) => ({
 *     async transform(batch, controller) {
 *       await batch.toHost(backend);
 *       controller.enqueue(batch.slice(0, Math.min(n, batch.numRows)));
 *     },
 *   }),
 * });
 *
 * const letters = fromBatches(tableFromArrays({ letter: ["a", "b", "c"] }));
 * const first = await toTable(letters.pipeThrough(firstOfEach({ n: 2 })));
 * assertEquals(first.toArray().map((row) => row.letter), ["a", "b"]);
 * ```
 */
export function defineOperator<Options>(spec: OperatorSpec<Options>): OperatorFactory<Options> {
  const factory = (options: Options, engine?: EngineOption) =>
    operatorOf(pluginNode(spec, options), engine);
  Object.defineProperty(factory, "name", { value: spec.name });
  return Object.freeze(Object.assign(factory, { spec: Object.freeze(spec) }));
}

/** Whether a value was made by `defineOperator`. */
export function isOperatorFactory(value: unknown): value is OperatorFactory {
  return typeof value === "function" && "spec" in value && !("rowFunction" in value);
}

function pluginNode<Options>(spec: OperatorSpec<Options>, options: Options): OperatorNode {
  return Object.freeze<OperatorNode>({
    name: spec.name,
    rows: spec.rows,
    summary: JSON.stringify(options) ?? "",
    needs: () => undefined,
    bind(input): Stage {
      const schema = plainSchema(spec.schema(input, options));
      return {
        schema,
        explain: () => [],
        run: (batches, context) => runPlugin(spec, options, input, schema, batches, context),
      };
    },
  });
}

async function* runPlugin<Options>(
  spec: OperatorSpec<Options>,
  options: Options,
  input: Schema,
  schema: Schema,
  batches: AsyncIterable<Batch>,
  { backend }: StageContext,
): AsyncGenerator<Batch, void, void> {
  const controller = new BatchQueue((batch) => checked(spec.name, schema, batch));
  const transformer = spec.open(options, { backend, schema: input });
  await transformer.start?.(controller);
  for await (const batch of batches) {
    await transformer.transform?.(batch, controller);
    if (!controller.given.includes(batch)) batch.release();
    yield* controller.take();
    if (controller.terminated) return;
  }
  await transformer.flush?.(controller);
  yield* controller.take();
}

/** What a transformer sees as its stream: a queue that the stage empties after each call. */
class BatchQueue implements TransformStreamDefaultController<Batch> {
  readonly desiredSize = 1;
  readonly #check: (batch: Batch) => Batch;
  given: Batch[] = [];
  terminated = false;
  #failure: { readonly reason: unknown } | undefined;

  constructor(check: (batch: Batch) => Batch) {
    this.#check = check;
  }

  enqueue(batch: Batch): void {
    if (this.terminated) throw new TypeError("Cannot enqueue after terminate");
    this.given.push(this.#check(batch));
  }

  error(reason?: unknown): void {
    this.#failure = { reason };
  }

  terminate(): void {
    this.terminated = true;
  }

  take(): Batch[] {
    if (this.#failure !== undefined) throw this.#failure.reason;
    return this.given.splice(0);
  }
}

/** A batch of other columns than promised would be misread by whatever comes next. */
function checked(name: string, schema: Schema, batch: Batch): Batch {
  const same = batch.columns.length === schema.fields.length &&
    batch.columns.every(({ type }, index) => String(type) === String(schema.fields[index]!.type));
  if (!same) {
    throw new TypeError(`${name} promised ${schema} and gave a batch of ${batch.schema}`);
  }
  return batch;
}
