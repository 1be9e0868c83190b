/** @module */

import { Field, Int64, makeData, Schema } from "apache-arrow";
import { Batch } from "../batch/batch.ts";
import { BatchColumn } from "../batch/batch_column.ts";
import type { OperatorNode, Stage } from "../engine/node.ts";

const schema = new Schema([new Field("rows", new Int64(), false)]);

/** The node that counts rows: one row out, and no column of the input is needed for it. */
export function countNode(): OperatorNode {
  return Object.freeze<OperatorNode>({
    name: "count",
    rows: "any",
    summary: "",
    needs: () => new Set<string>(),
    bind: (): Stage => ({
      schema,
      explain: () => [],
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
  });
}
