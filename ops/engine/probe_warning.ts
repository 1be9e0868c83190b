/** @module */

import type { ProbeEstimate } from "../../streams/rows/chunk_lengths.ts";

/** What a user should know before the headers of many batches are read. */
export function probeWarning(source: string, estimate: ProbeEstimate): string {
  const { chunks, bytes, elapsedMs, isStream = false } = estimate;
  const headers = `${chunks.toLocaleString("en")} batch headers`;
  const cost = `${printBytes(bytes)}, about ${Math.max(1, Math.round(elapsedMs / 1000))} s`;
  const why = isStream
    ? "since an Arrow stream does not count its rows; written as an Arrow file by Sluice, it would"
    : "since its footer does not count rows; written again by Sluice, it would";
  return `${source}: about ${headers} are read first (${cost}), ${why}`;
}

function printBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
