/** The batches of a source without their places. */

import type { RecordBatch } from "apache-arrow";
import type { OpenOptions, Source } from "../../../streams/plan/source.ts";

/** Reads all rows of a source. */
export async function* sourceBatches(
  source: Pick<Source, "rows">,
  options: OpenOptions = {},
): AsyncGenerator<RecordBatch, void, void> {
  for await (const { batch } of source.rows(undefined, options)) yield batch;
}
