/** What a project in Node or for a browser might write; checked, never run. */

import type { RecordBatch, Schema, Table } from "apache-arrow";
import {
  col,
  createEngine,
  defineOperator,
  defineStringOp,
  type Engine,
  type Expr,
  expr,
  filter,
  fromBatches,
  head,
  join,
  lit,
  regroup,
  type RunStats,
  select,
  slice,
  toTable,
  withColumns,
} from "@sluice/sluice";

const runs: RunStats[] = [];
const engine: Engine = createEngine({ device: "auto", onRun: (run) => void runs.push(run) });

const title: Expr = col("name").splitPart(" ", 1).slice(0, 1).concat(lit("."));
const late: Expr = col("delay").gt(60).and(col("origin").startsWith("S"));

export const everyOther = defineOperator<{ offset: number }>({
  name: "everyOther",
  rows: "fewer",
  schema: (input: Schema) => input,
  open({ offset }) {
    let seen = offset;
    return {
      transform(batch, controller) {
        if (seen++ % 2 === 0) controller.enqueue(batch);
      },
    };
  },
});

export const shout = defineStringOp({
  name: "shout",
  kind: "map",
  row(out, char) {
    out.put(char);
    if (char === 0x21) out.put(char);
  },
});

export async function run(batches: ReadableStream<RecordBatch>, names: Table): Promise<Table> {
  const stream = fromBatches(batches, { engine })
    .pipeThrough(withColumns({ title, loud: shout(col("name")), route: expr('a + " > " + b') }))
    .pipeThrough(filter(late))
    .pipeThrough(join(fromBatches(names), { on: { name: "name" }, how: "left", suffix: "_2" }))
    .pipeThrough(everyOther({ offset: 0 }))
    .pipeThrough(regroup({ rows: 65_536 }))
    .pipeThrough(select("title", "loud"))
    .pipeThrough(slice(-1_000));
  return await toTable(stream.pipeThrough(head(10)));
}

/** The batches are plain Arrow to any other transform. */
export function sizes(batches: ReadableStream<RecordBatch>): ReadableStream<number> {
  return batches.pipeThrough(head(3)).pipeThrough(
    new TransformStream<RecordBatch, number>({
      transform: (batch, controller) => controller.enqueue(batch.numRows),
    }),
  );
}
