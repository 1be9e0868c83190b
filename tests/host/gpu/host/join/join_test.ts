import { assert, assertEquals, assertThrows } from "@std/assert";
import { tableRequest } from "../../../../support/joins/table_request.ts";
import type { ColumnType, HostColumn } from "../../../../../gpu/column/column.ts";
import { FIRST_FACTORS } from "../../../../../gpu/host/table/hash_index.ts";
import { HostJoinTable } from "../../../../../gpu/host/join/join_table.ts";
import { columnOfPlain, plainOf } from "../../../../support/models/column_model.ts";
import { processorMs } from "../../../../support/processes/processor_time.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { joinCases } from "../../../../support/cases/joins.ts";
import {
  KEY_32,
  KEY_64,
  KEY_CASES,
  KEY_TEXT,
  keyColumn,
  randomKeys,
} from "../../../../support/cases/join_keys.ts";
import { onHost } from "../../../../support/cases/on_host.ts";

const STRING: ColumnType = { kind: "string" };
const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const INT64: ColumnType = { kind: "int", bits: 64, signed: true };

joinCases(onHost, { keys: KEY_CASES });

Deno.test("a table groups its rows only where a key has several", () =>
  forSeeds(20, (random) => {
    for (const { keyType, build, value } of KEY_CASES) {
      const pool = Array.from({ length: 1 + random.below(40) }, () => value(random));
      const key = keyColumn(random, build, randomKeys(random, pool));
      const known = plainOf(key).filter((plain) => plain !== null);
      assertEquals(tableOf(key, keyType, []).groups !== null, new Set(known).size < known.length);
    }
  }));

Deno.test("keys that were chosen to share a slot are joined in little time", () => {
  // The inverse of the factor turns a small number into a key whose hash starts with zeros.
  let inverse = 1;
  for (let round = 0; round < 5; round++) {
    inverse = Math.imul(inverse, 2 - Math.imul(FIRST_FACTORS[0], inverse));
  }
  const join = (factor: number) => {
    const keys = Array.from({ length: 50_000 }, (_, row) => BigInt(Math.imul(factor, row + 1)));
    const column = columnOfPlain(INT32, keys);
    const rows = Int32Array.from(keys, (_, row) => row);
    const started = processorMs();
    for (const keyType of [KEY_32, KEY_64]) {
      assertEquals(rowsOf(tableOf(column, keyType, []), column), rows);
    }
    return processorMs() - started;
  };
  const others = [1, 3, 5].map(join);
  // Chains through all keys would need 10^9 steps for each of the four passes: thousands of times
  // as long as other keys take, on however busy a machine.
  assert(join(inverse) < 200 * Math.max(...others));
});

Deno.test("texts that differ in bits that products keep are joined in little time", () => {
  // For each of some bits: the highest bit of one word, and what it would become in the next one.
  const numBits = 15;
  const join = (places: readonly number[]) => {
    const length = 2 ** numBits;
    const data = new Uint8Array(16 * numBits * length);
    for (let row = 0; row < length; row++) {
      for (let bit = 0; bit < numBits; bit++) {
        if (((row >> bit) & 1) === 0) continue;
        for (const place of places) data[16 * (row * numBits + bit) + place] = 0x80;
      }
    }
    const offsets = Int32Array.from({ length: length + 1 }, (_, row) => 16 * numBits * row);
    const key = { ...columnOfPlain(STRING, []), length, data, offsets };
    const started = processorMs();
    assertEquals(
      rowsOf(tableOf(key, KEY_TEXT, []), key),
      offsets.subarray(0, length).map((_, row) => row),
    );
    return processorMs() - started;
  };
  const others = [[6], [3, 11], [1, 9, 10]].map(join);
  // If all shared their hash, it would be half a billion comparisons for each of two passes.
  assert(join([7, 11, 15]) < 20 * Math.max(...others));
});

Deno.test("a key of the wrong type is refused", () => {
  const flags = columnOfPlain({ kind: "bool" }, [true]);
  const table = tableOf(columnOfPlain(STRING, ["a"]), KEY_TEXT, []);
  assertThrows(() => tableOf(flags, KEY_32, []), TypeError, "bool keys");
  assertThrows(() => tableOf(flags, KEY_TEXT, []), TypeError, "bool keys");
  assertThrows(
    () => tableOf(columnOfPlain(INT64, [1n]), KEY_32, []),
    TypeError,
    "64 bits",
  );
  assertThrows(() => table.find(flags), TypeError, "bool keys");
});

function tableOf(...request: Parameters<typeof tableRequest>): HostJoinTable {
  return new HostJoinTable(tableRequest(...request));
}

/** For each probe row the first row with its key, or -1. */
function rowsOf(table: HostJoinTable, key: HostColumn): Int32Array {
  return table.find(key).map((found) => found - 1);
}
