/** @module */

import type { Batch } from "../../mod.ts";
import { expectArgs } from "../expect_args.ts";
import { parseInteger } from "../quantities.ts";
import type { Step, Verb } from "../verb.ts";

/** `at I` */
export const at: Verb = {
  name: "at",
  usage: "I",
  summary: "Keeps one row; a position that does not exist is an error",
  details: `Rows count from 0, negative positions from the end.

  sluice read flights.parquet then at -1`,
  parse({ args }): Step {
    expectArgs(args, `at ${this.usage}`, 1);
    const index = parseInteger(args[0]!, "at");
    return {
      role: "transform",
      apply(stream, { sluice, pipe }) {
        const oneRow = sluice.defineOperator<{ index: number }>({
          name: "at",
          rows: "any",
          schema: (input) => input,
          open: ({ index }) => expectRow(index),
        });
        const row = sluice.slice(index, index === -1 ? undefined : index + 1);
        return pipe(pipe(stream, row), oneRow({ index }));
      },
    };
  },
};

/** Passes batches on, and fails at the end where none had a row. */
function expectRow(index: number): Transformer<Batch, Batch> {
  let numRows = 0;
  return {
    transform(batch, controller) {
      numRows += batch.numRows;
      controller.enqueue(batch);
    },
    flush() {
      if (numRows === 0) throw new RangeError(`There is no row ${index}`);
    },
  };
}
