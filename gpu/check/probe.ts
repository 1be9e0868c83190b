/**
 * The results of a probe on two backends, side by side. Where one result ends and the next begins is
 * up to each backend, so the rows of the device are cut as those of the host are.
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

/** What both backends join. */
export interface CheckedProbe {
  /** Whether the result has no column: then rows are only counted. */
  readonly countsOnly: boolean;
  /** The column of the host's results that tells of each row from which row it comes. */
  readonly originsAt: number;
  /** The results of the host, without that column where rows are only counted. */
  host(isCounted: boolean): AsyncIterable<ResultRows>;
  readonly device: AsyncIterable<ResultRows>;
  /** Brings columns of the device to the host, and releases them. */
  toHost(columns: readonly Column[]): Promise<HostColumn[]>;
}

/** Gives the results of the host, each after it was compared. */
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
  // A row of the build side alone comes from none.
  const row = at < length && isValid([origins, at]) ? numbers[at] : undefined;
  throw new DifferenceError({ ...difference, row });
}

/** The numbers of rows, from 0 on. */
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

/** The rows that a device gives, as many at once as are asked for. */
class DeviceRows {
  readonly #results: AsyncIterator<ResultRows>;
  readonly #toHost: CheckedProbe["toHost"];
  #left: Rows = { columns: [], numRows: 0 };

  constructor({ device, toHost }: CheckedProbe) {
    this.#results = device[Symbol.asyncIterator]();
    this.#toHost = toHost;
  }

  /** So many rows, or those that there are; `like` are columns of the types. */
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

  /** How many rows there still are. */
  async rest(): Promise<number> {
    let { numRows } = this.#left;
    while (await this.#next()) numRows += this.#left.numRows;
    return numRows;
  }

  async close(): Promise<void> {
    await this.#results.return?.();
  }

  /** Whether there is another result. */
  async #next(): Promise<boolean> {
    const next = await this.#results.next();
    if (next.done === true) return false;
    const { columns, numRows } = next.value;
    this.#left = { columns: await this.#toHost(columns), numRows };
    return true;
  }
}
