/** Streams that record the calls of a pipeline. */

import type { RecordBatch, Table } from "apache-arrow";
import { numRowsOf } from "../../../streams/rows/row_run.ts";
import type { Source } from "../../../streams/plan/source.ts";
import { memorySource } from "../../../streams/source/memory.ts";
import type { StageContext } from "../../../ops/engine/node.ts";
import { defaultOffsetRule } from "../../../ops/batch/offset_rule.ts";
import { rowsOf, wordsBatch } from "../values/streams_samples.ts";

/** Batches of `rows` rows each, with ids that count up. */
export function numberedBatches(count: number, rows = 1): RecordBatch[] {
  return Array.from(
    { length: count },
    (_, i) => wordsBatch(Array.from({ length: rows }, (_, row) => `w${i * rows + row}`), i * rows),
  );
}

/** The ids in batches. */
export function idsOf(batches: Iterable<RecordBatch> | Table): unknown[] {
  const list = "batches" in batches ? batches.batches : batches;
  return rowsOf(list).map(({ id }) => id);
}

/** The events of a stream. */
interface Seen {
  pulled: number;
  cancelled: boolean;
  reason: unknown;
}

/** A foreign stream of batches without end, or of those given, that notes what happens to it. */
export function watchedStream(
  next: (index: number) => RecordBatch | undefined,
): { readonly stream: ReadableStream<RecordBatch>; readonly seen: Seen } {
  const seen: Seen = { pulled: 0, cancelled: false, reason: undefined };
  const stream = new ReadableStream<RecordBatch>({
    pull(controller) {
      const batch = next(seen.pulled++);
      if (batch === undefined) controller.close();
      else controller.enqueue(batch);
    },
    cancel(reason) {
      seen.cancelled = true;
      seen.reason = reason;
    },
  }, { highWaterMark: 0 });
  return { stream, seen };
}

/** A stream that never yields, and notes when it is cancelled. */
export function silentStream(): {
  readonly stream: ReadableStream<RecordBatch>;
  readonly seen: Seen;
} {
  const seen: Seen = { pulled: 0, cancelled: false, reason: undefined };
  const stream = new ReadableStream<RecordBatch>({
    cancel(reason) {
      seen.cancelled = true;
      seen.reason = reason;
    },
  }, { highWaterMark: 0 });
  return { stream, seen };
}

/** A source over batches that can seek, and notes the columns and rows that it yielded. */
export function watchedSource(batches: readonly RecordBatch[]): {
  readonly source: Source;
  readonly given: { columns: readonly string[] | undefined; ids: number; batches: number };
} {
  const given = { columns: undefined as readonly string[] | undefined, ids: 0, batches: 0 };
  const inner = memorySource(batches);
  const source: Source = {
    name: "watched",
    bytesRead: 0,
    schema: () => inner.schema(),
    canSeek: () => inner.canSeek(),
    numRows: () => inner.numRows(),
    async *rows(request, options) {
      given.columns = options?.columns;
      for await (const rows of inner.rows(request, options)) {
        given.ids += rows.runs === undefined ? rows.batch.numRows : numRowsOf(rows.runs);
        given.batches++;
        yield rows;
      }
    },
  };
  return { source, given };
}

/** Runs a test that must leave no promise rejected without a handler. */
export async function withoutUnhandled(test: () => Promise<void>): Promise<void> {
  const unhandled: unknown[] = [];
  const note = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    unhandled.push(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", note);
  try {
    await test();
    await new Promise((resolve) => setTimeout(resolve, 5));
  } finally {
    globalThis.removeEventListener("unhandledrejection", note);
  }
  if (unhandled.length > 0) throw new Error(`Nobody handled ${unhandled}`, { cause: unhandled[0] });
}

/** A context for a stage that a test runs alone. */
export function stageContext(
  parts: Pick<StageContext, "backend"> & Partial<StageContext>,
): StageContext {
  return {
    memory: Infinity,
    offsets: defaultOffsetRule,
    signal: new AbortController().signal,
    ...parts,
  };
}
