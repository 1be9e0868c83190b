/**
 * Compares the results of a probe on two backends. Each backend decides where a result ends, so the
 * rows of the device are cut to match the results of the host.
 *
 * @module
 */

import type { ResultRows } from "../backend.ts";
import { type Column, type HostColumn, nullColumn } from "../column/column.ts";
import { concatColumns } from "../column/concat.ts";
import { sliceColumn } from "../column/slice.ts";
import { DifferenceError } from "../../base/errors/device_error.ts";
import { compareRows, type Rows } from "./compare_rows.ts";
import { isValid } from "./first_difference.ts";

/** A probe on both backends. */
interface CheckedProbe {
  /** Whether the result has no columns, so that rows are only counted. */
  readonly countsOnly: boolean;
  /** The column of the host's results that has the origin of each row. */
  readonly originsAt: number;
  /** Starts the probe of the host, without that column if rows are only counted. */
  host(isCounted: boolean): AsyncIterable<ResultRows>;
  readonly device: AsyncIterable<ResultRows>;
  /** Downloads columns of the device, and releases them. */
  toHost(columns: readonly Column[]): Promise<HostColumn[]>;
}

/** Yields the results of the host, each after comparing it. */
export async function* checkedProbe(probe: CheckedProbe): AsyncGenerator<ResultRows> {
  const { originsAt, countsOnly } = probe;
  const device = new DeviceRows(probe);
  let hostRows = 0;
  try {
    for await (const { columns, numRows } of probe.host(countsOnly)) {
      hostRows += numRows;
      const given = columns.filter((_, index) => countsOnly || index !== originsAt) as HostColumn[];
      if (!countsOnly) {
        const origins = columns[originsAt] as HostColumn;
        check({ columns: given, numRows }, await device.take(numRows, given), origins);
      }
      yield { columns: given, numRows };
    }
    const rest = await device.rest();
    if (countsOnly ? rest !== hostRows : rest > 0) {
      const [host, gives] = [`${hostRows} rows`, countsOnly ? rest : hostRows + rest];
      const difference = { maker: "the join gives", column: undefined, row: undefined };
      throw new DifferenceError({ ...difference, host, device: `${gives} rows` });
    }
  } finally {
    await device.close();
  }
}

function check(host: Rows, device: Rows, origins: HostColumn): void {
  const difference = compareRows(host, device, "the join gives");
  if (difference === undefined) return;
  const { data, length } = origins;
  const at = difference.row ?? length;
  const numbers = new Int32Array(data.buffer, data.byteOffset, length);
  // An unmatched build row comes from no probe row.
  const row = at < length && isValid([origins, at]) ? numbers[at] : undefined;
  throw new DifferenceError({ ...difference, row });
}

/** Returns a column of row numbers, from 0 on. */
export function rowNumbers(numRows: number): HostColumn {
  const numbers = Int32Array.from({ length: numRows }, (_, row) => row);
  return {
    place: "host",
    type: { kind: "int", bits: 32, signed: true },
    length: numRows,
    nullCount: 0,
    validity: null,
    data: new Uint8Array(numbers.buffer),
    offsets: null,
    children: [],
  };
}

/** The rows of a device's results, taken in any number at a time. */
class DeviceRows {
  readonly #results: AsyncIterator<ResultRows>;
  readonly #toHost: CheckedProbe["toHost"];
  #left: Rows = { columns: [], numRows: 0 };

  constructor({ device, toHost }: CheckedProbe) {
    this.#results = device[Symbol.asyncIterator]();
    this.#toHost = toHost;
  }

  /**
   * Returns the next `numRows` rows, or as many as there are; `like` are columns of the same types.
   */
  async take(numRows: number, like: readonly HostColumn[]): Promise<Rows> {
    const parts: Rows[] = [];
    let missing = numRows;
    while (missing > 0 && (this.#left.numRows > 0 || await this.#next())) {
      const { columns, numRows: length } = this.#left;
      const taken = Math.min(missing, length);
      const cut = (start: number, stop: number): Rows => ({
        columns: columns.map((column) => sliceColumn(column, start, stop)),
        numRows: stop - start,
      });
      parts.push(cut(0, taken));
      this.#left = cut(taken, length);
      missing -= taken;
    }
    const columns = like.map(({ type }, index) =>
      concatColumns([nullColumn(type, 0), ...parts.map(({ columns }) => columns[index]!)])
    );
    return { columns, numRows: numRows - missing };
  }

  /** Returns the number of remaining rows, and reads them. */
  async rest(): Promise<number> {
    let { numRows } = this.#left;
    while (await this.#next()) numRows += this.#left.numRows;
    return numRows;
  }

  async close(): Promise<void> {
    await this.#results.return?.();
  }

  /** Reads the next result. Returns false at the end. */
  async #next(): Promise<boolean> {
    const next = await this.#results.next();
    if (next.done === true) return false;
    const { columns, numRows } = next.value;
    this.#left = { columns: await this.#toHost(columns), numRows };
    return true;
  }
}
