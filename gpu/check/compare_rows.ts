/**
 * Compares the results of two backends, row by row.
 *
 * @module
 */

import type { HostColumn } from "../column/column.ts";
import type { Difference } from "../../base/errors/device_error.ts";
import { firstDifference } from "./first_difference.ts";
import { showAlone, showValues } from "./show_values.ts";

/** The result of a call, on the host. */
export interface Rows {
  readonly columns: readonly HostColumn[];
  readonly numRows: number;
}

/** The result of a program on a backend, or its error. */
export type Outcome = Rows | { readonly error: unknown };

/**
 * Returns the first row of the result in which two backends differ, in the first column that does;
 * undefined if they agree.
 */
export function compareRows(host: Rows, device: Rows, maker: string): Difference | undefined {
  let row = Infinity;
  let column = -1;
  host.columns.forEach((expected, index) => {
    const at = firstDifference(expected, device.columns[index]!);
    if (at < 0 || at >= row) return;
    row = at;
    column = index;
  });
  const [numHost, numDevice] = [`${host.numRows} rows`, `${device.numRows} rows`];
  if (column < 0) {
    if (host.numRows === device.numRows) return undefined;
    return { maker, column: undefined, row: undefined, host: numHost, device: numDevice };
  }
  const [one, other] = valuesAt(host.columns[column]!, device.columns[column]!, row);
  if (host.numRows === device.numRows) return { maker, column, row, host: one, device: other };
  return {
    ...{ maker, column, row },
    host: `${one} (of ${numHost})`,
    device: `${other} (of ${numDevice})`,
  };
}

function valuesAt(host: HostColumn, device: HostColumn, row: number): [string, string] {
  if (row >= host.length) return ["no row", showAlone([device, row])];
  if (row >= device.length) return [showAlone([host, row]), "no row"];
  return showValues([host, row], [device, row]);
}

/** Compares outcomes that may be errors. Two errors are equal, whatever their messages. */
export function compareOutcomes(
  host: Outcome,
  device: Outcome,
  maker: string,
): Difference | undefined {
  if ("error" in host && "error" in device) return undefined;
  if (!("error" in host) && !("error" in device)) return compareRows(host, device, maker);
  const error = "error" in host ? host.error : "error" in device ? device.error : undefined;
  const row = (error as { row?: unknown } | null)?.row;
  const at = typeof row === "number" ? row : undefined;
  return {
    maker,
    column: undefined,
    row: at,
    host: outcomeAt(host, at),
    device: outcomeAt(device, at),
  };
}

function outcomeAt(outcome: Outcome, row: number | undefined): string {
  if ("error" in outcome) {
    const { error } = outcome;
    return `an error (${error instanceof Error ? error.message : String(error)})`;
  }
  const [column] = outcome.columns;
  const isKnown = column !== undefined && row !== undefined && row < column.length;
  return isKnown ? showAlone([column, row]) : `${outcome.numRows} rows`;
}
