/**
 * Arrow types by name.
 *
 * @module
 */

import { DataType, DateUnit, type Field, TimeUnit } from "apache-arrow";
import { hasJsonMark, isUuid } from "../streams/extension_type.ts";
import { showControls } from "../streams/show_controls.ts";

/** Units of time, in short. */
export const unitNames: Readonly<Record<TimeUnit, string>> = {
  [TimeUnit.SECOND]: "s",
  [TimeUnit.MILLISECOND]: "ms",
  [TimeUnit.MICROSECOND]: "us",
  [TimeUnit.NANOSECOND]: "ns",
};

/** The type of a column by name: that of `typeName`, or `uuid`, or `utf8 (json)`. */
export function fieldTypeName(field: Field): string {
  if (isUuid(field)) return "uuid";
  return typeName(field.type) + (hasJsonMark(field) ? " (json)" : "");
}

/** A type as other Arrow libraries print it: `int64`, `timestamp[us, UTC]`, `list<utf8>`. */
export function typeName(type: DataType): string {
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? "date32" : "date64";
  if (DataType.isTimestamp(type)) {
    const zone = type.timezone ? `, ${showControls(type.timezone)}` : "";
    return `timestamp[${unitNames[type.unit]}${zone}]`;
  }
  if (DataType.isTime(type)) return `time${type.bitWidth}[${unitNames[type.unit]}]`;
  if (DataType.isDuration(type)) return `duration[${unitNames[type.unit]}]`;
  if (DataType.isDecimal(type)) return `decimal${type.bitWidth}(${type.precision}, ${type.scale})`;
  if (DataType.isFixedSizeBinary(type)) return `fixed_size_binary[${type.byteWidth}]`;
  if (DataType.isDictionary(type)) return `dictionary<${typeName(type.dictionary)}>`;
  if (DataType.isList(type)) return `list<${fieldTypeName(type.children[0]!)}>`;
  if (DataType.isLargeList(type)) return `large_list<${fieldTypeName(type.children[0]!)}>`;
  if (DataType.isFixedSizeList(type)) {
    return `fixed_size_list<${fieldTypeName(type.children[0]!)}, ${type.listSize}>`;
  }
  if (DataType.isStruct(type)) {
    return `struct<${
      type.children.map((field) => `${showControls(field.name)}: ${fieldTypeName(field)}`).join(
        ", ",
      )
    }>`;
  }
  return String(type).toLowerCase().replace("large", "large_").replace(/view$/, "_view");
}
