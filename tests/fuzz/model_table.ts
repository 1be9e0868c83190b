/** Tables as the models have them. */

import { plainType } from "../../streams/data/plain_schema.ts";
import type { ModelColumn } from "../support/models/expr_model_types.ts";
import { typeOf } from "./case_types.ts";
import type { ModelArray } from "./model_array.ts";
import { type CaseTable, numRowsOf } from "./fuzz_case.ts";

/** A column of a table. */
export interface TableColumn extends ModelColumn {
  /** The array of Zarr that the rows are chunks of. */
  readonly array?: ModelArray;
}

/** A table as the model has it. */
export interface ModelTable {
  readonly columns: readonly TableColumn[];
  readonly numRows: number;
  /** Rows of the batches, where that is promised. */
  readonly sizes?: readonly number[];
  /** Whether any order of the rows is right. */
  readonly isUnordered?: boolean;
}

/** A table of a case. */
export function modelTable(table: CaseTable): ModelTable {
  return {
    columns: table.columns.map(({ name, type, values }) => ({
      name,
      type: plainType(typeOf(type)),
      values,
    })),
    numRows: numRowsOf(table),
  };
}
