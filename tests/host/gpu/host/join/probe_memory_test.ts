import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import type { ColumnType, HostColumn } from "../../../../../gpu/column/column.ts";
import { createHostBackend } from "../../../../../gpu/host/backend.ts";
import { HostJoinTable } from "../../../../../gpu/host/join/join_table.ts";
import { newWork } from "../../../../../gpu/host/table/work.ts";
import { probeTable } from "../../../../../gpu/host/join/probe.ts";
import { JoinThreads } from "../../../../../gpu/host/join/join_threads.ts";
import { tableRequest } from "../../../../support/joins/table_request.ts";

const INT64: ColumnType = { kind: "int", bits: 64, signed: true };
const STRING: ColumnType = { kind: "string" };
const REST = { place: "host", nullCount: 0, validity: null, children: [] } as const;
const MEBIBYTE = 2 ** 20;

/** A column of the numbers of its rows. */
function numbers(length: number): HostColumn {
  const data = BigInt64Array.from({ length }, (_, row) => BigInt(row));
  return { ...REST, type: INT64, length, data: new Uint8Array(data.buffer), offsets: null };
}

/** Texts of one size that differ in their last byte. */
function texts(length: number, size: number): HostColumn {
  const data = new Uint8Array(length * size).fill(97);
  const offsets = Int32Array.from({ length: length + 1 }, (_, row) => row * size);
  for (let row = 0; row < length; row++) data[offsets[row + 1]! - 1] = row;
  return { ...REST, type: STRING, length, data, offsets };
}

/** A thread of its own, whose memory is looked at. */
function newThread() {
  const work = newWork();
  return { work, depth: 1, remove() {} };
}

Deno.test("columns that kernels do not take are not brought to their memory", () => {
  const thread = newThread();
  const key = numbers(20_000);
  const table = new HostJoinTable(tableRequest(key, { kind: "int", bits: 64 }, [key]), thread);
  const columns = Array.from({ length: 50 }, () => numbers(key.length));
  // The rows of these columns may have more bytes than a result.
  const results = [...probeTable(table, key, columns, { rows: 65_536, bytes: 2 * MEBIBYTE })];
  assertEquals(results.reduce((sum, { numRows }) => sum + numRows, 0), key.length);
  const { byteLength } = thread.work.memory.buffer;
  assert(byteLength < 4 * MEBIBYTE, `${byteLength} bytes for columns of 8 MB`);
});

Deno.test("keys of many bytes are looked up some at a time", () => {
  const thread = newThread();
  const key = texts(6, 24 * MEBIBYTE);
  const request = tableRequest(key, { kind: "string" }, [numbers(6)]);
  const table = new HostJoinTable(request, thread);
  const results = [...probeTable(table, key, [], { rows: 65_536, bytes: 64 * MEBIBYTE })];
  const rows = results.flatMap(({ columns: [column] }) =>
    Array.from(new BigInt64Array((column as HostColumn).data.buffer))
  );
  assertEquals(rows, [0n, 1n, 2n, 3n, 4n, 5n]);
  const { byteLength } = thread.work.memory.buffer;
  assert(byteLength < 136 * MEBIBYTE, `${byteLength} bytes for keys of 144 MiB`);
});

Deno.test("threads reserve no memory before the first table", async () => {
  const { Memory } = WebAssembly;
  let numMemories = 0;
  WebAssembly.Memory = class extends Memory {
    constructor(...options: ConstructorParameters<typeof Memory>) {
      super(...options);
      numMemories++;
    }
  };
  try {
    const threads = new JoinThreads({ threads: 1 });
    const backend = createHostBackend({ threads: 1 });
    assertEquals(numMemories, 0);
    assertStrictEquals(threads.work, threads.work);
    const key = numbers(1);
    (await backend.buildTable(tableRequest(key, { kind: "int", bits: 64 }, []))).release();
    // That of the threads, that of the backend, and that of the table.
    assertEquals(numMemories, 3);
    backend.close();
  } finally {
    WebAssembly.Memory = Memory;
  }
});
