/**
 * Inner joins on the host backend: ten million probe rows in batches of 65,536, four of five with a match, against
 * build sides of unique keys. The result has one column of the probe side and two of the build side (a number and
 * a text of 12 bytes). `find` is the lookup alone.
 */

import type { KeyType } from "../gpu/backend.ts";
import type { ColumnType, HostColumn } from "../gpu/column/column.ts";
import { gatherColumn } from "../gpu/column/gather.ts";
import { HostJoinTable } from "../gpu/host/join/join_table.ts";
import { probeTable } from "../gpu/host/join/probe.ts";

const NUM_ROWS = 10_000_000;
const BATCH_ROWS = 65_536;
/** The number of different batches, which are probed in turn. */
const NUM_BATCHES = 8;
const NUM_PROBES = Math.round(NUM_ROWS / BATCH_ROWS);
const MATCHING = 0.8;

/** Makes keys of numbers that are not negative. */
interface KeyMaker {
  readonly name: string;
  readonly keyType: KeyType;
  make(ids: Int32Array): HostColumn;
}

const KEYS: readonly KeyMaker[] = [
  {
    name: "int32",
    keyType: { kind: "int", bits: 32 },
    make: (ids) => fixed({ kind: "int", bits: 32, signed: true }, ids.map(scatter)),
  },
  {
    name: "dense int32",
    keyType: { kind: "int", bits: 32 },
    make: (ids) => fixed({ kind: "int", bits: 32, signed: true }, ids.slice()),
  },
  {
    name: "int64",
    keyType: { kind: "int", bits: 64 },
    make: (ids) => numbers(ids.map(scatter)),
  },
  {
    name: "12-byte string",
    keyType: { kind: "string" },
    make: (ids) => texts(ids.map(scatter)),
  },
];

const LIMITS = { rows: BATCH_ROWS, bytes: Infinity };

for (const numKeys of [10_000, 1_000_000]) {
  const payload = [numbers(sequence(numKeys)), texts(sequence(numKeys))];
  for (const { name, keyType, make } of KEYS) {
    const table = new HostJoinTable({
      key: make(sequence(numKeys)),
      keyType,
      payload,
      buildOnlyPayload: [],
      how: "inner",
      nullsEqual: false,
    });
    const batches = Array.from({ length: NUM_BATCHES }, () => {
      const ids = Int32Array.from(
        { length: BATCH_ROWS },
        () => Math.random() * numKeys / MATCHING,
      );
      return { key: make(ids), value: numbers(ids) };
    });
    const group = `10M x ${numKeys} ${name}`;
    Deno.bench(`${group}: find`, { group, n: 5, warmup: 2 }, () => {
      for (let probe = 0; probe < NUM_PROBES; probe++) {
        table.find(batches[probe % NUM_BATCHES]!.key);
      }
    });
    Deno.bench(`${group}: join`, { group, n: 5, warmup: 2 }, () => {
      for (let probe = 0; probe < NUM_PROBES; probe++) {
        const { key, value } = batches[probe % NUM_BATCHES]!;
        for (const { numRows } of probeTable(table, key, [value], LIMITS)) {
          if (numRows === 0) throw new Error("Nothing matched");
        }
      }
    });
  }
  const group = `gather 8M strings from ${numKeys}`;
  const selections = Array.from(
    { length: NUM_BATCHES },
    () => Int32Array.from({ length: BATCH_ROWS }, () => Math.random() * numKeys),
  );
  Deno.bench(group, { group, n: 5, warmup: 2 }, () => {
    for (let probe = 0; probe < 0.8 * NUM_PROBES; probe++) {
      gatherColumn(payload[1]!, selections[probe % NUM_BATCHES]!);
    }
  });
}

function sequence(length: number): Int32Array {
  return Int32Array.from({ length }, (_, row) => row);
}

/** Spreads numbers over all 32 bits, without collisions. */
function scatter(id: number): number {
  return Math.imul(id + 1, 0x2545f491);
}

function fixed(type: ColumnType, values: Int32Array | BigInt64Array): HostColumn {
  return {
    place: "host",
    type,
    length: values.length,
    nullCount: 0,
    validity: null,
    data: new Uint8Array(values.buffer as ArrayBuffer),
    offsets: null,
    children: [],
  };
}

function numbers(values: Int32Array): HostColumn {
  const wide = BigInt64Array.from(values, (value) => BigInt(value) * 1_000_003n);
  return fixed({ kind: "int", bits: 64, signed: true }, wide);
}

function texts(values: Int32Array): HostColumn {
  const data = new Uint8Array(12 * values.length);
  const encoder = new TextEncoder();
  values.forEach((value, row) => {
    encoder.encodeInto(`${value >>> 0}`.padStart(12, "key "), data.subarray(12 * row));
  });
  return {
    ...fixed({ kind: "string" }, new Int32Array(0)),
    length: values.length,
    data,
    offsets: Int32Array.from({ length: values.length + 1 }, (_, row) => 12 * row),
  };
}
