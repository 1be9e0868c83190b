/**
 * The build side of a join by keys: one batch of rows if it fits into memory, else partitions.
 *
 * @module
 */

import { evenBlocks } from "../../spill/blocks.ts";
import {
  concatRows,
  emptyRows,
  type HostRows,
  keyBytes,
  rowsBytes,
} from "../../spill/host_rows.ts";
import { drain, readAhead } from "../../spill/read_ahead.ts";
import { numbered, withNumbers } from "../../spill/row_numbers.ts";
import { FAN_OUT } from "../../spill/sizes.ts";
import { type JoinedRows, restoreOrder } from "../shared/restore_order.ts";
import { BuildPartitions } from "./build_partitions.ts";
import { fanOut, joinPartitions } from "./join_partitions.ts";
import type { SpilledJoin } from "./spilled_join.ts";
import { indexBytes } from "./tables.ts";

/** A build side that is too large for one table; it is joined once. */
export class LargeBuildSide {
  readonly #join: SpilledJoin;
  readonly #partitions: BuildPartitions;

  constructor(join: SpilledJoin, partitions: BuildPartitions) {
    this.#join = join;
    this.#partitions = partitions;
  }

  /**
   * Joins the rows of the probe side in the order that the shape demands: in probe order and for each row in
   * build order, then the build-only rows; or all of them in any order.
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
 * Reads a build side of one or more batches. Returns its rows as one batch if a table of them fits
 * into the memory of the join and that of the backend, else as partitions. A failure ends the batches, and
 * so does an abort, whose reason is thrown.
 */
export async function readBuildSide(
  join: SpilledJoin,
  batches: AsyncIterable<HostRows>,
): Promise<HostRows | LargeBuildSide> {
  const { shape, spill, backend } = join;
  let first: HostRows | undefined;
  let numRows = 0;
  let numBytes = 0;
  const tableBytes = () => numBytes + indexBytes(numRows, shape.keyType);
  const ahead = await readAhead(batches, (rows) => {
    first ??= rows;
    numRows += rows.numRows;
    numBytes += rowsBytes(rows) + keyBytes(rows, shape.build.keyOf);
    // The rows are in memory twice while the table is made.
    return numBytes + tableBytes() <= spill.memory;
  });
  const isAll = ahead.rest === undefined;
  // An abort may have ended the batches.
  if (isAll) spill.checkSignal();
  if (isAll && tableBytes() <= (backend.maxTableBytes ?? Infinity)) {
    return concatRows(ahead.items);
  }
  const none = emptyRows(first!);
  const like = join.numbersBuild ? numbered(none, 0) : none;
  const numPartitions = isAll ? fanOut(join, numBytes) : FAN_OUT;
  const partitions = new BuildPartitions(join, 0, numPartitions, like);
  const rows = join.numbersBuild ? withNumbers(drain(ahead)) : drain(ahead);
  for await (const block of evenBlocks(rows, spill.sizes.block)) {
    spill.checkSignal();
    partitions.add(block);
  }
  spill.checkSignal();
  partitions.finish();
  return new LargeBuildSide(join, partitions);
}
