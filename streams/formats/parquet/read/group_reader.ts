/**
 * Reads rows of the row groups of a Parquet file by one of three strategies: few rows are extracted
 * from their pages, rows in file order are decoded as they come, and rows in any other order are
 * buffered, one window of the group at a time.
 *
 * @module
 */

import type { ByteRange } from "../../../bytes/byte_store.ts";
import type { SourceRows } from "../../../plan/source.ts";
import type { ChunkRows } from "../../../rows/locate_rows.ts";
import { numRowsOf, type RowRun } from "../../../rows/row_run.ts";
import { excerptRows, isExcerpt } from "./excerpt_rows.ts";
import { type DecodedRows, type Group, GroupDecoder, type WantedColumns } from "./group_decoder.ts";
import { ForwardRuns, isForward, rangesOf, splitRuns, windowsOf } from "./group_plan.ts";
import { checkPages, groupShape } from "./group_shape.ts";
import { columnOf, startOf } from "../metadata/metadata.ts";
import type { OpenParquet } from "./open.ts";

/** Reads columns of a file, group by group. */
export class GroupReader {
  readonly #parquet: OpenParquet;
  readonly #decoder: GroupDecoder;

  constructor(parquet: OpenParquet, wanted: WantedColumns) {
    this.#parquet = parquet;
    this.#decoder = new GroupDecoder(parquet, wanted);
  }

  /**
   * Reads the rows of runs of a row group, in the order of the runs. The group begins at row
   * `first` of the file. The caller must read one group to its end before the next.
   */
  async rows(
    index: number,
    runs: readonly RowRun[],
    first = 0,
  ): Promise<Iterable<SourceRows> | AsyncIterable<SourceRows>> {
    const { groups, input, head, kept } = this.#parquet;
    const { columns } = this.#decoder;
    kept.clear();
    await checkPages(input, groups[index]!, columns);
    const shape = groupShape(head.metadata, groups[index]!, columns);
    const group = { index, shape, first };
    if (isExcerpt(this.#parquet, columns, group, runs)) {
      const excerpt = await excerptRows(this.#parquet, this.#decoder, group, runs);
      if (excerpt !== undefined) return excerpt;
    }
    await this.#decoder.learnSize(group, rangesOf(runs, shape.numRows));
    return isForward(runs)
      ? forwardRows(this.#decoder, group, runs)
      : bufferedRows(this.#decoder, group, runs);
  }

  /**
   * Returns the byte ranges that reading runs of a group will need; none if only its page index
   * tells them.
   */
  pagesOf({ chunk: index, runs }: Pick<ChunkRows, "chunk" | "runs">): ByteRange[] {
    const { columns = [], numRows = 0 } = this.#parquet.groups[index]!;
    if (this.#parquet.hasIndex(index) && numRowsOf(runs) < numRows) return [];
    return columns.filter((chunk) => this.#decoder.columns.has(columnOf(chunk))).map((chunk) => {
      const start = startOf(chunk);
      return { start, stop: start + (chunk.metadata!.compressedBytes ?? 0) };
    });
  }
}

/** Yields rows in file order, as they are decoded. */
async function* forwardRows(
  decoder: GroupDecoder,
  group: Group,
  runs: readonly RowRun[],
): AsyncGenerator<SourceRows, void, void> {
  const wanted = new ForwardRuns(runs);
  const pick = (start: number, stop: number) => wanted.take(start, stop);
  for (const range of rangesOf(runs, group.shape.numRows)) {
    for await (const { start, batch, runs } of decoder.decode(group, range, pick)) {
      const firstRow = group.first + start;
      yield numRowsOf(runs) === batch.numRows ? { batch, firstRow } : { batch, runs, firstRow };
    }
  }
}

/**
 * Yields rows in any order. Decodes each window of the group when the runs come to it, and buffers
 * it until they leave it.
 */
async function* bufferedRows(
  decoder: GroupDecoder,
  group: Group,
  runs: readonly RowRun[],
): AsyncGenerator<SourceRows, void, void> {
  const { numRows } = group.shape;
  for (const window of windowsOf(runs, numRows, decoder.bufferedRows(group))) {
    const buffered: DecodedRows[] = [];
    for (const range of rangesOf(window, numRows)) {
      const pick = (start: number, stop: number) => {
        const from = Math.max(0, range.start - start);
        return from < stop - start ? [{ start: from, step: 1, count: stop - start - from }] : [];
      };
      for await (const rows of decoder.decode(group, range, pick)) buffered.push(rows);
    }
    for (const { chunk, runs: own } of splitRuns(window, buffered.map(({ start }) => start))) {
      const { start, batch } = buffered[chunk]!;
      yield { batch, runs: own, firstRow: group.first + start };
    }
  }
}
