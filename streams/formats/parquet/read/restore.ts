/**
 * Restores the meaning of columns that parquet-wasm decodes as something else (see `repair.ts`).
 *
 * @module
 */

import {
  type Data,
  DataType,
  Decimal,
  type Field,
  IntervalMonthDayNano,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Timestamp,
  TimeUnit,
} from "apache-arrow";
import { nestedType } from "../../../data/offset_type.ts";
import { asUuid, withJsonMark } from "../../../data/extension_type.ts";
import {
  int96Timestamps,
  intervalsOfBytes,
  type NameValue,
  valueNamer,
} from "../metadata/twelve_byte_values.ts";
import { isLeaf } from "../metadata/metadata.ts";
import type { LeafMeaning } from "../metadata/repair.ts";

/**
 * Returns the schema with the types that the leaves mean; the same object if no leaf has a meaning
 * of its own. `units` are the units of INT96 columns.
 */
export function restoredSchema(
  schema: Schema,
  leaves: readonly (LeafMeaning | undefined)[],
  units: ReadonlyMap<string, TimeUnit>,
): Schema {
  if (leaves.every((meaning) => meaning === undefined)) return schema;
  const unitOf = (column: string) => units.get(column) ?? TimeUnit.NANOSECOND;
  let leaf = 0;
  const restoredField = (field: Field, column: string): Field => {
    const { type } = field;
    if (!isLeaf(type)) {
      const children = type.children.map((child: Field) => restoredField(child, column));
      return field.clone({ type: nestedType(type, children) });
    }
    const meaning = leaves[leaf++];
    switch (meaning?.kind) {
      case "int96":
        return field.clone({ type: meaning.type ?? new Timestamp(unitOf(column)) });
      case "zone": {
        // Without a zone in the file it is local time, whatever the hint says.
        if (!DataType.isTimestamp(type) || !type.timezone) return field;
        return field.clone({ type: new Timestamp(type.unit, meaning.zone) });
      }
      case "interval":
        return field.clone({ type: new IntervalMonthDayNano() });
      case "decimal": {
        const { scale, bitWidth } = type as Decimal;
        return field.clone({ type: new Decimal(scale, meaning.precision, bitWidth) });
      }
      case "uuid":
        return asUuid(field);
      case "json":
        return withJsonMark(field);
      case undefined:
        return field;
    }
  };
  return new Schema(
    schema.fields.map((field) => restoredField(field, field.name)),
    schema.metadata,
  );
}

/**
 * Converts a batch to its `restoredSchema`. Throws a RangeError if a type cannot hold a value. The batch
 * begins at row `firstRow` of the file.
 */
export function restoredBatch(batch: RecordBatch, schema: Schema, firstRow: number): RecordBatch {
  if (batch.schema === schema) return batch;
  const children = batch.data.children.map((data, index) => {
    const { name, type } = schema.fields[index]!;
    return restored(data, type, valueNamer(name, firstRow));
  });
  const type = new Struct(schema.fields);
  const data = makeData({ type, length: batch.numRows, nullCount: 0, children });
  return new RecordBatch(schema, data, batch.metadata);
}

function restored(data: Data, type: DataType, nameOf: NameValue): Data {
  const own: DataType = data.type;
  if (DataType.isFixedSizeBinary(own)) {
    if (DataType.isTimestamp(type)) return int96Timestamps(data, type, nameOf);
    if (DataType.isInterval(type)) return intervalsOfBytes(data, type, nameOf);
  }
  const { offset, length, nullCount, buffers } = data;
  const children = isLeaf(own)
    ? data.children
    : data.children.map((child, i) => restored(child, type.children[i]!.type, () => nameOf()));
  return data.clone(type, offset, length, nullCount, buffers, children);
}
