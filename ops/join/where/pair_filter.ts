/**
 * Filters pairs by conditions that only both rows together can decide.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { ResultLimits } from "../../../gpu/backend.ts";
import { selectTrue } from "../../../gpu/column/filter.ts";
import { type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import { Batch } from "../../batch/batch.ts";
import { BatchColumn } from "../../batch/batch_column.ts";
import type { StageContext } from "../../engine/node.ts";
import { RowError } from "../../../base/errors/step_error.ts";
import type { CompiledExprs } from "../../expr/compile_exprs.ts";
import { evaluateExprs } from "../../rows/evaluate_exprs.ts";
import { firstPairs, type PairList } from "./candidate_pairs.ts";
import { pairRanges, type TakenColumns, takenColumns, takePairs } from "./taken_columns.ts";

/** A condition on pairs. */
export interface PairCondition {
  /** The condition over the columns of `schema`: those of the stream, then those of the build side. */
  readonly compiled: CompiledExprs;
  readonly schema: Schema;
  /** The places of the inputs in batches of the stream. */
  readonly probed: readonly number[];
  readonly limits: ResultLimits;
}

/** The numbers of a row of each side. */
interface PairOfRows {
  readonly probe: number;
  readonly build: number;
}

/** Returns an error for a row of the build side; a `RowError` would name a row of the stream. */
export function buildRowError(message: string, row: number, cause: unknown): Error {
  return new Error(`build side: ${message} (row ${row})`, { cause });
}

/** Keeps the pairs of one probe batch for which a condition is true. */
export class PairFilter {
  readonly #condition: PairCondition;
  readonly #probed: TakenColumns;
  readonly #payload: TakenColumns;
  readonly #firstRows: PairOfRows;
  readonly #context: StageContext;

  private constructor(
    condition: PairCondition,
    probed: TakenColumns,
    payload: TakenColumns,
    firstRows: PairOfRows,
    context: StageContext,
  ) {
    this.#condition = condition;
    this.#probed = probed;
    this.#payload = payload;
    this.#firstRows = firstRows;
    this.#context = context;
  }

  /**
   * Opens a filter for the pairs of a batch, which it borrows until the last pair. Errors name the row of
   * the stream, or that of the build side if the condition reads it alone.
   */
  static async open(
    condition: PairCondition,
    batch: Batch,
    payload: TakenColumns,
    firstRows: PairOfRows,
    context: StageContext,
  ): Promise<PairFilter> {
    const columns = condition.probed.map((place) => batch.columns[place]!.column);
    const probed = await takenColumns(columns, context.backend);
    return new PairFilter(condition, probed, payload, firstRows, context);
  }

  /** Returns the pairs for which the condition is true, in the arrays of the list. */
  async keep(list: PairList): Promise<PairList> {
    const { probeRows, buildRows, numDone } = list;
    let count = 0;
    for (
      const { start, stop } of pairRanges(
        list,
        this.#probed,
        this.#payload,
        this.#condition.limits,
      )
    ) {
      for (let at = start; at < stop;) {
        const mask = await this.#evaluate(list, at, stop);
        for (const kept of selectTrue(mask)) {
          probeRows[count] = probeRows[at + kept]!;
          buildRows[count++] = buildRows[at + kept]!;
        }
        at += mask.length;
      }
    }
    return { ...firstPairs(list, count), numDone };
  }

  /** Returns an error that names the rows of a pair that the condition reads. */
  #errorOfPair(error: Error, { probe, build }: PairOfRows): Error {
    const { schema, probed } = this.#condition;
    if (schema.fields.length === probed.length) return new RowError(probe, error);
    if (probed.length === 0) return buildRowError(error.message, build, error);
    const message = `${error.message}, beside row ${build} of the build side`;
    return new RowError(probe, new Error(message, { cause: error }));
  }

  /** Evaluates the condition for the first pairs, as many as one result can hold. */
  async #evaluate(list: PairList, start: number, stop: number): Promise<HostColumn> {
    const { compiled, schema } = this.#condition;
    const { backend } = this.#context;
    const inputs = await takePairs(list, { start, stop }, this.#probed, this.#payload, backend);
    const columns = schema.fields.map(({ type }, at) => BatchColumn.fromColumn(type, inputs[at]!));
    const pairs = new Batch(schema, stop - start, columns);
    try {
      const { columns } = await evaluateExprs(this.#context, compiled, pairs);
      const [mask] = await backend.download(columns);
      columns.forEach(releaseColumn);
      return mask!;
    } catch (error) {
      const { row } = error as { row?: unknown };
      if (typeof row !== "number") throw error;
      throw this.#errorOfPair(error as Error, {
        probe: this.#firstRows.probe + list.probeRows[start + row]!,
        build: this.#firstRows.build + list.buildRows[start + row]!,
      });
    } finally {
      pairs.release();
    }
  }
}
