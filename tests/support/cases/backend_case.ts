/**
 * Cases that every backend has to pass. A suite is a function that registers its cases; a test of the host and one of
 * the device call it with `onHost` or `onDevice`.
 */

import type { Backend } from "../../../gpu/backend.ts";
import {
  type Column,
  type ColumnType,
  type HostColumn,
  releaseColumn,
} from "../../../gpu/column/column.ts";
import { type Plain, plainOf } from "../models/column_model.ts";

/** The backend of a case, and its properties. */
export interface CaseScope {
  readonly backend: Backend;
  /** Copies a column to the memory of the backend, if that can hold it. The case releases the copy. */
  place(column: HostColumn): Promise<Column>;
  /** Where the backend computes columns of a type. */
  placeOf(type: ColumnType): Column["place"];
  /** Picks a number of rounds or rows: a device takes longer. */
  amount(of: { readonly host: number; readonly device: number }): number;
}

/** Registers a case as a test, with a backend of its own. */
export type BackendCase = (
  title: string,
  use: (scope: CaseScope) => Promise<void>,
  options?: {
    /** Whether a device may pass the case without computing anything. Default: false. */
    readonly mayIdle?: boolean;
  },
) => void;

/** Downloads columns and releases them. */
export async function takeColumns(
  { backend }: CaseScope,
  columns: readonly Column[],
): Promise<HostColumn[]> {
  const onHost = await backend.download(columns);
  columns.forEach(releaseColumn);
  return onHost;
}

/** Downloads columns, releases them, and returns their values. */
export async function takePlain(
  scope: CaseScope,
  columns: readonly Column[],
): Promise<Plain[][]> {
  return (await takeColumns(scope, columns)).map(plainOf);
}
