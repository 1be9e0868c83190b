/** Arrow files as other programs write them: with dictionaries, views, and compression. */

import { Buffer } from "node:buffer";
import {
  DataType,
  Dictionary,
  Field,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  Utf8View,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { loadPeer } from "../support/judges/peers.ts";

/**
 * Who writes a file anew: apache-arrow, perhaps with text as dictionaries or as views; or Polars, with
 * views, perhaps compressed.
 */
export const ARROW_WRITERS = [
  ...["apache-arrow", "dictionaries", "views", "polars", "polars lz4", "polars zstd"] as const,
];
export type ArrowWriter = typeof ARROW_WRITERS[number];

/** Whether a writer gives back a column of a type as it was. */
export function keepsType(writer: ArrowWriter, type: DataType): boolean {
  if (!writer.startsWith("polars")) return true;
  const isTime = (DataType.isDate(type) && type.unit === 0) ||
    (DataType.isTimestamp(type) && type.unit > 0 && type.timezone == null);
  return DataType.isBool(type) || DataType.isInt(type) || DataType.isUtf8(type) || isTime ||
    (DataType.isFloat(type) && type.precision > 0);
}

/** Writes a file, which is not compressed, anew in the same format. */
export async function writeAnew(path: string, writer: ArrowWriter): Promise<void> {
  const bytes = Deno.readFileSync(path);
  const format = path.endsWith(".arrows") ? "stream" : "file";
  if (!writer.startsWith("polars")) {
    const table = tableFromIPC(bytes);
    Deno.writeFileSync(path, tableToIPC(withText(table, writer), format));
    return;
  }
  const { default: polars } = await loadPeer("polars");
  const [, compression = "uncompressed"] = writer.split(" ");
  const given = Buffer.from(bytes);
  const frame = format === "file" ? polars.readIPC(given) : polars.readIPCStream(given);
  const written = format === "file" ? frame.writeIPC({ compression }) : frame.writeIPCStream();
  Deno.writeFileSync(path, new Uint8Array(written));
}

/** The table with another layout of text, in the same batches. */
function withText(table: Table, writer: ArrowWriter): Table {
  const fields = table.schema.fields.map((field) => {
    if (!DataType.isUtf8(field.type) || writer === "apache-arrow") return field;
    const type = writer === "views" ? new Utf8View() : new Dictionary(new Utf8(), new Int32());
    return new Field(field.name, type, field.nullable, field.metadata);
  });
  const schema = new Schema(fields, table.schema.metadata);
  // All batches of a file have the same dictionaries; slices of views are written wrong.
  const columns = fields.map(({ type }, index) =>
    DataType.isDictionary(type)
      ? vectorFromArray(valuesOf(table.getChildAt(index)!), type)
      : undefined
  );
  let first = 0;
  const batches = table.batches.map((batch) => {
    const length = batch.numRows;
    const children = fields.map(({ type }, index) => {
      const own = batch.data.children[index]!;
      if (type === own.type) return own;
      const shared = columns[index]?.data[0];
      // One that is empty would have a dictionary of its own.
      if (shared !== undefined) return shared.slice(first, length);
      if (length === 0) return makeData({ type, length } as never);
      return vectorFromArray(valuesOf(batch.getChildAt(index)!), type).data[0]!;
    });
    first += length;
    const data = makeData({ type: new Struct(fields), length, nullCount: 0, children });
    return new RecordBatch(schema, data);
  });
  return new Table(schema, batches);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The texts of a column; those of apache-arrow lose a mark at their start. */
function valuesOf(column: Vector): (string | null)[] {
  return column.data.flatMap((data) =>
    Array.from({ length: data.length }, (_, row) => {
      if (!data.getValid(row)) return null;
      const [start, stop] = data.valueOffsets.subarray(row, row + 2);
      return decoder.decode((data.values as Uint8Array).subarray(start, stop));
    })
  );
}
