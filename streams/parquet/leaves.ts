/**
 * The leaves of a Parquet schema: the columns that hold values, under the columns of the file.
 *
 * @module
 */

import { DataType, type Schema } from "apache-arrow";
import { type FileMetadata, type SchemaElement, textOf } from "./metadata.ts";

/** A leaf and the column of the file that it is, or lies in. */
export interface Leaf {
  readonly element: SchemaElement;
  readonly column: string;
  /** Whether it has one value, or a null, for each row. */
  readonly isFlat: boolean;
}

const repeated = 2;

/** The leaves in the order in which row groups have them. */
export function leavesOf({ schema = [] }: FileMetadata): Leaf[] {
  const leaves: Leaf[] = [];
  let next = 1;
  const visit = (column: string | undefined): void => {
    const element = schema[next++];
    if (element === undefined) throw new TypeError("is corrupt: its schema lacks columns");
    const under = column ?? textOf(element.name);
    const isFlat = column === undefined && element.repetition !== repeated;
    if (element.type !== undefined) leaves.push({ element, column: under, isFlat });
    for (let i = 0; i < (element.numChildren ?? 0); i++) visit(under);
  };
  for (let i = 0; i < (schema[0]?.numChildren ?? 0); i++) visit(undefined);
  return leaves;
}

/** The types of the leaves of a schema of Arrow, in the same order. */
export function arrowLeaves(schema: Schema): DataType[] {
  return schema.fields.flatMap(({ type }) => leafTypes(type));
}

function leafTypes(type: DataType): DataType[] {
  if (isLeaf(type)) return [type];
  return type.children.flatMap((child) => leafTypes(child.type));
}

/** Whether a type of Arrow is stored in one leaf. */
export function isLeaf(type: DataType): boolean {
  if (DataType.isDictionary(type)) return true;
  return (type.children?.length ?? 0) === 0 && !DataType.isStruct(type);
}
