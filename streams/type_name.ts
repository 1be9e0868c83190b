/**
 * Arrow types by name.
 *
 * @module
 */

import { DataType, DateUnit, type Field, TimeUnit } from "apache-arrow";
import { hasJsonMark, isUuid } from "./extension_type.ts";
import { isBinary, isText } from "./plain_schema.ts";
import { showControls } from "./show_controls.ts";

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

/**
 * `exact`: as the type is stored. `plain`: as expressions see it, where text is `string`, however it is
 * stored, and so are binary and lists one type each.
 */
type TypeForm = "exact" | "plain";

/** A type as other Arrow libraries print it: `int64`, `timestamp[us, UTC]`, `list<utf8>`. */
export function typeName(type: DataType, form: TypeForm = "exact"): string {
  const isPlain = form === "plain";
  const item = () => {
    const child = type.children[0] as Field;
    return isPlain ? typeName(child.type, form) : fieldTypeName(child);
  };
  if (isPlain && isText(type)) return "string";
  if (isPlain && isBinary(type)) return "binary";
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? "date32" : "date64";
  if (DataType.isTimestamp(type)) {
    const zone = type.timezone ? `, ${showControls(type.timezone)}` : "";
    return `timestamp[${unitNames[type.unit]}${zone}]`;
  }
  if (DataType.isTime(type)) return `time${type.bitWidth}[${unitNames[type.unit]}]`;
  if (DataType.isDuration(type)) return `duration[${unitNames[type.unit]}]`;
  if (DataType.isDecimal(type)) return `decimal${type.bitWidth}(${type.precision}, ${type.scale})`;
  if (DataType.isFixedSizeBinary(type)) return `fixed_size_binary[${type.byteWidth}]`;
  if (DataType.isDictionary(type)) return `dictionary<${typeName(type.dictionary, form)}>`;
  if (DataType.isList(type) || (isPlain && DataType.isLargeList(type))) return `list<${item()}>`;
  if (DataType.isLargeList(type)) return `large_list<${item()}>`;
  if (DataType.isFixedSizeList(type)) return `fixed_size_list<${item()}, ${type.listSize}>`;
  if (DataType.isStruct(type)) {
    const fields = type.children.map((field) =>
      `${showControls(field.name)}: ${isPlain ? typeName(field.type, form) : fieldTypeName(field)}`
    );
    return `struct<${fields.join(", ")}>`;
  }
  if (DataType.isMap(type)) {
    const [key, value] = (type.children[0] as Field).type.children as readonly Field[];
    return `map<${typeName(key!.type, form)}, ${typeName(value!.type, form)}>`;
  }
  return String(type).toLowerCase().replace("large", "large_").replace(/view$/, "_view");
}
