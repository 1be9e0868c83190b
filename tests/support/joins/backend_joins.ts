/** Runs a join on a backend, and collects its results on the host. */

import { assertEquals } from "@std/assert";
import type { Backend, ResultLimits, ResultRows, TableRequest } from "../../../gpu/backend.ts";
import {
  type Column,
  columnBytes,
  type HostColumn,
  releaseColumn,
} from "../../../gpu/column/column.ts";
import { concatColumns } from "../../../gpu/column/concat.ts";

/** A batch of the probe side. */
export interface ProbeBatch {
  readonly key: Column;
  readonly columns: readonly Column[];
}

/** The rows of the results of a join, and the numbers of rows and of bytes of each result. */
export interface JoinedRows {
  readonly columns: readonly HostColumn[];
  readonly sizes: readonly number[];
  readonly bytes: readonly number[];
  /** Where the columns of results with rows lay. */
  readonly places: ReadonlySet<Column["place"]>;
}

/** The results for the probe batches, and the build-only rows. */
export interface Joined {
  readonly probed: JoinedRows;
  readonly last: JoinedRows;
}

async function collect(
  backend: Backend,
  results: AsyncIterable<ResultRows>,
): Promise<JoinedRows[]> {
  const rows: JoinedRows[] = [];
  for await (const { columns, numRows } of results) {
    const onHost = await backend.download(columns);
    columns.forEach(releaseColumn);
    for (const { length } of onHost) assertEquals(length, numRows);
    const bytes = total(onHost.map(columnBytes));
    const places = new Set(numRows === 0 ? [] : columns.map(({ place }) => place));
    rows.push({ columns: onHost, sizes: [numRows], bytes: [bytes], places });
  }
  return rows;
}

function together(parts: readonly JoinedRows[]): JoinedRows {
  const [first] = parts;
  return {
    sizes: parts.flatMap(({ sizes }) => sizes),
    bytes: parts.flatMap(({ bytes }) => bytes),
    places: new Set(parts.flatMap(({ places }) => [...places])),
    columns: (first?.columns ?? []).map((_, k) =>
      concatColumns(parts.map(({ columns }) => columns[k]!))
    ),
  };
}

/** Joins batches on a backend; `onTable` sees the table before it is probed. */
export async function joinOn(
  backend: Backend,
  request: TableRequest,
  batches: readonly ProbeBatch[],
  limits: ResultLimits,
  onTable: (table: unknown) => void = () => {},
): Promise<Joined> {
  const table = await backend.buildTable(request);
  try {
    onTable(table);
    const probed: JoinedRows[] = [];
    for (const { key, columns } of batches) {
      const results = backend.probe(table, key, columns, key.length, limits);
      probed.push(...await collect(backend, results));
    }
    const last = await collect(backend, backend.buildOnlyRows(table, limits));
    return { probed: together(probed), last: together(last) };
  } finally {
    table.release();
  }
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
