/**
 * From messages to record batches.
 *
 * @module
 */

import {
  type Data,
  type Field,
  makeData,
  type Message,
  MetadataVersion,
  RecordBatch,
  type Schema,
  Struct,
  Vector,
} from "apache-arrow";
import type {
  DictionaryBatch as DictionaryHeader,
  RecordBatch as BatchHeader,
} from "apache-arrow/ipc/metadata/message";
import type { FileInput } from "../file_input.ts";
import { selectFields } from "../select_columns.ts";
import { type ColumnParts, ColumnReader, ColumnSkipper } from "./column_reader.ts";
import { type BufferCodec, bufferCodec, decompressBuffer } from "./compression.ts";
import { readBody, truncated } from "./message.ts";

/** Columns whose bytes lie closer than this are read in one go. */
const worthSkipping = 64 << 10;

/** The parts of one column: nodes and buffers by their position in the message. */
interface ColumnSpan {
  readonly field: Field;
  readonly nodes: readonly [number, number];
  readonly buffers: readonly [number, number];
  readonly views: readonly [number, number];
}

/**
 * Reads the bodies of record batches and dictionaries. Of the columns that are not wanted no
 * byte is read where the input can seek.
 */
export class BatchDecoder {
  /** The schema of the batches it gives. */
  readonly schema: Schema;
  readonly #input: FileInput;
  readonly #fileSchema: Schema;
  readonly #wanted: ReadonlySet<Field>;
  readonly #dictionaries = new Map<number, Vector>();
  readonly #codecs = new Map<number, BufferCodec>();

  constructor(input: FileInput, fileSchema: Schema, columns?: readonly string[]) {
    this.#input = input;
    this.#fileSchema = fileSchema;
    this.schema = columns === undefined ? fileSchema : selectFields(fileSchema, columns);
    this.#wanted = new Set(this.schema.fields);
  }

  /** Reads the body of a record batch, which is next in the input. */
  async readBatch(message: Message): Promise<RecordBatch> {
    const header = message.header() as BatchHeader;
    const fields = this.#fileSchema.fields;
    const columns = await this.#readColumns(message, header, fields, this.#wanted);
    for (const [index, column] of columns.entries()) {
      if (column.length !== header.length) {
        const { name } = this.schema.fields[index]!;
        throw truncated(`column ${name} has ${column.length} rows in a batch of ${header.length}`);
      }
    }
    const type = new Struct(this.schema.fields);
    const data = makeData({ type, length: header.length, nullCount: 0, children: columns });
    return new RecordBatch(this.schema, data, message.metadata);
  }

  /** Reads a dictionary, which is next in the input, for the batches that follow. */
  async readDictionary(message: Message): Promise<void> {
    const { id, isDelta, data: header } = message.header() as DictionaryHeader;
    const type = this.#fileSchema.dictionaries.get(id);
    if (type === undefined) throw truncated(`no column has the dictionary ${id}`);
    const field = { name: `dictionary ${id}`, type } as Field;
    const [values] = await this.#readColumns(message, header, [field], new Set([field]));
    const known = isDelta ? this.#dictionaries.get(id)?.data ?? [] : [];
    this.#dictionaries.set(id, new Vector([...known, values!]));
  }

  /** Moves over a body. */
  async skipBody(message: Message): Promise<void> {
    await this.#input.seek(this.#input.position + message.bodyLength);
  }

  async #readColumns(
    message: Message,
    header: BatchHeader,
    fields: readonly Field[],
    wanted: ReadonlySet<Field>,
  ): Promise<Data[]> {
    const unionsHaveValidity = message.version < MetadataVersion.V5;
    const start = this.#input.position;
    const spans = columnSpans(header, fields, unionsHaveValidity).filter((s) =>
      wanted.has(s.field)
    );
    const buffers = await this.#readBuffers(message, header, spans);
    await this.#input.seek(start + message.bodyLength);
    return spans.map((span) => {
      const parts: ColumnParts = {
        nodes: header.nodes.slice(...span.nodes),
        buffers: buffers.slice(...span.buffers),
        viewBufferCounts: header.variadicBufferCounts.slice(...span.views),
        dictionaries: this.#dictionaries,
        unionsHaveValidity,
      };
      try {
        return new ColumnReader(parts).read(span.field.type);
      } catch (error) {
        throw truncated(`column ${span.field.name}: ${(error as Error).message}`);
      }
    });
  }

  /** The buffers of the message, those of unwanted columns missing. */
  async #readBuffers(
    message: Message,
    header: BatchHeader,
    spans: readonly ColumnSpan[],
  ): Promise<Uint8Array<ArrayBuffer>[]> {
    const codec = header.compression === null || header.compression === undefined
      ? undefined
      : await this.#codec(header.compression.type);
    const buffers = header.buffers.map(() => new Uint8Array(0));
    const start = this.#input.position;
    for (const run of bodyRuns(message, header, spans)) {
      await this.#input.seek(start + run.start);
      const bytes = await readBody(this.#input, run.stop - run.start);
      for (const index of run.buffers) {
        const { offset, length } = header.buffers[index]!;
        const raw = bytes.subarray(offset - run.start, offset - run.start + length);
        if (codec !== undefined) buffers[index] = decompressBuffer(codec, raw);
        else buffers[index] = raw.byteOffset % 8 === 0 ? raw : raw.slice();
      }
    }
    return buffers;
  }

  async #codec(type: number): Promise<BufferCodec> {
    const codec = this.#codecs.get(type) ?? await bufferCodec(type);
    this.#codecs.set(type, codec);
    return codec;
  }
}

/** Where the parts of each column lie in a message. */
function columnSpans(
  header: BatchHeader,
  fields: readonly Field[],
  unionsHaveValidity: boolean,
): ColumnSpan[] {
  const viewBufferCounts = header.variadicBufferCounts;
  const skipper = new ColumnSkipper({ viewBufferCounts, unionsHaveValidity });
  return fields.map((field) => {
    const { nodes, buffers, views } = skipper;
    skipper.skip(field.type);
    return {
      field,
      nodes: [nodes, skipper.nodes],
      buffers: [buffers, skipper.buffers],
      views: [views, skipper.views],
    };
  });
}

/** A stretch of a body that is read in one go, and the buffers that lie in it. */
interface BodyRun {
  start: number;
  stop: number;
  readonly buffers: number[];
}

function bodyRuns(
  { bodyLength }: Message,
  header: BatchHeader,
  spans: readonly ColumnSpan[],
): BodyRun[] {
  const runs: BodyRun[] = [];
  for (const { field, buffers: [first, last] } of spans) {
    for (let index = first; index < last; index++) {
      const region = header.buffers[index];
      if (region === undefined) throw truncated(`column ${field.name} has no buffers`);
      const { offset, length } = region;
      if (!(offset >= 0 && length >= 0 && offset + length <= bodyLength)) {
        throw truncated(`a buffer of column ${field.name} lies outside its record batch`);
      }
      if (length === 0) continue;
      const run = runs.at(-1);
      if (run !== undefined && offset >= run.start && offset <= run.stop + worthSkipping) {
        run.stop = Math.max(run.stop, offset + length);
        run.buffers.push(index);
      } else {
        runs.push({ start: offset, stop: offset + length, buffers: [index] });
      }
    }
  }
  return runs;
}
