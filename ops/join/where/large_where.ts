/**
 * Joins by a condition whose build side exceeds memory.
 *
 * The stream also goes to a file, with the numbers of its rows, and is read again for each chunk of the
 * build side that fits into memory. The results of a chunk are a run, sorted by those numbers. Merging the
 * runs puts the matches of a row in an earlier chunk first, as in the build side.
 *
 * @module
 */

import { Schema } from "apache-arrow";
import { nullColumn, releaseColumn } from "../../../gpu/column/column.ts";
import { columnTypeIn } from "../../batch/arrow_types.ts";
import type { Batch } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import { outputBatches } from "../shared/output.ts";
import { batchOfRows, hostRowsOf } from "../../spill/batch_rows.ts";
import { evenBlocks } from "../../spill/blocks.ts";
import { gatherRows, type HostRows } from "../../spill/host_rows.ts";
import { numbersOf, withNumbers } from "../../spill/row_numbers.ts";
import { probeRun, restoreOrder, type RunRows } from "../shared/restore_order.ts";
import type { RowFile } from "../../spill/row_file.ts";
import { RowSet } from "../../spill/row_set.ts";
import type { Spill } from "../../spill/spill.ts";
import type { BoundWhere } from "./bound.ts";
import { buildChunks } from "./build_chunks.ts";
import { type Built, builtOf, matches, openFilters } from "./built.ts";
import { evaluateRows } from "./evaluate_rows.ts";
import { pairRanges, takenOnHost, takePairs } from "./taken_columns.ts";

/** A build side in a file. It can be joined once. */
export class LargeWhere {
  /** The join over the columns of the stream's file, without unmatched rows. */
  readonly #join: BoundWhere;
  /** The places of those columns in the stream. */
  readonly #places: readonly number[];
  readonly #keepsAll: boolean;
  readonly #build: RowFile;
  readonly #probe: RowFile;
  readonly #stage: StageContext;
  readonly #spill: Spill;

  /** `build` is the finished file of the build side. */
  constructor(join: BoundWhere, build: RowFile, spill: Spill, stage: StageContext) {
    this.#spill = spill;
    this.#places = placesRead(join);
    this.#join = onPlaces(join, this.#places, spill.limits);
    this.#keepsAll = join.keepsAll;
    this.#build = build;
    this.#probe = spill.newFile();
    this.#stage = stage;
  }

  /** Yields the batches of the join, in the order of the stream. */
  joined(input: AsyncIterable<Batch>): AsyncGenerator<Batch, void, void> {
    const { columns } = this.#join;
    const results = this.#results(input);
    // Rows without columns are only counted.
    const rows = columns.outputs.length === 0 ? results : restoreOrder(this.#spill, results);
    return outputBatches(columns, rows, this.#stage.backend);
  }

  /** Yields a run for each chunk, and one for the unmatched rows if they come out too. */
  async *#results(input: AsyncIterable<Batch>): AsyncGenerator<RunRows, void, void> {
    await this.#writeProbe(input);
    const matched = new RowSet(this.#keepsAll ? this.#probe.numRows : 0);
    let run = 0;
    for await (
      const { rows, firstRow } of buildChunks(
        this.#join.plan,
        this.#build.rows(),
        this.#spill.sizes.rows,
      )
    ) {
      this.#spill.checkSignal();
      const built = await builtOf(this.#join, rows, firstRow, this.#stage);
      for await (const probed of evenBlocks(this.#probe.rows(), this.#spill.sizes.block)) {
        for await (const result of this.#joinBlock(built, probed, run)) {
          if (this.#keepsAll) matched.add(result.numbers);
          yield result;
        }
        this.#spill.checkSignal();
      }
      run++;
    }
    if (this.#keepsAll) yield* this.#unmatchedRows(matched, run);
  }

  /** Writes the columns of the stream to its file, with the numbers of the rows. */
  async #writeProbe(input: AsyncIterable<Batch>): Promise<void> {
    for await (const rows of withNumbers(hostRowsOf(input, this.#places, this.#stage.backend))) {
      this.#spill.checkSignal();
      this.#probe.add(rows);
    }
    this.#spill.checkSignal();
    this.#probe.finish();
  }

  /** Yields the rows of the stream's file that match a chunk, in their order. */
  async *#joinBlock(
    built: Built,
    { columns, numRows }: HostRows,
    run: number,
  ): AsyncGenerator<RunRows & { readonly numbers: Float64Array }, void, void> {
    const { left, plan, columns: { probed } } = this.#join;
    const { backend } = this.#stage;
    const numbers = numbersOf(columns.at(-1)!);
    const batch = batchOfRows(left, { columns: columns.slice(0, -1), numRows });
    const firstRow = numbers[0]!;
    try {
      const values = await evaluateRows(this.#stage, plan.left.compiled, batch, firstRow);
      const bounds = built.table.boundsOf(values, numRows);
      const taken = takenOnHost(probed.map((place) => columns[place]!));
      const filters = await openFilters(this.#join, built, batch, firstRow, this.#stage);
      for await (const pairs of matches(this.#join, built, bounds, filters, this.#stage)) {
        for (const range of pairRanges(pairs, taken, built.payload, this.#spill.limits)) {
          const rows = await takePairs(pairs, range, taken, built.payload, backend);
          const onHost = await backend.download(rows);
          rows.forEach(releaseColumn);
          const probeRows = pairs.probeRows.subarray(range.start, range.stop);
          yield {
            side: "probe",
            run,
            columns: onHost,
            numRows: probeRows.length,
            numbers: Float64Array.from(probeRows, (row) => numbers[row]!),
          };
        }
      }
    } finally {
      batch.release();
    }
  }

  /** Yields the rows of the stream that match no chunk, with nulls for the build side. */
  async *#unmatchedRows(matched: RowSet, run: number): AsyncGenerator<RunRows, void, void> {
    const { columns: { probed }, payload, request } = this.#join;
    const types = payload.map((place) => columnTypeIn(request.columns.fields[place]!));
    for await (const rows of evenBlocks(this.#probe.rows(), this.#spill.sizes.block)) {
      this.#spill.checkSignal();
      const unmatched = matched.placesWithout(numbersOf(rows.columns.at(-1)!));
      if (unmatched.length === 0) continue;
      const { columns, numRows } = gatherRows(rows, unmatched);
      const taken = [...probed.map((place) => columns[place]!), columns.at(-1)!];
      yield probeRun(run, taken, types.map((type) => nullColumn(type, numRows)));
    }
  }
}

/** Returns the places of the columns of the stream that come out or that a condition reads. */
function placesRead({ plan, columns, pairs }: BoundWhere): number[] {
  const asked = pairs.flatMap(({ condition }) => condition.probed);
  return [...new Set([...columns.probed, ...plan.left.compiled.inputs, ...asked])];
}

/** Returns the join for a stream with only the columns at some places, without unmatched rows. */
function onPlaces(
  join: BoundWhere,
  places: readonly number[],
  limits: BoundWhere["limits"],
): BoundWhere {
  const { left, plan, columns, pairs } = join;
  const { compiled } = plan.left;
  const among = (read: readonly number[]) => read.map((place) => places.indexOf(place));
  return {
    ...join,
    left: new Schema(places.map((place) => left.fields[place]!)),
    plan: {
      ...plan,
      left: { ...plan.left, compiled: { ...compiled, inputs: among(compiled.inputs) } },
    },
    columns: { ...columns, probed: among(columns.probed) },
    pairs: pairs.map(({ condition, payload }) => ({
      condition: { ...condition, probed: among(condition.probed), limits },
      payload,
    })),
    keepsAll: false,
    limits,
  };
}
