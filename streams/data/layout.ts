/**
 * The physical layouts of Arrow types.
 *
 * @module
 */

import { DataType, Type } from "apache-arrow";
import { typeName } from "../types/type_name.ts";

/**
 * A layout of the Arrow columnar format: the buffers and children that a column has besides its
 * validity.
 */
export type Layout =
  | "null"
  | "bits"
  | "values"
  | "bytes32"
  | "bytes64"
  | "view"
  | "list32"
  | "list64"
  | "fixed_list"
  | "struct"
  | "sparse_union"
  | "dense_union"
  | "dictionary";

export function layoutOf(type: DataType): Layout {
  switch (type.typeId as Type) {
    case Type.Null:
      return "null";
    case Type.Bool:
      return "bits";
    case Type.Utf8:
    case Type.Binary:
      return "bytes32";
    case Type.LargeUtf8:
    case Type.LargeBinary:
      return "bytes64";
    case Type.Utf8View:
    case Type.BinaryView:
      return "view";
    case Type.List:
    case Type.Map:
      return "list32";
    case Type.LargeList:
      return "list64";
    case Type.FixedSizeList:
      return "fixed_list";
    case Type.Struct:
      return "struct";
    case Type.Union:
      return DataType.isSparseUnion(type) ? "sparse_union" : "dense_union";
    case Type.Dictionary:
      return "dictionary";
    default:
      return "values";
  }
}

/** Returns the bytes of a value of a type with the layout "values". */
export function valueBytes(type: DataType): number {
  if (DataType.isFixedSizeBinary(type)) return type.byteWidth;
  if (DataType.isDecimal(type)) return type.bitWidth / 8;
  if (DataType.isInterval(type)) return [4, 8, 16][type.unit] ?? 0;
  if (DataType.isTime(type)) return type.bitWidth / 8;
  const { BYTES_PER_ELEMENT } = type.ArrayType as { BYTES_PER_ELEMENT?: number };
  if (BYTES_PER_ELEMENT === undefined) {
    throw new TypeError(`Type ${typeName(type)} is not supported`);
  }
  return BYTES_PER_ELEMENT;
}
