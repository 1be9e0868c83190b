/**
 * Writes or reads an Arrow file with a column of more than 2^31 bytes of text, in a process of its
 * own so that the memory it takes can be told: `large_ipc.ts write PATH FORMAT COMPRESSION`,
 * `large_ipc.ts read PATH`, `large_ipc.ts polars PATH FORMAT`. Prints a Report as JSON.
 */

import { type Data, Field, Int32, LargeUtf8, makeData, type RecordBatch } from "apache-arrow";
import { readIpc, writeIpc } from "./ipc.ts";
import { batchOfColumns } from "../values/arrow_columns.ts";
import { loadPeer } from "../judges/peers.ts";
import { sourceBatches } from "../pipelines/source_batches.ts";

/** What one run took. */
export interface Report {
  readonly seconds: number;
  /** The most memory that the process had at one time. */
  readonly peakMebibytes: number;
}

/** Rows of the batch, bytes of each, and of all: 2.3 GB. */
const largeRows = 2_300_000;
const rowBytes = 1000;
export const largeBytes: number = largeRows * rowBytes;

/** Words of 64 bytes that differ from each other, so that no byte in a wrong place goes unseen. */
function wordAt(index: number): number {
  return (Math.imul(index >> 4, 0x9e3779b1) & 0x3f3f3f3f) | 0x40404040;
}

/** A batch of a column of integers and one of 2.3 GB of text. */
function largeBatch(): RecordBatch {
  const words = new Uint32Array(largeBytes / 4);
  for (let i = 0; i < words.length; i++) words[i] = wordAt(i);
  const offsets = new BigInt64Array(largeRows + 1);
  for (let row = 0; row <= largeRows; row++) offsets[row] = BigInt(row * rowBytes);
  const ids = Int32Array.from({ length: largeRows }, (_, row) => row);
  return batchOfColumns(
    [new Field("id", new Int32(), true), new Field("text", new LargeUtf8(), true)],
    [
      makeData({ type: new Int32(), length: largeRows, data: ids }),
      makeData({
        type: new LargeUtf8(),
        length: largeRows,
        valueOffsets: offsets,
        data: new Uint8Array(words.buffer),
      }),
    ],
  );
}

/** Throws where a batch is not the large one. */
function checkLarge(batch: RecordBatch): void {
  const [ids, text] = batch.data.children as [Data, Data];
  const bytes = text.values as Uint8Array;
  if (batch.numRows !== largeRows || bytes.length !== largeBytes) {
    throw new Error(`${batch.numRows} rows of ${bytes.length} bytes`);
  }
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, largeBytes / 4);
  for (let i = 0; i < words.length; i++) {
    if (words[i] !== wordAt(i)) throw new Error(`the text differs at byte ${4 * i}`);
  }
  for (let row = 0; row < largeRows; row++) {
    const isRight = ids.values[row] === row && Number(text.valueOffsets[row + 1]) ===
        (row + 1) * rowBytes;
    if (!isRight) throw new Error(`row ${row} differs`);
  }
}

/** Throws where Polars reads other rows, of which some at the ends and around byte 2^31 are seen. */
async function checkWithPolars(path: string, format: "file" | "stream"): Promise<void> {
  const { default: polars } = await loadPeer("polars");
  const table = format === "file" ? polars.readIPC(path) : polars.readIPCStream(path);
  if (table.height !== largeRows) throw new Error(`${table.height} rows`);
  for (const start of [0, Math.floor(2 ** 31 / rowBytes) - 1, largeRows - 3]) {
    for (const [i, { id, text }] of table.slice(start, 3).toRecords().entries()) {
      const row = start + i;
      const words = Uint32Array.from(
        { length: rowBytes / 4 },
        (_, word) => wordAt(row * rowBytes / 4 + word),
      );
      const expected = new TextDecoder().decode(words);
      if (id !== row || text !== expected) throw new Error(`row ${row} differs`);
    }
  }
}

function peakMebibytes(): number {
  const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))!;
  return Math.round(Number(kibibytes) / 1024);
}

if (import.meta.main) {
  const [mode, path, format, compression] = Deno.args as [string, string, "file", "none"];
  const batch = mode === "write" ? largeBatch() : undefined;
  const start = performance.now();
  if (batch !== undefined) {
    const sink = writeIpc(path, { format, compression, offsets: "large" });
    await ReadableStream.from([batch]).pipeTo(sink);
  } else if (mode === "read") {
    const batches: RecordBatch[] = [];
    for await (const read of sourceBatches(readIpc(path))) batches.push(read);
    if (batches.length !== 1) throw new Error(`${batches.length} batches`);
    checkLarge(batches[0]!);
  } else {
    await checkWithPolars(path, format);
  }
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  console.log(JSON.stringify({ seconds, peakMebibytes: peakMebibytes() } satisfies Report));
}
