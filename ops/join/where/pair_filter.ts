/** @module */

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

/** The numbers of a row of each side. */
interface PairOfRows {
  readonly probe: number;
  readonly build: number;
}

/** An error of a row of the build side: a row of a `RowError` would count as one of the stream. */
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
   * A filter for the pairs of a batch, which is borrowed until the last of them, and of the build
   * side's inputs. Errors name the row of the stream, or of the build side if it alone is asked.
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

  /** An error that names the rows of a pair, as far as they were asked. */
  #errorOfPair(error: Error, { probe, build }: PairOfRows): Error {
    const { schema, probed } = this.#condition;
    if (schema.fields.length === probed.length) return new RowError(probe, error);
    if (probed.length === 0) return buildRowError(error.message, build, error);
    const message = `${error.message}, beside row ${build} of the build side`;
    return new RowError(probe, new Error(message, { cause: error }));
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
      throw this.#errorOfPair(error as Error, {
        probe: this.#firstRows.probe + piece.probeRows[start + row]!,
        build: this.#firstRows.build + piece.buildRows[start + row]!,
      });
    } finally {
      pairs.release();
    }
  }
}
