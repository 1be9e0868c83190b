import type { ColumnType, HostColumn } from "../../gpu/column/column.ts";
import { sliceColumn } from "../../gpu/column/slice.ts";
import { columnOfPlain, type Plain, randomValues, surrounded } from "./column_model.ts";
import type { SeededRandom } from "./seeded_random.ts";

/** A column of random values, cut out of a longer one, with none, some or many nulls. */
export function randomColumn(random: SeededRandom, type: ColumnType, length: number): HostColumn {
  return slicedColumn(random, type, randomValues(random, type, length, random.pick([0, 0.2, 0.9])));
}

/** A column of the values, cut out of a longer one: its offsets and bits begin anywhere. */
export function slicedColumn(
  random: SeededRandom,
  type: ColumnType,
  values: readonly Plain[],
): HostColumn {
  return surrounded(random, columnOfPlain(type, values), sliceColumn);
}
