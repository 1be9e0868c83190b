/**
 * An Arrow file of a gigabyte that takes the space of one batch: the bodies of all others are holes,
 * which read as zeros. So a test writes it quickly, but reads a file of that size.
 */

import { Field, Float64, Int32, makeData, type RecordBatch, Utf8 } from "apache-arrow";
import { FileBlock } from "apache-arrow/ipc/metadata/file";
import { ArrowEncoder } from "../../../streams/formats/arrow/arrow.ts";
import { lengthsKey, printLengths } from "../../../streams/formats/arrow/batch_lengths.ts";
import { encodeFooter } from "../../../streams/formats/arrow/encode_footer.ts";
import { batchOfColumns } from "../values/arrow_columns.ts";

export const numBatches = 200;
export const batchRows = 65_536;
export const numRows: number = numBatches * batchRows;

/** What was written. */
export interface SparseFile {
  /** Bytes of the file, of the footer, and of a batch with its header. */
  readonly numBytes: number;
  readonly footerBytes: number;
  readonly batchBytes: number;
  /** Bytes of the header of a batch. */
  readonly headerBytes: number;
  readonly last: RecordBatch;
}

const fields = [
  new Field("id", new Int32(), false),
  new Field("town", new Utf8(), false),
  ...Array.from({ length: 8 }, (_, index) => new Field(`value ${index}`, new Float64(), false)),
];

/** The batch that is written: rows are numbered, and towns come in turn. */
function lastBatch(): RecordBatch {
  const towns = ["Brig", "Zürich", "Lausanne-Ouchy, au bord du lac", "Genève", "Bellinzona"];
  const encoder = new TextEncoder();
  const encoded = towns.map((town) => encoder.encode(town));
  const offsets = new Int32Array(batchRows + 1);
  for (let row = 0; row < batchRows; row++) {
    offsets[row + 1] = offsets[row]! + encoded[row % towns.length]!.length;
  }
  const text = new Uint8Array(offsets[batchRows]!);
  for (let row = 0; row < batchRows; row++) text.set(encoded[row % towns.length]!, offsets[row]!);
  const ids = Int32Array.from({ length: batchRows }, (_, row) => numRows - batchRows + row);
  const column = (props: object) =>
    makeData({ length: batchRows, nullCount: 0, ...props } as never);
  return batchOfColumns(fields, [
    column({ type: new Int32(), data: ids }),
    column({ type: new Utf8(), valueOffsets: offsets, data: text }),
    ...fields.slice(2).map((_, index) =>
      column({ type: new Float64(), data: Float64Array.from(ids, (id) => id + index / 8) })
    ),
  ]);
}

/** Writes the file; with or without the rows of its batches in the footer, as others write it. */
export function writeSparse(path: string, hasLengths: boolean): SparseFile {
  const last = lastBatch();
  const encoder = new ArrowEncoder(last.schema, { format: "file" });
  const front = concat(encoder.begin());
  const [header, ...body] = encoder.batch(last);
  const bodyBytes = concat(body);
  const headerBytes = header!.length;
  const batchBytes = headerBytes + bodyBytes.length;
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  const put = (position: number, bytes: Uint8Array) => {
    file.seekSync(position, Deno.SeekMode.Start);
    for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
  };
  put(0, front);
  const blocks = Array.from({ length: numBatches }, (_, batch) => {
    const start = front.length + batch * batchBytes;
    put(start, header!);
    return new FileBlock(headerBytes, bodyBytes.length, start);
  });
  const end = front.length + numBatches * batchBytes;
  put(end - bodyBytes.length, bodyBytes);
  const lengths = printLengths(blocks.map(() => batchRows), blocks)!;
  const footer = encodeFooter(last.schema, {
    batches: blocks,
    dictionaries: [],
    metadata: new Map(hasLengths ? [[lengthsKey, lengths]] : []),
  });
  const length = new Uint8Array(4);
  new DataView(length.buffer).setInt32(0, footer.length, true);
  const endOfStream = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);
  const tail = concat([endOfStream, footer, length, new TextEncoder().encode("ARROW1")]);
  put(end, tail);
  const footerBytes = tail.length;
  return { numBytes: end + footerBytes, footerBytes, batchBytes, headerBytes, last };
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, position);
    position += chunk.length;
  }
  return bytes;
}
