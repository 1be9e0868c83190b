/**
 * Defines operators of users as transformers of batches.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { Backend } from "../../gpu/backend.ts";
import {
  type Batch,
  checkedAs,
  type EngineOption,
  type NodeKind,
  nodeOf,
  type Operator,
  operatorOf,
  type RowRule,
} from "../engine/operator_kit.ts";
import { ownSchema } from "../../streams/types/own_arrow.ts";
import { plainSchema } from "../../streams/data/plain_schema.ts";
import { showValue } from "../../base/kind_of.ts";
import { checkChoice, checkNamed } from "../../base/option_kinds.ts";
import { runTransformer } from "./run_transformer.ts";

/** The context of an operator while it runs. */
export interface OperatorContext {
  /** Computes columns; the same operations on the host and on a device. */
  readonly backend: Backend;
  /** Schema of the batches that come in. */
  readonly schema: Schema;
}

/** The definition of an operator. */
export interface OperatorSpec<Options> {
  /** The name in errors, in `explain` and on the command line. */
  readonly name: string;
  /** Its treatment of rows; "any" promises nothing. */
  readonly rows: RowRule;
  /** Returns the schema of the result. Throws an error for every mistake of a user. */
  schema(input: Schema, options: Options): Schema;
  /**
   * Starts a run. `transform` is called for each batch in order, each time after the result of the
   * last call was taken. The batch is released afterwards unless it was enqueued; to keep it for
   * later, keep `batch.share()`. What is enqueued has the promised schema. `cancel` is called where
   * the run ends before `flush`.
   */
  open(options: Options, context: OperatorContext): Transformer<Batch, Batch>;
}

/** Makes operators with options. */
export interface OperatorFactory<Options = unknown> {
  (options: Options, engine?: EngineOption): Operator;
  /** Its definition. */
  readonly spec: OperatorSpec<Options>;
}

/**
 * Defines an operator: a transformer of batches and the schema of its result. It takes part in
 * plans as the built-in ones do; with `rows: "same"` slices move past it, so that it may get only
 * some of its rows, or all of them backwards.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { defineOperator, fromBatches, toTable } from "../../mod.ts";
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
  checkSpec(spec);
  const kind = kindOf(spec);
  const factory = (options: Options, engine?: EngineOption) =>
    operatorOf(nodeOf(kind, options), engine);
  Object.defineProperty(factory, "name", { value: spec.name });
  return Object.freeze(Object.assign(factory, { spec: Object.freeze(spec) }));
}

/**
 * Whether a value was made by `defineOperator`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { defineOperator, isOperatorFactory, withColumns } from "../../mod.ts";
 *
 * const same = defineOperator<null>({
 *   name: "same",
 *   rows: "same",
 *   schema: (input) => input,
 *   open: () => ({ transform: (batch, controller) => controller.enqueue(batch) }),
 * });
 * assertEquals([same, withColumns].map(isOperatorFactory), [true, false]);
 * ```
 */
export function isOperatorFactory(value: unknown): value is OperatorFactory {
  return typeof value === "function" && "spec" in value && !("rowFunction" in value);
}

/** Throws a TypeError for a definition that lacks a part, or has another kind of value for it. */
function checkSpec(spec: OperatorSpec<never>): void {
  checkNamed("defineOperator()", "the parts of an operator", spec);
  const { name, rows, schema, open } = spec;
  if (typeof name !== "string" || name === "") {
    throw new TypeError(`The name of an operator is text, not ${showValue(name)}`);
  }
  checkChoice(`The part rows of ${name}`, rows, rowRules);
  for (const [part, given] of Object.entries({ schema, open })) {
    if (typeof given === "function") continue;
    throw new TypeError(`The part ${part} of ${name} is a function, not ${showValue(given)}`);
  }
}

const rowRules = ["same", "fewer", "any"] satisfies RowRule[];

function kindOf<Options>(spec: OperatorSpec<Options>): NodeKind<Options> {
  const { name, rows } = spec;
  return {
    name,
    rows,
    // An operator that keeps every row returns the same rows wherever batches end.
    boundaries: rows === "same" ? "ignored" : "seen",
    summary: describeOptions,
    needs: () => undefined,
    check(options, input) {
      const schema = plainSchema(ownSchema(spec.schema(input, options)));
      return checkedAs({
        schema,
        run: (batches, { backend }) =>
          runTransformer(
            { name, rows, schema },
            batches,
            spec.open(options, { backend, schema: input }),
          ),
      });
    },
  };
}

/** Returns options as text, for `explain`; an empty text if JSON cannot express them. */
function describeOptions(options: unknown): string {
  try {
    return JSON.stringify(options) ?? "";
  } catch {
    return "";
  }
}
