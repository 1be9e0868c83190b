import { assertEquals, assertThrows } from "@std/assert";
import { presentRows, readTimes } from "../../../../../gpu/order/as_of/read_times.ts";
import type { ColumnType, HostColumn } from "../../../../../gpu/column/column.ts";
import { sliceColumn } from "../../../../../gpu/column/slice.ts";
import { bareColumnOf } from "../../../../support/values/host_columns.ts";
import { surround } from "../../../../support/values/surround.ts";

type NumberType = ColumnType & { kind: "int" | "float" };

/** Every value, or null below those that are not valid. */
function columnOf(
  type: NumberType,
  array: ArrayLike<number | bigint>,
  valid: readonly boolean[],
): HostColumn {
  return bareColumnOf(type, valid.map((isValid, row) => isValid ? array[row]! : null));
}

const int = (bits: 8 | 16 | 32 | 64, signed: boolean) => ({ kind: "int", bits, signed }) as const;
const float = (bits: 16 | 32 | 64) => ({ kind: "float", bits }) as const;

const samples: readonly (readonly [NumberType, ArrayLike<number | bigint>])[] = [
  [int(8, true), Int8Array.of(-128, 0, -1, 127)],
  [int(8, false), Uint8Array.of(0, 1, 128, 255)],
  [int(16, true), Int16Array.of(-(2 ** 15), -1, 5, 2 ** 15 - 1)],
  [int(16, false), Uint16Array.of(0, 2 ** 15, 5, 2 ** 16 - 1)],
  [int(32, true), Int32Array.of(-(2 ** 31), -1, 5, 2 ** 31 - 1)],
  [int(32, false), Uint32Array.of(0, 2 ** 31, 5, 2 ** 32 - 1)],
  [int(64, true), BigInt64Array.of(-(2n ** 63n), -1n, 2n ** 53n + 1n, 2n ** 63n - 1n)],
  [int(64, false), BigUint64Array.of(0n, 2n ** 63n, 2n ** 53n + 1n, 2n ** 64n - 1n)],
  [float(16), Float16Array.of(-65504, NaN, 0.5, Infinity)],
  [float(32), Float32Array.of(-Infinity, NaN, 0.1, 3.4e38)],
  [float(64), Float64Array.of(-1.7e308, NaN, 0.1, Infinity)],
];

Deno.test("columns of every numeric type keep every value as times, without their nulls", () => {
  for (const [type, array] of samples) {
    const column = columnOf(type, array, [true, true, false, true]);
    const { length } = array;
    for (const form of ["float", "wide"] as const) {
      if ((form === "wide") === (type.kind === "float")) continue;
      if (form === "float" && type.bits === 64 && type.kind === "int") continue;
      const expect = (rows: readonly number[]) =>
        rows.map((row) => form === "wide" ? BigInt(array[row]!) : array[row]!);
      for (let place = 0; place < 16; place++) {
        const around = surround(column, { place });
        const rows = presentRows(around);
        assertEquals(rows, Int32Array.of(0, 1, 3));
        const times = readTimes(around, form, rows);
        assertEquals(valuesOf(times), expect([0, 1, 3]), `${type.kind}${type.bits} as ${form}`);
        const sliced = sliceColumn(surround(columnOf(type, array, [true, true, true, true])), 1, 4);
        assertEquals(presentRows(sliced), null);
        assertEquals(valuesOf(readTimes(sliced, form, null)), expect([1, 2, 3]));
      }
      assertEquals(readTimes(sliceColumn(column, length, length), form, null).length, 0);
    }
  }
});

Deno.test("floats have no wide form, and 64-bit integers no other", () => {
  const [wide, single] = [samples[6]!, samples[9]!];
  const column = ([type, array]: typeof wide) => columnOf(type, array, [true, true, true, true]);
  assertThrows(() => readTimes(column(wide), "float", null), TypeError, "int64");
  assertThrows(() => readTimes(column(single), "wide", null), TypeError, "float32");
});

function valuesOf(times: ReturnType<typeof readTimes>): (number | bigint)[] {
  return Array.from({ length: times.length }, (_, row) => times.value(row));
}
