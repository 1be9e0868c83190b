/** @module */

import type { HostColumn } from "../../gpu/column/column.ts";
import { defineOperator } from "../../mod.ts";

/** Keeps the rows in which a column has text that is not empty. */
export const withText = defineOperator<{ readonly name: string }>({
  name: "withText",
  rows: "fewer",
  schema: (input) => input,
  open: ({ name }, { backend, schema }) => ({
    async transform(batch, controller) {
      await batch.toHost(backend);
      const index = schema.fields.findIndex((field) => field.name === name);
      const { offsets, validity } = batch.columns[index]!.column as HostColumn;
      const hasText = (row: number) =>
        offsets![row + 1]! > offsets![row]! &&
        (validity === null || ((validity[row >> 3]! >> (row & 7)) & 1) === 1);
      const rows = Array.from({ length: batch.numRows }, (_, row) => row).filter(hasText);
      controller.enqueue(batch.gather(Int32Array.from(rows)));
    },
  }),
});
