/** The WebGPU backend as its users see it: results, memory, batches in flight, the end. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { KeyType } from "../../../../gpu/backend.ts";
import type { JoinHow } from "../../../../gpu/join_kind.ts";
import { type Column, type HostColumn, releaseColumn } from "../../../../gpu/column/column.ts";
import { DeviceError } from "../../../../base/errors/device_error.ts";
import type { Program } from "../../../../gpu/kernel/tree/tree.ts";
import {
  createWebGpuBackend,
  type WebGpuBackend,
  type WebGpuOptions,
} from "../../../../gpu/webgpu/backend.ts";
import { describeAdapter } from "../../../../gpu/webgpu/describe_adapter.ts";
import { WebGpuJoinTable } from "../../../../gpu/webgpu/join/join_table.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { type Plain, plainOf } from "../../../support/models/column_model.ts";
import { anyDevice } from "../../../support/device/device_options.ts";
import { columnOf, stringColumn } from "../../../support/values/host_columns.ts";
import { column, concat, INT32, STRING } from "../../../support/kernels/trees.ts";
import { atMost, tableRequest } from "../../../support/joins/table_request.ts";
import { ownershipCases } from "../../../support/cases/ownership.ts";
import { onDevice } from "../../../support/cases/on_device.ts";

const KEY_32: KeyType = { kind: "int", bits: 32 };
const ROWS = Array.from({ length: 2_000 }, (_, row) => row);
const TEXTS = stringColumn(ROWS.map((row) => row % 7 === 0 ? null : `text ${row}`));
const NUMBERS = columnOf(INT32, ROWS);
const EVERY_THIRD = columnOf({ kind: "bool" }, ROWS.map((row) => row % 3 === 0));

/** `text + "!"`, and the text itself. */
const PROGRAM: Program = {
  inputs: [STRING, INT32],
  kernels: [{ label: 'text + "!"', tree: concat(column(0), "!"), type: STRING }],
  outputs: [2, 1, 0],
};

/** Opens a backend, and checks that it owns no memory at the end. */
async function withBackend(
  use: (backend: WebGpuBackend) => Promise<void>,
  options: Partial<WebGpuOptions> = {},
): Promise<void> {
  const backend = await createWebGpuBackend({ ...anyDevice, ...options });
  if (backend === null) throw new Error("There is no WebGPU adapter");
  try {
    await use(backend);
    assertEquals(backend.context.pool.inUseBuffers, 0, "buffers still in use");
  } finally {
    await backend.close();
  }
  assertEquals([backend.counters.liveBuffers, backend.counters.liveBytes], [0, 0]);
}

async function rowsOnHost(backend: WebGpuBackend, columns: readonly Column[]): Promise<Plain[][]> {
  const rows = (await backend.download(columns)).map(plainOf);
  columns.forEach(releaseColumn);
  return rows;
}

async function join(
  backend: WebGpuBackend,
  build: readonly [HostColumn, HostColumn],
  probe: readonly [HostColumn, HostColumn],
  how: JoinHow,
): Promise<{ rows: Plain[][]; onHost: boolean }> {
  const table = await backend.buildTable(tableRequest(build[0], KEY_32, [build[1]], how));
  const rows: Plain[][] = [[], []];
  const results = backend.probe(table, probe[0], [probe[1]], probe[0].length, atMost(700));
  for await (const { columns } of results) {
    (await rowsOnHost(backend, columns)).forEach((part, k) => rows[k]!.push(...part));
  }
  table.release();
  return { rows, onHost: !(table instanceof WebGpuJoinTable) };
}

ownershipCases(onDevice());

deviceTest("the adapter is described without opening it", async () => {
  const adapter = await describeAdapter();
  if (adapter === null) throw new Error("There is no WebGPU adapter");
  assert(adapter.name !== "");
  assert(adapter.limits.maxStorageBufferBindingSize >= 128 * 2 ** 20);
  await withBackend((backend) => {
    assert(backend.description.startsWith(adapter.name));
    assertEquals(backend.description.endsWith("a software adapter"), adapter.software);
    return Promise.resolve();
  });
});

deviceTest("evaluate() uploads only the columns that a kernel reads", async () => {
  await withBackend(async (backend) => {
    const { columns } = await backend.evaluate(PROGRAM, [TEXTS, NUMBERS], ROWS.length);
    assertEquals(backend.counters.uploads, 1);
    assert(columns[1] === NUMBERS);
    const [texts, numbers, same] = await rowsOnHost(backend, columns);
    const expected = plainOf(TEXTS);
    assertEquals(texts, expected.map((text) => text === null ? null : `${text}!`));
    assertEquals(numbers, plainOf(NUMBERS));
    assertEquals(same, expected);
  });
});

deviceTest("columns stay on the device from one operation to the next", async () => {
  await withBackend(async (backend) => {
    const { columns: [texts] } = await backend.evaluate(
      { ...PROGRAM, outputs: [2] },
      [TEXTS, NUMBERS],
      ROWS.length,
    );
    const { uploads } = backend.counters;
    const kept = await backend.filter([texts!], EVERY_THIRD, ROWS.length);
    assertEquals(backend.counters.uploads, uploads + 1, "only the mask travels");
    assertEquals(backend.counters.downloads, 0);
    const [rows] = await rowsOnHost(backend, kept.columns);
    releaseColumn(texts!);
    const expected = plainOf(TEXTS).map((text) => text === null ? null : `${text}!`);
    assertEquals(rows, expected.filter((_, row) => row % 3 === 0));
  });
});

deviceTest(
  "batches in flight under a tiny budget wait for each other and all come out",
  async () => {
    await withBackend(async (backend) => {
      const batches = await Promise.all(Array.from({ length: 8 }, async () => {
        const { columns: [texts] } = await backend.evaluate(
          { ...PROGRAM, outputs: [2] },
          [TEXTS, NUMBERS],
          ROWS.length,
        );
        const { columns } = await backend.filter([texts!], EVERY_THIRD, ROWS.length);
        releaseColumn(texts!);
        return await rowsOnHost(backend, columns);
      }));
      const expected = plainOf(TEXTS).map((text) => text === null ? null : `${text}!`)
        .filter((_, row) => row % 3 === 0);
      for (const [rows] of batches) assertEquals(rows, expected);
    }, { memoryBytes: 100_000 });
  },
);

deviceTest("a budget that fits only one of the batches bounds the memory of all", async () => {
  const work = async (backend: WebGpuBackend, batches: number) => {
    await Promise.all(Array.from({ length: batches }, async () => {
      const { columns } = await backend.evaluate(PROGRAM, [TEXTS, NUMBERS], ROWS.length);
      await rowsOnHost(backend, columns);
    }));
    return backend.context.pool.peakBytes;
  };
  let one = 0;
  await withBackend(async (backend) => void (one = await work(backend, 1)));
  await withBackend(async (backend) => {
    const peak = await work(backend, 8);
    assert(peak <= 2 * one, `${peak} bytes for 8 batches, ${one} for one`);
  }, { memoryBytes: one });
});

deviceTest("a join table that does not fit a binding is probed on the host", async () => {
  const build = [columnOf(INT32, ROWS), TEXTS] as const;
  const probe = [
    columnOf(INT32, [5, 7, null, 5_000]),
    stringColumn(["a", "b", "c", "d"]),
  ] as const;
  const expected = [["a", "b", "c", "d"], ["text 5", null, null, null]];
  await withBackend(async (backend) => {
    assertEquals(await join(backend, build, probe, "left"), { rows: expected, onHost: false });
  });
  await withBackend(async (backend) => {
    assertEquals(await join(backend, build, probe, "left"), { rows: expected, onHost: true });
  }, { windowBytes: 4_096 });
});

deviceTest(
  "a backend that is closed ends what runs, and what comes later, in a DeviceError",
  async () => {
    const backend = await createWebGpuBackend(anyDevice);
    if (backend === null) throw new Error("There is no WebGPU adapter");
    const table = await backend.buildTable(tableRequest(NUMBERS, KEY_32, [TEXTS]));
    const running = [
      backend.evaluate(PROGRAM, [TEXTS, NUMBERS], ROWS.length),
      backend.filter([TEXTS], EVERY_THIRD, ROWS.length),
      backend.probe(table, NUMBERS, [], ROWS.length, atMost(100)).next(),
    ];
    const outcome = Promise.allSettled(running);
    await backend.close();
    for (const result of await outcome) {
      assert(result.status === "rejected" && result.reason instanceof DeviceError);
    }
    await assertRejects(() => backend.download([]), DeviceError, "The device was closed");
    table.release();
    assertEquals(backend.counters.liveBuffers, 0);
  },
);
