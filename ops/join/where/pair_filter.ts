/** @module */

import type { Schema } from "apache-arrow";
import type { ResultLimits } from "../../../gpu/backend.ts";
import { selectTrue } from "../../../gpu/column/filter.ts";
import { type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import { Batch } from "../../batch/batch.ts";
import { BatchColumn } from "../../batch/batch_column.ts";
import type { StageContext } from "../../engine/node.ts";
import { RowError } from "../../engine/step_error.ts";
import type { CompiledExprs } from "../../expr/compile_exprs.ts";
import { evaluateExprs } from "../../rows/evaluate_exprs.ts";
import { firstPairs, type PairPiece } from "./candidate_pairs.ts";
import { pairParts, type TakenColumns, takenColumns, takePairs } from "./taken_columns.ts";

/** What the condition of pairs reads. */
export interface PairCondition {
  /** Its inputs are the columns of `schema`: those of the stream, then those of the build side. */
  readonly compiled: CompiledExprs;
  readonly schema: Schema;
  /** Places of the inputs in batches of the stream. */
  readonly probed: readonly number[];
  readonly limits: ResultLimits;
}

/** Keeps the pairs of one probe batch for which a condition is true. */
export class PairFilter {
  readonly #condition: PairCondition;
  readonly #probed: TakenColumns;
  readonly #payload: TakenColumns;
  readonly #firstRow: number;
  readonly #context: StageContext;

  private constructor(
    condition: PairCondition,
    probed: TakenColumns,
    payload: TakenColumns,
    firstRow: number,
    context: StageContext,
  ) {
    this.#condition = condition;
    this.#probed = probed;
    this.#payload = payload;
    this.#firstRow = firstRow;
    this.#context = context;
  }

  /**
   * A filter for the pairs of a batch, which is borrowed until the last of them, and of the build
   * side's inputs. Errors name the row of the stream, of which `firstRow` is the batch's first.
   */
  static async open(
    condition: PairCondition,
    batch: Batch,
    payload: TakenColumns,
    firstRow: number,
    context: StageContext,
  ): Promise<PairFilter> {
    const columns = condition.probed.map((place) => batch.columns[place]!.column);
    const probed = await takenColumns(columns, context.backend);
    return new PairFilter(condition, probed, payload, firstRow, context);
  }

  /** The pairs of a piece that meet the condition, in the piece's own arrays. */
  async keep(piece: PairPiece): Promise<PairPiece> {
    const { probeRows, buildRows, numDone } = piece;
    let count = 0;
    for (
      const { start, stop } of pairParts(
        piece,
        this.#probed,
        this.#payload,
        this.#condition.limits,
      )
    ) {
      for (let at = start; at < stop;) {
        const mask = await this.#evaluate(piece, at, stop);
        for (const kept of selectTrue(mask)) {
          probeRows[count] = probeRows[at + kept]!;
          buildRows[count++] = buildRows[at + kept]!;
        }
        at += mask.length;
      }
    }
    return { ...firstPairs(piece, count), numDone };
  }

  /** Whether the first of some pairs meet the condition: as many as there is room for. */
  async #evaluate(piece: PairPiece, start: number, stop: number): Promise<HostColumn> {
    const { compiled, schema } = this.#condition;
    const { backend } = this.#context;
    const inputs = await takePairs(piece, { start, stop }, this.#probed, this.#payload, backend);
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
      throw new RowError(this.#firstRow + piece.probeRows[start + row]!, error);
    } finally {
      pairs.release();
    }
  }
}
