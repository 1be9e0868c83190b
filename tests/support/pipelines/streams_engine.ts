/** A small engine for the tests of streams: a node is a function over batches. */

import type { RecordBatch, Schema } from "apache-arrow";
import { BatchStream } from "../../../streams/plan/batch_stream.ts";
import { Operator } from "../../../streams/plan/operator.ts";
import type { Plan, PlanEngine, PlanNode } from "../../../streams/plan/plan.ts";
import type { Source } from "../../../streams/plan/source.ts";
import { sourceBatches } from "./source_batches.ts";

/** A node of the test engine. */
interface MapNode extends PlanNode {
  readonly map: (batch: RecordBatch) => RecordBatch;
}

/** Runs plans and remembers them, so that a test can see what joined which plan. */
export class TestEngine implements PlanEngine {
  /** The names of the nodes of each plan that was run. */
  readonly ran: string[] = [];

  async *open(plan: Plan, signal: AbortSignal): AsyncGenerator<RecordBatch, void, void> {
    this.ran.push(plan.nodes.map(({ name }) => name).join(" "));
    for await (const batch of sourceBatches(plan.source, { signal })) {
      yield (plan.nodes as readonly MapNode[]).reduce((result, { map }) => map(result), batch);
    }
  }

  async schema(plan: Plan): Promise<Schema> {
    return (await plan.source.schema())!;
  }

  numRows(plan: Plan): Promise<number | undefined> {
    return plan.source.numRows();
  }

  explain(plan: Plan): Promise<string> {
    return Promise.resolve(plan.nodes.map(({ name }) => name).join(" "));
  }

  /** A stream over a source. */
  read(source: Source): BatchStream {
    return new BatchStream({ source, nodes: [], engine: this });
  }

  /** An operator; it joins any plan unless it is pinned. */
  operator(name: string, map: MapNode["map"] = (batch) => batch, pinned = false): Operator {
    const node: MapNode = { name, map };
    return new Operator(node, { engine: this, pinned });
  }
}

/** A stream that counts its pulls and notes why it was cancelled. */
export function countingStream(batches: readonly RecordBatch[]): {
  readonly stream: ReadableStream<RecordBatch>;
  readonly seen: { pulled: number; cancelled?: unknown };
} {
  const seen: { pulled: number; cancelled?: unknown } = { pulled: 0 };
  const stream = new ReadableStream<RecordBatch>({
    pull(controller) {
      const batch = batches[seen.pulled++];
      if (batch === undefined) controller.close();
      else controller.enqueue(batch);
    },
    cancel(reason) {
      seen.cancelled = reason;
    },
  }, { highWaterMark: 0 });
  return { stream, seen };
}
