/**
 * Counts the rows of a stream, from metadata where that is enough.
 *
 * @module
 */

import { Field, Int64, makeData, Schema } from "apache-arrow";
import type { BatchStream } from "../../streams/plan/batch_stream.ts";
import {
  Batch,
  BatchColumn,
  checkedAs,
  type NodeKind,
  nodeOf,
  operatorOf,
} from "../engine/operator_kit.ts";

/**
 * Counts the rows of a stream, which it consumes. If the metadata of the source suffices, no rows
 * are read. Otherwise the plan runs, but only for its rows: columns that no filter and no join
 * reads are neither read nor computed, and a strict conversion into one of them throws no error.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { countRows, expr, filter, fromBatches } from "../../mod.ts";
 *
 * const people = tableFromArrays({ name: ["Ada", "Alan", "Grace"] });
 * const few = fromBatches(people).pipeThrough(filter(expr('name.startsWith("A")')));
 * assertEquals(await countRows(few), 2);
 * assertEquals(await countRows(fromBatches(people)), 3);
 * ```
 */
export async function countRows(stream: BatchStream): Promise<number> {
  if (typeof stream?.countFromMetadata !== "function") {
    throw new TypeError("countRows() takes a stream that comes from read() or fromBatches()");
  }
  const known = await stream.countFromMetadata();
  if (known !== undefined) {
    await stream.cancel();
    return known;
  }
  let numRows = 0;
  for await (const batch of stream.pipeThrough(operatorOf(nodeOf(countKind, null)))) {
    numRows += Number(batch.getChildAt(0)!.get(0));
  }
  return numRows;
}

const schema = new Schema([new Field("rows", new Int64(), false)]);

/** Nodes that return one row, the number of rows. They need no column of the input. */
const countKind: NodeKind<null> = {
  name: "count",
  rows: "any",
  boundaries: "ignored",
  summary: () => "",
  needs: () => new Set(),
  check: () =>
    checkedAs({
      schema,
      async *run(input) {
        let numRows = 0;
        for await (const batch of input) {
          numRows += batch.numRows;
          batch.release();
        }
        const data = makeData({ type: new Int64(), data: BigInt64Array.of(BigInt(numRows)) });
        yield new Batch(schema, 1, [BatchColumn.fromArrow(data.type, data)]);
      },
    }),
};
