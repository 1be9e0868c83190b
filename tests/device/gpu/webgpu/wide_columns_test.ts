/**
 * Columns whose text has offsets of 64 bits on a device: windows near 2^31 and 2^32, many windows
 * in every operation, and rows that no window holds. The same rows with small offsets on the host
 * judge.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { DataType, Field, Int32, Schema, Utf8 } from "apache-arrow";
import type { Backend } from "../../../../gpu/backend.ts";
import type { JoinHow } from "../../../../gpu/join_kind.ts";
import { type Column, type HostColumn, releaseColumn } from "../../../../gpu/column/column.ts";
import { createHostBackend } from "../../../../gpu/host/backend.ts";
import { createWebGpuBackend, type WebGpuBackend } from "../../../../gpu/webgpu/backend.ts";
import { WebGpuColumn } from "../../../../gpu/webgpu/memory/device_column.ts";
import {
  createEngine,
  type Engine,
  expr,
  filter,
  fromBatches,
  join as joinOperator,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { compileExprs } from "../../../../ops/expr/compile_exprs.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { type Plain, plainOf } from "../../../support/models/column_model.ts";
import { anyDevice } from "../../../support/device/device_options.ts";
import { columnOf, stringColumn, textAround } from "../../../support/values/host_columns.ts";
import { batchOf } from "../../../support/values/streams_samples.ts";
import { BOOL, INT32 } from "../../../support/kernels/trees.ts";
import { atMost, tableRequest } from "../../../support/joins/table_request.ts";
import { someOf } from "../../../support/random/test_size.ts";

const NUM_ROWS = 400;
const WINDOW_BYTES = 1000;
const TEXTS = Array.from({ length: NUM_ROWS }, (_, row) => {
  if (row % 11 === 3) return null;
  const words = ["fox", "straße", "hen and egg", "", "漢字", "a 😀 b"];
  return `${words[row % 6]} ${"fox, ".repeat(row % 5)}${row % 40}`;
});
const KEYS = TEXTS.map((text, row) => text && `${text.slice(0, 3)}${row % 7}`);
const PLACES = [2 ** 31, 2 ** 32];

async function withBackend(use: (backend: WebGpuBackend) => Promise<void>): Promise<void> {
  const backend = await createWebGpuBackend({ ...anyDevice, windowBytes: WINDOW_BYTES });
  if (backend === null) throw new Error("There is no WebGPU adapter");
  try {
    await use(backend);
    assertEquals(backend.context.pool.inUseBuffers, 0, "buffers still in use");
  } finally {
    await backend.close();
  }
}

async function rowsOf(backend: Backend, columns: readonly Column[]): Promise<Plain[][]> {
  const rows = (await backend.download(columns)).map(plainOf);
  columns.forEach(releaseColumn);
  return rows;
}

function compile(sources: readonly string[]) {
  const schema = new Schema([new Field("text", new Utf8()), new Field("n", new Int32())]);
  const bound = sources.map((source) => bindExpr(expr(source), schema));
  return compileExprs(bound, { fuse: true, names: schema.names as string[] });
}

/** The values of expressions over `text` and `n`; `check` sees the columns before they come down. */
async function evaluate(
  backend: Backend,
  sources: readonly string[],
  text: HostColumn,
  check: (columns: readonly Column[]) => void = () => {},
): Promise<Plain[][]> {
  const { program, inputs } = compile(sources);
  const n = columnOf(INT32, Array.from({ length: text.length }, (_, row) => row % 4));
  const { columns } = await backend.evaluate(
    program,
    inputs.map((at) => [text, n][at]!),
    text.length,
  );
  check(columns);
  return await rowsOf(backend, columns);
}

async function join(
  backend: Backend,
  build: readonly HostColumn[],
  probe: readonly HostColumn[],
  how: JoinHow,
): Promise<Plain[][]> {
  const [buildKey, ...payload] = build;
  const [probeKey] = probe;
  const table = await backend.buildTable(
    tableRequest(buildKey!, { kind: "string" }, payload, how),
  );
  const rows: Plain[][] = [...probe, ...payload].map(() => []);
  try {
    const results = backend.probe(table, probeKey!, probe, probeKey!.length, atMost(500));
    for await (const { columns } of results) {
      (await rowsOf(backend, columns)).forEach((part, k) => rows[k]!.push(...part));
    }
  } finally {
    table.release();
  }
  return rows;
}

const EXPRESSIONS = [
  "text.upper()",
  "text.slice(1, -1)",
  'text.contains("fox")',
  'text + "!"',
  'text.replace("fox", "hen")',
  'text.splitPart(" ", 1)',
  "text.repeat(n)",
  "text.length() + n",
];

deviceTest("text around 2^31 and 2^32 goes through kernels window by window", async () => {
  const expected = await evaluate(createHostBackend(), EXPRESSIONS, stringColumn(TEXTS));
  await withBackend(async (backend) => {
    for (const place of someOf(PLACES, 1)) {
      const text = textAround(place, TEXTS);
      const rows = await evaluate(backend, EXPRESSIONS, text, (columns) => {
        for (const column of columns.slice(0, 5)) {
          assert(column instanceof WebGpuColumn && column.windows.length > 1);
        }
      });
      assertEquals(rows, expected, `at ${place}`);
    }
  });
});

deviceTest("text around 2^31 and 2^32 is filtered window by window", async () => {
  const mask = columnOf(BOOL, TEXTS.map((_, row) => row % 5 === 1 ? null : row % 3 > 0));
  const host = createHostBackend();
  const narrow = await host.filter([stringColumn(TEXTS)], mask, NUM_ROWS);
  const expected = await rowsOf(host, narrow.columns);
  await withBackend(async (backend) => {
    for (const place of someOf(PLACES, 1)) {
      const kept = await backend.filter([textAround(place, TEXTS)], mask, NUM_ROWS);
      assert(kept.columns[0] instanceof WebGpuColumn);
      assertEquals(kept.numRows, narrow.numRows);
      assertEquals(await rowsOf(backend, kept.columns), expected, `at ${place}`);
    }
  });
});

deviceTest("text around 2^31 and 2^32 is key, payload and passenger of joins", async () => {
  const buildKeys = KEYS.slice(0, 60);
  const payload = TEXTS.slice(0, 60);
  await withBackend(async (backend) => {
    for (const how of ["inner", "left"] as const) {
      const expected = await join(
        createHostBackend(),
        [stringColumn(buildKeys), stringColumn(payload)],
        [stringColumn(KEYS), stringColumn(TEXTS)],
        how,
      );
      for (const place of someOf(PLACES, 1)) {
        const around = (texts: readonly (string | null)[]) => textAround(place, texts);
        const build = [around(buildKeys), around(payload)];
        const rows = await join(backend, build, [around(KEYS), around(TEXTS)], how);
        assertEquals(rows, expected, `${how} at ${place}`);
      }
    }
  });
});

deviceTest("rows that are longer than a window have the same results, on the host", async () => {
  const long = "a fox, long as no window ".repeat(60);
  assert(long.length > WINDOW_BYTES);
  const texts = TEXTS.with(7, long).with(100, `${long}!`).with(101, long);
  const mask = columnOf(BOOL, texts.map((_, row) => row % 3 === 1));
  const host = createHostBackend();
  await withBackend(async (backend) => {
    assert(backend.maxTextBytes < WINDOW_BYTES);
    for (const text of someOf([stringColumn(texts), textAround(2 ** 32, texts)], 1)) {
      assertEquals(
        await evaluate(backend, EXPRESSIONS, text),
        await evaluate(host, EXPRESSIONS, stringColumn(texts)),
      );
      const kept = await backend.filter([text], mask, NUM_ROWS);
      const expected = await host.filter([stringColumn(texts)], mask, NUM_ROWS);
      assertEquals(await rowsOf(backend, kept.columns), await rowsOf(host, expected.columns));
      for (const how of ["inner", "left"] as const) {
        // Long keys on either side, on both, and as what travels with a key.
        for (const build of [texts.slice(90, 130), TEXTS.slice(90, 130)]) {
          for (const probe of [text, stringColumn(TEXTS)]) {
            const built = [stringColumn(build), stringColumn(texts.slice(0, 40))];
            assertEquals(
              await join(backend, built, [probe, text], how),
              await join(host, built, [probe, text], how),
            );
          }
        }
      }
    }
  });
});

deviceTest(
  "what comes down is as wide as the rule wants, and explain tells of long rows",
  async () => {
    const people = batchOf({
      id: [new Int32(), [1, 2, 3]],
      name: [new Utf8(), ["Ada", "Alan", "Grace"]],
    });
    const pipeline = (engine: Engine) =>
      fromBatches(people, { engine })
        .pipeThrough(withColumns({ loud: expr("name.upper()"), both: expr('name + " " + name') }))
        .pipeThrough(filter(expr('!loud.contains("X")')))
        .pipeThrough(joinOperator(fromBatches(people, { engine }), { on: "id" }));
    const engine = createEngine({ device: "gpu", threshold: 13 });
    const narrow = createEngine({ device: "gpu", threshold: 1000 });
    try {
      const [wide, table] = [await toTable(pipeline(engine)), await toTable(pipeline(narrow))];
      assertEquals(
        wide.schema.fields.map(({ type }) => DataType.isLargeUtf8(type)),
        [false, false, false, true, false],
      );
      assert(table.schema.fields.every(({ type }) => !DataType.isLargeUtf8(type)));
      assertEquals(wide.toArray().map(String), table.toArray().map(String));
      const { maxTextBytes } = await engine.describe();
      assertMatch(
        await pipeline(engine).explain(),
        /\nmay run on the host: batches in which a column has or gets a text of more than [\d,]+ bytes\n/,
      );
      assert(maxTextBytes > 0 && maxTextBytes < 2 ** 31);
    } finally {
      await engine.close();
      await narrow.close();
    }
  },
);
