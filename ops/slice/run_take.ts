/**
 * Rows in an order of their own, of a stream of unknown length.
 *
 * @module
 */

import { knownLengths } from "../../streams/rows/chunk_lengths.ts";
import { locateRows } from "../../streams/rows/locate_rows.ts";
import { isEmptyPick, type RowPick } from "../../streams/rows/row_request.ts";
import type { Batch } from "../batch/batch.ts";
import type { StageContext } from "../engine/node.ts";

/** Takes over the batches of the input, and holds them on the host until the end. */
export async function* takeRows(
  pick: RowPick,
  input: AsyncIterable<Batch>,
  { backend, onHold }: StageContext,
): AsyncGenerator<Batch, void, void> {
  const held: Batch[] = [];
  let numBytes = 0;
  try {
    if (isEmptyPick(pick)) return;
    for await (const batch of input) {
      held.push(batch);
      onHold?.(numBytes += batch.numBytes);
      await batch.toHost(backend);
    }
    const lengths = knownLengths(held.map(({ numRows }) => numRows));
    for await (const { chunk, runs } of locateRows([pick], lengths)) {
      yield await held[chunk]!.rows(backend, runs);
    }
  } finally {
    for (const batch of held) batch.release();
  }
}
