/** The results of a run, in a form in which two runs can be compared. */

import { assert } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { concatColumns } from "../../../gpu/column/concat.ts";
import { gatherColumn } from "../../../gpu/column/gather.ts";
import { fromArrow } from "../../../ops/batch/from_arrow.ts";
import { isSettled, type OffsetRule } from "../../../ops/batch/offset_rule.ts";
import { chooseOffsetRule } from "../../../ops/engine/settings.ts";
import { plainSchema } from "../../../streams/data/plain_schema.ts";

/** The results that two runs must have in common, byte for byte. */
interface Canonical {
  readonly schema: string;
  readonly columns: readonly HostColumn[];
  /** Rows of each batch, where that is promised. */
  readonly sizes: readonly number[] | undefined;
}

/**
 * The columns of batches put together: offsets from 0, bitmaps from bit 0, nothing below nulls. The
 * text of each batch must have offsets as wide as the rule wants.
 */
export function canonicalOf(
  batches: readonly RecordBatch[],
  withSizes: boolean,
  rule: OffsetRule = chooseOffsetRule(),
): Canonical {
  for (const { data } of batches) assert(data.children.every((column) => isSettled(column, rule)));
  const schema = plainSchema(batches[0]!.schema);
  const columns = schema.fields.map((_, index) =>
    withoutHidden(concatColumns([
      ...batches.map((batch) => fromArrow(batch.data.children[index]!)),
      // A single column would come back as it is, with its own offsets.
      fromArrow(batches[0]!.slice(0, 0).data.children[index]!),
    ]))
  );
  const fields = schema.fields.map(({ name, type, nullable }) => `${name}: ${type} ${nullable}`);
  return {
    schema: fields.join(", "),
    columns,
    sizes: withSizes ? batches.map(({ numRows }) => numRows) : undefined,
  };
}

/** The column without bytes below nulls: a map of whole columns keeps what it was given there. */
function withoutHidden(column: HostColumn): HostColumn {
  const { validity, length } = column;
  if (validity === null) return column;
  const isValid = (row: number) => ((validity[row >> 3]! >> (row & 7)) & 1) === 1;
  return gatherColumn(column, Int32Array.from({ length }, (_, row) => isValid(row) ? row : -1));
}
