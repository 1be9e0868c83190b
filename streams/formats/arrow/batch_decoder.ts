/**
 * Decodes messages into record batches.
 *
 * @module
 */

import {
  type Data,
  type Field,
  makeData,
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
import type { FileInput } from "../../bytes/file_input.ts";
import { type RowRange, selectFields } from "../../types/select_columns.ts";
import { bodyBuffers, type BodyColumn, checkBuffers, readBody } from "./body_reader.ts";
import { ColumnReader, ColumnSkipper } from "./column_reader.ts";
import { type BufferCodec, bufferCodec, decompressBuffer, isRawFrame } from "./compression.ts";
import { corrupt, inMessage, type PlacedMessage, reasonOf } from "../../data/message.ts";
import { FlatMessage, FlatMessages } from "../../data/flat_messages.ts";
import { readPart } from "./read_part.ts";
import { type BatchDescription, type ReadyBatch, readyBatch } from "../../data/ready_batch.ts";
import type { BatchParts } from "../../data/small_batches.ts";

/** A column and the ranges of its nodes, buffers and view counts in the message. */
interface ColumnSpan extends BodyColumn {
  readonly field: Field;
  readonly nodes: readonly [number, number];
  readonly views: readonly [number, number];
}

/** The buffers of a message. */
interface MessageBuffers {
  readonly header: BatchDescription;
  readonly buffers: Uint8Array<ArrayBuffer>[];
  readonly codec: BufferCodec | undefined;
  readonly unionsHaveValidity: boolean;
  /** Names the message in errors. */
  readonly where: string;
  /** Byte offset of the body in the file. */
  readonly bodyStart: number;
}

/**
 * Reads the bodies of record batches and dictionaries. Where the input can seek, it skips unwanted
 * columns.
 */
export class BatchDecoder {
  /** The schema of the decoded batches. */
  readonly schema: Schema;
  readonly #input: FileInput;
  readonly #fileSchema: Schema;
  readonly #wanted: ReadonlySet<Field>;
  readonly #dictionaries = new Map<number, Vector>();
  readonly #codecs = new Map<number, BufferCodec>();
  readonly #flat: FlatMessages;
  #latestSpans: LatestSpans | undefined;

  constructor(input: FileInput, fileSchema: Schema, columns?: readonly string[]) {
    this.#input = input;
    this.#fileSchema = fileSchema;
    this.schema = columns === undefined ? fileSchema : selectFields(fileSchema, columns);
    this.#wanted = new Set(this.schema.fields);
    this.#flat = new FlatMessages(fileSchema.fields, this.#wanted);
  }

  /** Reads the body of a record batch, which comes next in the input. */
  async readBatch(placed: PlacedMessage): Promise<RecordBatch> {
    const header = placed.header as BatchHeader;
    const columns = await this.#readColumns(placed, header, this.#fileSchema.fields, this.#wanted);
    return this.#batch(placed, header.length, columns);
  }

  /**
   * Reads only the given rows of the record batch whose body comes next in the input, and does not
   * move the input. Returns undefined where that does not pay (see `readPart`).
   */
  async readRows(
    placed: PlacedMessage,
    rows: RowRange,
  ): Promise<{ readonly batch: RecordBatch; readonly firstRow: number } | undefined> {
    const header = placed.header as BatchHeader;
    const where = inMessage(placed.place);
    const { bodyLength, version } = placed.message;
    const unionsHaveValidity = version < MetadataVersion.V5;
    const columns = columnSpans(header, this.#fileSchema.fields, unionsHaveValidity, where)
      .filter((span) => this.#wanted.has(span.field));
    checkBuffers({ bodyLength, header, columns, where });
    const bodyStart = this.#input.position;
    const part = await readPart(this.#input, { start: bodyStart, header, columns }, rows);
    if (part === undefined) return undefined;
    try {
      const message = { ...part, codec: undefined, unionsHaveValidity, where, bodyStart };
      const read = columns.map((span) => this.#decode(span, message));
      return { batch: this.#batch(placed, part.header.length, read), firstRow: part.firstRow };
    } catch {
      // The error would name a row of the part: the caller reads the whole batch, whose error is
      // right.
      return undefined;
    }
  }

  #batch({ message }: PlacedMessage, length: number, children: Data[]): RecordBatch {
    const type = new Struct(this.schema.fields);
    const data = makeData({ type, length, nullCount: 0, children });
    return new RecordBatch(this.schema, data, message.metadata);
  }

  /** Reads the metadata of a record batch at the start of `bytes`, if the batch is complete. */
  readonly readReady = (bytes: Uint8Array<ArrayBuffer>): ReadyBatch | FlatMessage | undefined => {
    const flat = this.#flat.read(bytes);
    if (flat !== undefined) return flat;
    const batch = readyBatch(bytes);
    if (batch !== undefined) this.#flat.learn(batch);
    return batch;
  };

  /**
   * Returns the columns of a buffered record batch. Undefined if it is invalid or its codec is not
   * loaded yet: `readBatch` then reports the error or loads the codec.
   */
  readyColumns(ready: ReadyBatch | FlatMessage): BatchParts["columns"] | undefined {
    if (ready instanceof FlatMessage) return ready;
    const { header, body, unionsHaveValidity } = ready;
    const codec = header.compression && this.#codecs.get(header.compression.type);
    if (codec === undefined) return undefined;
    try {
      const columns = this.#readySpans(header, unionsHaveValidity);
      const where = "";
      const buffers = bodyBuffers(body, { bodyLength: body.length, header, columns, where });
      const message = { header, buffers, codec: codec ?? undefined, unionsHaveValidity, where };
      return columns.map((span) => this.#decode(span, { ...message, bodyStart: 0 }));
    } catch {
      return undefined;
    }
  }

  /** Returns the wanted columns. Caches them, since most messages have the same structure. */
  #readySpans(header: BatchDescription, unionsHaveValidity: boolean): readonly ColumnSpan[] {
    const { nodes, buffers, variadicBufferCounts } = header;
    const shape = [nodes.length, buffers.length, variadicBufferCounts, unionsHaveValidity].join();
    if (this.#latestSpans?.shape !== shape) {
      const all = columnSpans(header, this.#fileSchema.fields, unionsHaveValidity, "");
      this.#latestSpans = {
        shape,
        all,
        wanted: all.filter(({ field }) => this.#wanted.has(field)),
      };
    } else checkLengths(this.#latestSpans.all, header, "");
    return this.#latestSpans.wanted;
  }

  /** Reads the dictionary that comes next in the input, or skips it if no wanted column uses it. */
  async readDictionary(placed: PlacedMessage): Promise<void> {
    const { id, isDelta, data: header } = placed.header as DictionaryHeader;
    const type = this.#fileSchema.dictionaries.get(id);
    if (type === undefined) {
      throw corrupt(inMessage(placed.place), `no column has the dictionary ${id}`);
    }
    if (!this.schema.dictionaries.has(id)) return await this.skipBody(placed);
    const field = { name: `dictionary ${id}`, type } as Field;
    const [values] = await this.#readColumns(placed, header, [field], new Set([field]));
    const known = isDelta ? this.#dictionaries.get(id)?.data ?? [] : [];
    this.#dictionaries.set(id, new Vector([...known, values!]));
  }

  /** Drops all dictionaries. */
  forgetDictionaries(): void {
    this.#dictionaries.clear();
  }

  async skipBody({ message }: PlacedMessage): Promise<void> {
    await this.#input.seek(this.#input.position + message.bodyLength);
  }

  async #readColumns(
    placed: PlacedMessage,
    header: BatchHeader,
    fields: readonly Field[],
    wanted: ReadonlySet<Field>,
  ): Promise<Data[]> {
    const where = inMessage(placed.place);
    const bodyStart = this.#input.position;
    const codec = await this.#codec(header, where);
    const unionsHaveValidity = placed.message.version < MetadataVersion.V5;
    const spans = columnSpans(header, fields, unionsHaveValidity, where)
      .filter((span) => wanted.has(span.field));
    const { bodyLength } = placed.message;
    const buffers = await readBody(this.#input, { bodyLength, header, columns: spans, where });
    const message = { header, buffers, codec, unionsHaveValidity, where, bodyStart };
    return spans.map((span) => this.#decode(span, message));
  }

  #decode(
    span: ColumnSpan,
    { header, buffers, codec, unionsHaveValidity, where, bodyStart }: MessageBuffers,
  ): Data {
    let index = span.buffers[0];
    let reader: ColumnReader | undefined;
    const rawFrames = new Map<number, BufferCodec>();
    try {
      for (; codec !== undefined && index < span.buffers[1]; index++) {
        if (isRawFrame(codec, buffers[index]!)) rawFrames.set(index - span.buffers[0], codec);
        buffers[index] = decompressBuffer(codec, buffers[index]!);
      }
      reader = new ColumnReader({
        nodes: header.nodes.slice(...span.nodes),
        buffers: buffers.slice(...span.buffers),
        rawFrames,
        viewBufferCounts: header.variadicBufferCounts.slice(...span.views),
        dictionaries: this.#dictionaries,
        unionsHaveValidity,
      });
      return reader.read(span.field.type);
    } catch (error) {
      const last = reader === undefined ? index : span.buffers[0] + reader.lastBuffer;
      const byte = bodyStart + (header.buffers[last]?.offset ?? 0);
      const why = reasonOf(error);
      throw corrupt(where, `column ${span.name}: ${why}, in the buffer at byte ${byte}`);
    }
  }

  async #codec(
    { compression }: BatchHeader,
    where: string,
  ): Promise<BufferCodec | undefined> {
    if (compression === null || compression === undefined) return undefined;
    const { type } = compression;
    let codec = this.#codecs.get(type);
    if (codec === undefined) {
      codec = await bufferCodec(type);
      if (codec === undefined) {
        throw corrupt(where, `its buffers are compressed by an unknown method (${type})`);
      }
      this.#codecs.set(type, codec);
    }
    return codec;
  }
}

/** The latest columns, and the message structure (`shape`) for which they hold. */
interface LatestSpans {
  readonly shape: string;
  readonly all: readonly ColumnSpan[];
  readonly wanted: readonly ColumnSpan[];
}

/** Returns the nodes and buffers of each column of a message. */
function columnSpans(
  header: BatchDescription,
  fields: readonly Field[],
  unionsHaveValidity: boolean,
  where: string,
): ColumnSpan[] {
  const viewBufferCounts = header.variadicBufferCounts;
  const wrong = viewBufferCounts.find((count) => !(count >= 0 && count <= header.buffers.length));
  if (wrong !== undefined) throw corrupt(where, `a column claims ${wrong} data buffers`);
  const skipper = new ColumnSkipper({ viewBufferCounts, unionsHaveValidity });
  const spans = fields.map((field): ColumnSpan => {
    const { nodes, buffers, views } = skipper;
    skipper.skip(field.type);
    return {
      name: field.name,
      field,
      nodes: [nodes, skipper.nodes],
      buffers: [buffers, skipper.buffers],
      views: [views, skipper.views],
    };
  });
  const says = [header.nodes.length, header.buffers.length, viewBufferCounts.length].join(", ");
  const needs = [skipper.nodes, skipper.buffers, skipper.views].join(", ");
  if (says !== needs) {
    const what = "nodes, buffers and counts of data buffers";
    throw corrupt(where, `it has ${says} ${what}, but its columns have ${needs}`);
  }
  checkLengths(spans, header, where);
  return spans;
}

/** Throws unless every column, wanted or not, has as many rows as the batch. */
function checkLengths(
  spans: readonly ColumnSpan[],
  header: BatchDescription,
  where: string,
): void {
  for (const { name, nodes: [node] } of spans) {
    const { length } = header.nodes[node]!;
    if (length === header.length) continue;
    throw corrupt(where, `column ${name} has ${length} rows in a batch of ${header.length}`);
  }
}
