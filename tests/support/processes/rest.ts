import { defineOperator } from "../../../mod.ts";

/**
 * Rows in a millisecond: so a job lasts as long as it must on a machine of any speed, and gives the
 * rest of the program its turn.
 */
const ROWS_PER_MS = 1200;

/** A plugin of the command line: passes rows on, and rests after each batch for as long as it is. */
export const rest = defineOperator({
  name: "rest",
  rows: "same",
  schema: (input) => input,
  open: () => ({
    async transform(batch, controller) {
      await new Promise((resolve) => setTimeout(resolve, batch.numRows / ROWS_PER_MS));
      controller.enqueue(batch);
    },
  }),
});
