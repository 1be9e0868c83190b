import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import type { KeyType } from "../../../../../gpu/backend.ts";
import type { ColumnType, HostColumn } from "../../../../../gpu/column/column.ts";
import { createHostBackend } from "../../../../../gpu/host/backend.ts";
import { HostJoinTable } from "../../../../../gpu/host/join/join_table.ts";
import { newWork, type Work } from "../../../../../gpu/host/table/work.ts";
import { probeTable } from "../../../../../gpu/host/join/probe.ts";
import { JoinThreads } from "../../../../../gpu/host/join/join_threads.ts";
import { columnOf, stringColumn } from "../../../../support/values/host_columns.ts";
import { tableRequest } from "../../../../support/joins/table_request.ts";

const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
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

/** The bytes behind an area that kernels may write, and those behind these that they may not. */
const [SLACK, GUARD] = [64, 65_536];

/** A memory whose areas are exactly as large as was asked; throws for bytes that were written behind one. */
function guardedWork(): Work & { check(): void } {
  const work = newWork();
  const areas = new Map<string, { readonly at: number; readonly numBytes: number }>();
  const guardOf = ({ at, numBytes }: { at: number; numBytes: number }) =>
    work.bytes(at + numBytes + SLACK, GUARD);
  const check = (name: string) => {
    const area = areas.get(name)!;
    const place = guardOf(area).findIndex((byte) => byte !== 0xa5);
    if (place >= 0) throw new Error(`${name} of ${area.numBytes} bytes: ${place} behind the slack`);
  };
  return {
    ...work,
    area(name, numBytes) {
      if (areas.has(name)) check(name);
      const area = { at: work.area(name, numBytes + SLACK + GUARD), numBytes };
      areas.set(name, area);
      guardOf(area).fill(0xa5);
      return area.at;
    },
    sizeOf: (name) => areas.get(name)!.numBytes,
    check: () => [...areas.keys()].forEach(check),
  };
}

/** Keys of every kind of index: dense and scattered numbers, pairs of words, short and long texts. */
const KEYS: Readonly<Record<string, { keyType: KeyType; column: (rows: number[]) => HostColumn }>> =
  {
    "dense numbers": {
      keyType: { kind: "int", bits: 32 },
      column: (rows) => columnOf(INT32, rows),
    },
    "scattered numbers": {
      keyType: { kind: "int", bits: 32 },
      column: (rows) => columnOf(INT32, rows.map((row) => Math.imul(row, 0x9e3779b1))),
    },
    "scattered numbers of 64 bits": {
      keyType: { kind: "int", bits: 64 },
      column: (rows) => columnOf(INT64, rows.map((row) => BigInt(row) * 0x9e3779b97f4a7n)),
    },
    "numbers of 64 bits that fit 32": {
      keyType: { kind: "int", bits: 64 },
      column: (rows) => columnOf(INT64, rows.map((row) => BigInt(Math.imul(row, 0x9e3779b1)))),
    },
    "short texts": {
      keyType: { kind: "string" },
      column: (rows) => stringColumn(rows.map(String)),
    },
    "long texts": {
      keyType: { kind: "string" },
      column: (rows) => stringColumn(rows.map((row) => `${row} `.repeat(row % 40))),
    },
  };

for (const [name, { keyType, column }] of Object.entries(KEYS)) {
  Deno.test(`probing writes no further than its areas: ${name}`, () => {
    const numKeys = 3_000;
    const work = guardedWork();
    const key = column(Array.from({ length: numKeys }, (_, row) => row));
    const payload = [
      stringColumn(Array.from({ length: numKeys }, (_, row) => "x".repeat(row % 90))),
    ];
    for (const how of ["inner", "left", "semi", "anti"] as const) {
      const table = new HostJoinTable(tableRequest(key, keyType, payload, how), {
        work,
        depth: 1,
        remove() {},
      });
      for (const numRows of [1, 1_000, 4_100]) {
        const probe = column(Array.from({ length: numRows }, (_, row) => 7 * row % 5_000));
        for (const _ of probeTable(table, probe, [probe], { rows: 2_000, bytes: 1 << 16 }));
        work.check();
      }
    }
  });
}

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
