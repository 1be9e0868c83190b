/**
 * The names of Arrow types.
 *
 * @module
 */

import { timeUnitNames } from "../../base/time_text.ts";
import { DataType, DateUnit, type Field } from "apache-arrow";
import { showControls } from "../../base/show_controls.ts";

/**
 * `exact`: as the type is stored. `plain`: as expressions see it, where text is `string`, however it is
 * stored, and so are binary and lists one type each.
 */
type TypeForm = "exact" | "plain";

/**
 * Returns a type as other Arrow libraries print it: `int64`, `timestamp[us, UTC]`, `list<utf8>`. `nameOf` names
 * the columns in it.
 */
export function typeName(
  type: DataType,
  form: TypeForm = "exact",
  nameOf: (child: Field) => string = (child) => typeName(child.type, form),
): string {
  const isPlain = form === "plain";
  const item = () => nameOf(type.children[0] as Field);
  if (isPlain && isText(type)) return "string";
  if (isPlain && isBinary(type)) return "binary";
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? "date32" : "date64";
  if (DataType.isTimestamp(type)) {
    const zone = type.timezone ? `, ${showControls(type.timezone)}` : "";
    return `timestamp[${timeUnitNames[type.unit]}${zone}]`;
  }
  if (DataType.isTime(type)) return `time${type.bitWidth}[${timeUnitNames[type.unit]}]`;
  if (DataType.isDuration(type)) return `duration[${timeUnitNames[type.unit]}]`;
  if (DataType.isDecimal(type)) return `decimal${type.bitWidth}(${type.precision}, ${type.scale})`;
  if (DataType.isFixedSizeBinary(type)) return `fixed_size_binary[${type.byteWidth}]`;
  if (DataType.isDictionary(type)) return `dictionary<${typeName(type.dictionary, form)}>`;
  if (DataType.isList(type) || (isPlain && DataType.isLargeList(type))) return `list<${item()}>`;
  if (DataType.isLargeList(type)) return `large_list<${item()}>`;
  if (DataType.isFixedSizeList(type)) return `fixed_size_list<${item()}, ${type.listSize}>`;
  if (DataType.isStruct(type)) {
    const fields = type.children.map((field) => `${showControls(field.name)}: ${nameOf(field)}`);
    return `struct<${fields.join(", ")}>`;
  }
  if (DataType.isMap(type)) {
    const [key, value] = (type.children[0] as Field).type.children as readonly Field[];
    return `map<${typeName(key!.type, form)}, ${typeName(value!.type, form)}>`;
  }
  return String(type).toLowerCase().replace("large", "large_").replace(/view$/, "_view");
}

function isText(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
}

function isBinary(type: DataType): boolean {
  return DataType.isBinary(type) || DataType.isLargeBinary(type) || DataType.isBinaryView(type);
}
