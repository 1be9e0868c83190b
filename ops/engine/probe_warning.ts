/**
 * The warning that counting the rows of a file takes long.
 *
 * @module
 */

import { formatCount, sizeText } from "../../base/quantities.ts";
import type { ProbeEstimate } from "../../streams/rows/chunk_lengths.ts";

/** Returns the warning before Sluice reads the headers of many batches. */
export function probeWarning(source: string, estimate: ProbeEstimate): string {
  const { chunks, bytes, elapsedMs, isStream = false } = estimate;
  const headers = `${formatCount(chunks)} batch headers`;
  const cost = `${sizeText(bytes)}, about ${Math.max(1, Math.round(elapsedMs / 1000))} s`;
  const why = isStream
    ? "since an Arrow stream does not count its rows; written as an Arrow file by Sluice, it would"
    : "since its footer does not count rows; written again by Sluice, it would";
  return `${source}: about ${headers} are read first (${cost}), ${why}`;
}
