/**
 * Checks an operator that someone else defined, for a test of one line.
 *
 * @module
 */

import type { RecordBatch, Table } from "apache-arrow";
import { showValue } from "../../base/kind_of.ts";
import { createEngine } from "../engine/engine.ts";
import { fromBatches } from "../source/from_batches.ts";
import { isOperatorFactory, type OperatorFactory } from "./define_operator.ts";
import { MAX_THRESHOLD } from "../batch/offset_rule.ts";
import type { Operator } from "../../streams/plan/operator.ts";
import { slice, take } from "../slice/slice.ts";

/**
 * Checks an operator, for the tests of its author. It must keep the promises of its `rows` and its
 * schema, and return the same rows whether text has 32-bit or 64-bit offsets. An operator that
 * promises "same" must also return the same rows for batches of any size, with empty ones between
 * them, and with a slice, a backward slice or a list of rows after it, fused and not.
 *
 * Throws an Error that names the broken promise. Only an operator that promises "any" or "fewer" may
 * return rows that depend on batch boundaries.
 *
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { checkOperator, defineOperator } from "../../mod.ts";
 *
 * const same = defineOperator<null>({
 *   name: "same",
 *   rows: "same",
 *   schema: (input) => input,
 *   open: () => ({ transform: (batch, controller) => controller.enqueue(batch) }),
 * });
 * await checkOperator(same, null, tableFromArrays({ id: [1, 2, 3] }));
 * ```
 */
export async function checkOperator<Options>(
  factory: OperatorFactory<Options>,
  options: Options,
  input: Table,
): Promise<void> {
  if (!isOperatorFactory(factory)) {
    const given = showValue(factory);
    throw new TypeError(`checkOperator() takes what defineOperator() returns, not ${given}`);
  }
  const { name, rows } = factory.spec;
  const run = (
    batches: RecordBatch[],
    fuse: boolean,
    pick: Operator | undefined,
    threshold = MAX_THRESHOLD,
  ) => {
    const engine = createEngine({ device: "cpu", fuse, threshold, largeStrings: true });
    const result = fromBatches(batches, { engine, schema: input.schema })
      .pipeThrough(factory(options));
    return rowsOf(pick === undefined ? result : result.pipeThrough(pick));
  };
  const whole = await run(input.batches, true, undefined);
  if (rows !== "any" && whole.length > input.numRows) {
    throw new Error(`${name} promises "${rows}" rows, but returned more than came in`);
  }
  if (!sameRows(await run(input.batches, true, undefined, 1), whole)) {
    throw new Error(`${name} returns other rows where text has 64-bit offsets`);
  }
  if (rows !== "same") return;
  if (whole.length !== input.numRows) {
    throw new Error(
      `${name} promises the same rows: ${input.numRows} came in, ${whole.length} out`,
    );
  }
  for (const size of [1, 2, 7]) {
    const cut = await run(cutBatches(input, size), true, undefined);
    if (!sameRows(cut, whole)) {
      throw new Error(`${name} returns other rows where batches have ${size} rows`);
    }
  }
  const last = whole.length - 1;
  const some = last < 0 ? [] : [last, 0, last];
  const picks: readonly [string, pick: () => Operator, of: readonly string[]][] = [
    ["a slice", () => slice(1), whole.slice(1)],
    ["a slice backwards", () => slice(null, null, -1), whole.toReversed()],
    ["a list of rows", () => take(some), some.map((row) => whole[row]!)],
  ];
  for (const fuse of [true, false]) {
    for (const [what, pick, expected] of picks) {
      if (!sameRows(await run(input.batches, fuse, pick()), expected)) {
        throw new Error(`${name} returns other rows where ${what} comes after it`);
      }
    }
  }
}

async function rowsOf(stream: AsyncIterable<RecordBatch>): Promise<string[]> {
  const rows: string[] = [];
  for await (const batch of stream) {
    for (const row of batch) rows.push(String(row));
  }
  return rows;
}

function cutBatches(table: Table, size: number): RecordBatch[] {
  return table.batches.flatMap((batch) => {
    const starts = Array.from({ length: Math.ceil(batch.numRows / size) }, (_, i) => i * size);
    return starts.flatMap((start) => [batch.slice(start, start + size), batch.slice(0, 0)]);
  });
}

function sameRows(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((row, index) => row === right[index]);
}
