/**
 * Chooses the unit of timestamps for INT96 columns.
 *
 * @module
 */

import { TimeUnit } from "apache-arrow";
import { selectFields } from "../../../types/select_columns.ts";
import { GroupReader } from "./group_reader.ts";
import { isBeyondNanoseconds } from "../metadata/twelve_byte_values.ts";
import { leavesOf, textOf } from "../metadata/metadata.ts";
import type { OpenParquet } from "./open.ts";

/** Keys that Spark adds to the metadata of its files. */
const sparkKeys = ["org.apache.spark.version", "org.apache.spark.sql.parquet.row.metadata"];

/**
 * Returns the units of INT96 columns. Nanoseconds in 64 bits reach from 1677 to 2262. A column
 * beyond that range gets microseconds, as do all columns in files of Spark. In other files, each
 * wanted column is read once to find its range.
 */
export async function int96Units(
  parquet: OpenParquet,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, TimeUnit>> {
  const { metadata, leaves, units } = parquet.head;
  const isSpark = metadata.keyValues?.some(({ key }) => sparkKeys.includes(textOf(key))) ?? false;
  for (const [index, { column }] of leavesOf(metadata).entries()) {
    const meaning = leaves[index];
    const isOpen = meaning?.kind === "int96" && meaning.type === undefined;
    if (!isOpen || !wanted.has(column) || units.has(column)) continue;
    const isLong = isSpark || await reachesFar(parquet, column);
    units.set(column, isLong ? TimeUnit.MICROSECOND : TimeUnit.NANOSECOND);
  }
  return units;
}

async function reachesFar(parquet: OpenParquet, column: string): Promise<boolean> {
  const schema = selectFields(parquet.decodedSchema, [column]);
  const reader = new GroupReader(parquet, {
    decodedSchema: schema,
    schema,
    isSelection: true,
  });
  for (const [group, { numRows }] of parquet.groups.entries()) {
    const all = { start: 0, step: 1, count: numRows! };
    for await (const { batch } of await reader.rows(group, [all])) {
      if (isBeyondNanoseconds(batch.data.children[0]!)) return true;
    }
  }
  return false;
}
