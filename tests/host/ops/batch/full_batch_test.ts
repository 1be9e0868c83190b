import { assertEquals, assertRejects } from "@std/assert";
import { Field, Schema, Utf8 } from "apache-arrow";
import { expr } from "../../../../mod.ts";
import type { Backend } from "../../../../gpu/backend.ts";
import type { HostColumn } from "../../../../gpu/column/column.ts";
import { createHostBackend } from "../../../../gpu/host/backend.ts";
import { evaluateOnHost } from "../../../../gpu/host/evaluate.ts";
import { HostKernels } from "../../../../gpu/host/host_kernels.ts";
import { Batch } from "../../../../ops/batch/batch.ts";
import { BatchColumn } from "../../../../ops/batch/batch_column.ts";
import { filterKind } from "../../../../ops/rows/filter.ts";
import { nodeOf, type OperatorNode } from "../../../../ops/engine/node.ts";
import { RowError } from "../../../../base/errors/step_error.ts";
import { withColumnsNode } from "../../../../ops/rows/with_columns.ts";
import { stringColumn, valuesOf } from "../../../support/values/host_columns.ts";
import { stageContext } from "../../../support/pipelines/pipeline_streams.ts";

const schema = new Schema([new Field("name", new Utf8(), true)]);
const words = ["12", "345", null, "6", "", "789", "10", "11", "x", "13"];

/** A batch whose text has wide offsets, so that it is computed in windows of 4 bytes. */
function wideBatch(values: readonly (string | null)[]): Batch {
  const narrow = stringColumn(values);
  const column = { ...narrow, offsets: Float64Array.from(narrow.offsets!) };
  return new Batch(schema, values.length, [BatchColumn.fromColumn(new Utf8(), column)]);
}

/** A host whose batches are full early, and the rows of the batches that it was given. */
function smallBackend(maxResultBytes: number): { backend: Backend; evaluated: number[] } {
  const evaluated: number[] = [];
  const cache = new HostKernels();
  const evaluate: Backend["evaluate"] = async (program, inputs, numRows) => {
    await Promise.resolve();
    evaluated.push(numRows);
    const limits = { windowBytes: 4, maxResultBytes };
    return evaluateOnHost(program, inputs as HostColumn[], numRows, cache, limits);
  };
  const backend = Object.create(createHostBackend(), { evaluate: { value: evaluate } });
  return { backend, evaluated };
}

async function run(
  { kind, spec }: OperatorNode,
  backend: Backend,
  values: readonly (string | null)[],
) {
  const input = async function* () {
    await Promise.resolve();
    yield wideBatch(values);
  };
  const results: unknown[][][] = [];
  const stage = (await kind.check(spec, schema, { fuse: true })).compile();
  for await (const batch of stage.run(input(), stageContext({ backend }))) {
    results.push(batch.columns.map(({ column }) => valuesOf(column as HostColumn)));
    batch.release();
  }
  return results;
}

Deno.test("rows that fit into a batch are computed once where the batch is full", async () => {
  const { backend, evaluated } = smallBackend(50);
  const node = withColumnsNode(new Map([["twice", expr("name + name")], ["same", expr("name")]]));
  const results = await run(node, backend, words);
  const all = [0, 1, 2].map((column) => results.flatMap((columns) => columns[column]!));
  assertEquals(all, [words, words.map((word) => word && word + word), words]);
  // Each batch begins where the one before it was full.
  const sizes = results.map(([names]) => names!.length);
  assertEquals(evaluated, sizes.map((_, at) => sizes.slice(at).reduce((sum, size) => sum + size)));
  assertEquals(sizes.length > 2, true);
});

Deno.test("a filter and a strict call hold for rows that were computed already", async () => {
  const longer = nodeOf(filterKind, expr('(name + name).contains("1")'));
  const kept = (await run(longer, smallBackend(1).backend, words)).flatMap(([names]) => names);
  assertEquals(kept, words.filter((word) => word?.includes("1")));

  const strict = withColumnsNode(new Map([["n", expr("name.toInteger({ strict: true })")]]));
  for (const [maxBytes, at] of [[1, 0], [1, 7], [30, 7], [60, 2]] as const) {
    const values = words.map((word, row) =>
      row === at ? "bad" : word === "" || word === "x" ? "7" : word
    );
    const { backend } = smallBackend(maxBytes);
    const error = await assertRejects(() => run(strict, backend, values), RowError, '"bad"');
    assertEquals(error.row, at);
    const good = values.with(at, "1");
    const numbers = (await run(strict, backend, good)).flatMap(([, n]) => n);
    assertEquals(numbers.map(String), good.map((word) => word === null ? "null" : word));
  }
});
