/**
 * How many bytes of text and binary data lie under rows of a column.
 *
 * @module
 */

import { type Data, DataType } from "apache-arrow";
import { layoutOf } from "../arrow.ts";

/** The text of one column, or of one that is nested in it. */
export interface TextSpan {
  /** The column; behind points the fields of structs, to the one that has the text. */
  readonly column: string;
  /** Bytes of the rows [start, stop) of the batch. */
  bytes(start: number, stop: number): number;
}

/** Gives the rows of a nested column that lie under a row of the batch, or begin with it. */
type RowOf = (row: number) => number;

/** The spans of a column: one for each of its parts that has 32-bit or 64-bit offsets into bytes. */
export function textSpans(column: string, data: Data): TextSpan[] {
  return spansOf(column, data, (row) => row);
}

function spansOf(column: string, data: Data, rowOf: RowOf): TextSpan[] {
  const { type, children } = data;
  switch (layoutOf(type)) {
    case "bytes32":
    case "bytes64": {
      const offsetOf = offsetsOf(data);
      return [{ column, bytes: (start, stop) => offsetOf(rowOf(stop)) - offsetOf(rowOf(start)) }];
    }
    case "list32":
    case "list64": {
      const offsetOf = offsetsOf(data);
      return childSpans(column, children[0], (row) => offsetOf(rowOf(row)));
    }
    case "fixed_list": {
      const { listSize } = type as unknown as { listSize: number };
      return childSpans(column, children[0], (row) => listSize * rowOf(row));
    }
    case "struct":
      return children.flatMap((child, index) => {
        const name = DataType.isStruct(type) ? type.children[index]!.name : "";
        return childSpans(`${column}.${name}`, child, rowOf);
      });
    default:
      return [];
  }
}

/** apache-arrow leaves nested columns out where it makes a batch of no rows. */
function childSpans(column: string, child: Data | undefined, rowOf: RowOf): TextSpan[] {
  return child === undefined ? [] : spansOf(column, child, rowOf);
}

/** Offsets as numbers; a column of no rows may have none. */
function offsetsOf({ valueOffsets }: Data): RowOf {
  const offsets = valueOffsets as Int32Array | BigInt64Array | undefined;
  return (row) => Number(offsets?.[row] ?? 0);
}
