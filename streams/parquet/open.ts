/**
 * Opens a Parquet file: repairs its metadata for parquet-wasm, and narrows the types that it decodes.
 *
 * @module
 */

import {
  Binary,
  DataType,
  Dictionary,
  Field,
  FixedSizeList,
  List,
  Schema,
  Struct,
  Utf8,
} from "apache-arrow";
import type { ParquetFile } from "parquet-wasm/esm";
import { decodeSchema, mapType } from "../arrow.ts";
import type { FileInput } from "../file_input.ts";
import { readFooter, withMetadata } from "./footer.ts";
import type { FileMetadata, RowGroup } from "./metadata.ts";
import { loadParquetWasm, orTrap, orTrapNow, type ParquetWasm } from "./module.ts";
import { type LeafMeaning, repairMetadata } from "./repair.ts";

/** An open file. Close it with `closeParquet`. */
export interface OpenParquet {
  readonly wasm: ParquetWasm;
  readonly file: ParquetFile;
  readonly input: FileInput;
  /** Repaired. */
  readonly metadata: FileMetadata;
  readonly groups: readonly RowGroup[];
  /** The meaning of each leaf that the decoded schema does not show. */
  readonly leaves: readonly (LeafMeaning | undefined)[];
  /** The columns as parquet-wasm decodes them, their types narrowed. */
  readonly decodedSchema: Schema;
}

/** Frees the file in the memory of parquet-wasm. */
export function closeParquet({ file }: OpenParquet): void {
  orTrapNow(() => file.free());
}

export async function openParquet(input: FileInput): Promise<OpenParquet> {
  const { metadata, start } = await readFooter(input);
  const leaves = repairMetadata(metadata, start);
  const wasm = await loadParquetWasm();
  const file = await orTrap(() => wasm.ParquetFile.fromFile(withMetadata(input, metadata, start)));
  const decodedSchema = narrowSchema(decodeSchema(orTrapNow(() => file.schema().intoIPCStream())));
  return { wasm, file, input, metadata, groups: metadata.rowGroups ?? [], leaves, decodedSchema };
}

export function narrowSchema(schema: Schema): Schema {
  return new Schema(schema.fields.map(narrowField), schema.metadata);
}

/** Utf8 for LargeUtf8 and Utf8View, and so on, also in nested types. Other types stay. */
export function narrowType(type: DataType): DataType {
  if (DataType.isLargeUtf8(type) || DataType.isUtf8View(type)) return new Utf8();
  if (DataType.isLargeBinary(type) || DataType.isBinaryView(type)) return new Binary();
  if (DataType.isList(type) || DataType.isLargeList(type)) {
    return new List(narrowField(type.children[0]!));
  }
  if (DataType.isFixedSizeList(type)) {
    return new FixedSizeList(type.listSize, narrowField(type.children[0]!));
  }
  if (DataType.isStruct(type)) return new Struct(type.children.map(narrowField));
  if (DataType.isMap(type)) {
    return mapType(narrowField(type.children[0]!), type.keysSorted);
  }
  if (DataType.isDictionary(type)) {
    const { dictionary, indices, id, isOrdered } = type;
    return new Dictionary(narrowType(dictionary), indices, id, isOrdered);
  }
  return type;
}

function narrowField(field: Field): Field {
  return new Field(field.name, narrowType(field.type), field.nullable, field.metadata);
}
