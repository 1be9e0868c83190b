/**
 * The build side of a join in bounded memory: as a whole where it fits, else in partitions.
 *
 * @module
 */

import { evenBlocks } from "../../spill/blocks.ts";
import { BuildPartitions } from "./build_partitions.ts";
import {
  concatRows,
  countFrom,
  emptyRows,
  type HostRows,
  keyBytes,
  numberColumn,
  rowsBytes,
} from "../../spill/host_rows.ts";
import { fanOut, joinPartitions } from "./join_partitions.ts";
import { type JoinedRows, restoreOrder } from "../shared/restore_order.ts";
import { FAN_OUT, indexBytes } from "../../spill/sizes.ts";
import { type JoinContext, type JoinShape, SpilledJoin } from "./spilled_join.ts";

/** A build side that is too large for one table; it is joined once. */
export class LargeBuildSide {
  readonly #join: SpilledJoin;
  readonly #partitions: BuildPartitions;

  constructor(join: SpilledJoin, partitions: BuildPartitions) {
    this.#join = join;
    this.#partitions = partitions;
  }

  /**
   * Joins the rows of the probe side, as the shape says: in probe order and within a row in build
   * order, then the rows that the build side gives by itself; or all of them as they come.
   */
  joined(probe: AsyncIterable<HostRows>): AsyncGenerator<JoinedRows, void, void> {
    const join = this.#join;
    const isOrdered = join.numbersProbe || join.numbersBuild;
    const needsOrder = isOrdered && this.#partitions.divide().deferred.length > 0;
    const rows = join.numbersProbe ? withNumbers(probe) : probe;
    const results = joinPartitions(join, this.#partitions, rows);
    return needsOrder ? restoreOrder(join.spill, results) : results;
  }
}

/**
 * Reads a build side of one or more batches: its rows as one batch where a table of them fits into the
 * memory of the context and that of the backend, else in partitions. A failure ends the batches, and
 * so does an abort, whose reason is thrown.
 */
export async function readBuildSide(
  shape: JoinShape,
  context: JoinContext,
  batches: AsyncIterable<HostRows>,
): Promise<HostRows | LargeBuildSide> {
  const join = new SpilledJoin(shape, context);
  const source = batches[Symbol.asyncIterator]();
  try {
    const ahead = await readAhead(join, source);
    join.spill.checkSignal();
    if (ahead.isAll && ahead.tableBytes <= (context.backend.maxTableBytes ?? Infinity)) {
      return concatRows(ahead.batches);
    }
    const none = emptyRows(ahead.batches[0]!);
    const like = join.numbersBuild ? numbered(none, 0) : none;
    const numPartitions = ahead.isAll ? fanOut(join, ahead.numBytes) : FAN_OUT;
    const partitions = new BuildPartitions(join, 0, numPartitions, like);
    const rows = chained(ahead.batches, source);
    const ordered = join.numbersBuild ? withNumbers(rows) : rows;
    for await (const block of evenBlocks(ordered, join.spill.sizes.block)) {
      join.spill.checkSignal();
      partitions.add(block);
    }
    join.spill.checkSignal();
    partitions.finish();
    return new LargeBuildSide(join, partitions);
  } finally {
    await source.return?.();
  }
}

/** The first batches of a build side. */
interface Ahead {
  readonly batches: HostRows[];
  /** Whether there are no more. */
  readonly isAll: boolean;
  readonly numBytes: number;
  readonly tableBytes: number;
}

/** Reads a batch, and on as long as a table of all rows fits into memory, where these then are twice. */
async function readAhead(
  { shape, spill }: SpilledJoin,
  source: AsyncIterator<HostRows>,
): Promise<Ahead> {
  const batches: HostRows[] = [];
  let numRows = 0;
  let numBytes = 0;
  for (;;) {
    const tableBytes = numBytes + indexBytes(numRows, shape.keyType);
    const fits = batches.length === 0 || numBytes + tableBytes <= spill.memory;
    const next = fits ? await source.next() : undefined;
    if (next === undefined || next.done) {
      return { batches, isAll: next !== undefined, numBytes, tableBytes };
    }
    batches.push(next.value);
    numRows += next.value.numRows;
    numBytes += rowsBytes(next.value) + keyBytes(next.value, shape.build.keyOf);
  }
}

/** The batches, which it forgets, then those of the source. */
async function* chained(
  batches: HostRows[],
  source: AsyncIterator<HostRows>,
): AsyncGenerator<HostRows, void, void> {
  for (let rows = batches.shift(); rows !== undefined; rows = batches.shift()) yield rows;
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
}

/** The rows of all batches with their number as a last column. */
async function* withNumbers(
  batches: AsyncIterable<HostRows>,
): AsyncGenerator<HostRows, void, void> {
  let first = 0;
  for await (const rows of batches) {
    yield numbered(rows, first);
    first += rows.numRows;
  }
}

function numbered({ columns, numRows }: HostRows, first: number): HostRows {
  return { columns: [...columns, numberColumn(countFrom(first, numRows))], numRows };
}
