/**
 * A plugin with an operator: `sluice --plugin examples/every_nth.ts read names.csv then
 * everyNth --n 100`.
 *
 * @module
 */

import { type Batch, defineOperator, type OperatorFactory } from "../mod.ts";

/** Options of `everyNth`. */
export interface EveryNthOptions {
  /** Keeps rows 0, n, 2n and so on. */
  readonly n: number;
}

/** Keeps every nth row, counted over all batches. */
export const everyNth: OperatorFactory<EveryNthOptions> = defineOperator({
  name: "everyNth",
  rows: "fewer",
  schema(input, { n }) {
    if (!Number.isInteger(n) || n < 1) throw new RangeError(`n is a whole number from 1, not ${n}`);
    return input;
  },
  open({ n }, { backend }) {
    /** The rows of the next batch to skip before the first one to keep. */
    let skip = 0;
    return {
      async transform(batch: Batch, controller) {
        const count = Math.max(0, Math.ceil((batch.numRows - skip) / n));
        if (count > 0) {
          await batch.toHost(backend);
          controller.enqueue(
            batch.gather(Int32Array.from({ length: count }, (_, i) => skip + i * n)),
          );
        }
        skip += count * n - batch.numRows;
      },
    };
  },
});
