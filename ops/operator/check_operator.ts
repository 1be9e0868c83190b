/** @module */

import type { RecordBatch, Table } from "apache-arrow";
import { createEngine } from "../engine/engine.ts";
import { fromBatches } from "../source/from_batches.ts";
import type { OperatorFactory } from "./define_operator.ts";
import { MAX_THRESHOLD } from "../batch/offset_rule.ts";
import { slice } from "../slice/slice.ts";

/**
 * Checks an operator, for the tests of whoever defines one: with the same rows in one batch, cut
 * into batches of every size and with empty batches between them, it must keep the promise of its
 * `rows` and of its schema; where it promises "same", also with a slice behind it, fused and not.
 * It must give the same rows whether offsets of text have 32 bits or 64.
 *
 * Throws an Error that says what does not hold. What an operator gives may depend on batch
 * boundaries only if it promises "any" or "fewer".
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
  const { name, rows } = factory.spec;
  const run = (
    batches: RecordBatch[],
    fuse: boolean,
    sliced: boolean,
    threshold = MAX_THRESHOLD,
  ) => {
    const engine = createEngine({ device: "cpu", fuse, threshold, largeStrings: true });
    const result = fromBatches(batches, { engine, schema: input.schema })
      .pipeThrough(factory(options));
    return rowsOf(sliced ? result.pipeThrough(slice(1)) : result);
  };
  const whole = await run(input.batches, true, false);
  if (rows !== "any" && whole.length > input.numRows) {
    throw new Error(`${name} promises "${rows}" rows, but gave more than came in`);
  }
  if (!sameRows(await run(input.batches, true, false, 1), whole)) {
    throw new Error(`${name} gives other rows where text has 64-bit offsets`);
  }
  if (rows !== "same") return;
  if (whole.length !== input.numRows) {
    throw new Error(
      `${name} promises the same rows: ${input.numRows} came in, ${whole.length} out`,
    );
  }
  for (const size of [1, 2, 7]) {
    const cut = await run(cutBatches(input, size), true, false);
    if (!sameRows(cut, whole)) {
      throw new Error(`${name} gives other rows where batches have ${size} rows`);
    }
  }
  for (const fuse of [true, false]) {
    if (!sameRows(await run(input.batches, fuse, true), whole.slice(1))) {
      throw new Error(`${name} gives other rows where a slice comes after it`);
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
