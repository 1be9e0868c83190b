/**
 * Concatenates sources.
 *
 * @module
 */

import { Field, RecordBatch, Schema } from "apache-arrow";
import { checkSameColumns, sameType } from "./arrow.ts";
import { toFileError } from "./errors.ts";
import { hasJsonMark } from "./extension_type.ts";
import { plainSchema, plainType } from "./plain_schema.ts";
import type { ChunkLengths } from "./rows/chunk_lengths.ts";
import { locateRows } from "./rows/locate_rows.ts";
import { requestOfRuns, type RowRequest } from "./rows/row_request.ts";
import { selectFields } from "./select_columns.ts";
import type { OpenOptions, Source, SourceRows } from "./source.ts";

/**
 * The rows of several sources, one after the other. All must have the same columns, but the layout of
 * text may differ; the error names the first source that differs. A column is nullable if it is in any
 * of them. A source without columns and rows, such as an empty NDJSON file, is skipped.
 */
export function concatSources(sources: readonly [Source, ...Source[]]): Source {
  return sources.length === 1 ? sources[0] : new ConcatSource(sources);
}

class ConcatSource implements Source {
  readonly name: string;
  readonly #sources: readonly [Source, ...Source[]];
  #schema: Promise<Schema | undefined> | undefined;
  #filled: Promise<readonly Source[]> | undefined;

  constructor(sources: readonly [Source, ...Source[]]) {
    this.#sources = sources;
    this.name = `${sources[0].name} and ${sources.length - 1} more`;
  }

  get bytesRead(): number {
    return this.#sources.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  }

  get numBytes(): number | undefined {
    let sum = 0;
    for (const { numBytes } of this.#sources) {
      if (numBytes === undefined) return undefined;
      sum += numBytes;
    }
    return sum;
  }

  schema(): Promise<Schema | undefined> {
    return this.#schema ??= this.#commonSchema();
  }

  async canSeek(): Promise<boolean> {
    for (const source of this.#sources) if (!await source.canSeek()) return false;
    return true;
  }

  async numRows(options?: OpenOptions): Promise<number | undefined> {
    let sum = 0;
    for (const source of this.#sources) {
      const numRows = await source.numRows(options);
      if (numRows === undefined) return undefined;
      sum += numRows;
    }
    return sum;
  }

  async *open(options: OpenOptions): AsyncGenerator<RecordBatch, void, void> {
    const schema = await this.#selectedSchema(options);
    for (const source of await this.#filledSources()) {
      if (options.signal?.aborted) return;
      for await (const batch of source.open(options)) {
        yield schema === undefined ? batch : withFieldsOf(schema, batch);
      }
    }
  }

  async *openRows(
    request: RowRequest,
    options: OpenOptions,
  ): AsyncGenerator<SourceRows, void, void> {
    const schema = await this.#selectedSchema(options);
    const sources = await this.#filledSources();
    for await (
      const { chunk, runs, firstRow } of locateRows(request, lengthsOf(sources, options))
    ) {
      if (options.signal?.aborted) return;
      for await (const rows of sources[chunk]!.openRows(requestOfRuns(runs), options)) {
        const batch = schema === undefined ? rows.batch : withFieldsOf(schema, rows.batch);
        yield { ...rows, batch, firstRow: firstRow + rows.firstRow };
      }
    }
  }

  async #selectedSchema({ columns }: OpenOptions): Promise<Schema | undefined> {
    const common = await this.schema();
    return common && columns ? selectFields(common, columns) : common;
  }

  /** The sources without empty ones; the first if all are empty. */
  #filledSources(): Promise<readonly Source[]> {
    return this.#filled ??= (async () => {
      const filled: Source[] = [];
      for (const source of this.#sources) if (!await isNothing(source)) filled.push(source);
      return filled.length > 0 ? filled : [this.#sources[0]];
    })();
  }

  async #commonSchema(): Promise<Schema | undefined> {
    const [head, ...rest] = await this.#filledSources();
    let common = await head!.schema();
    for (const source of rest) {
      const schema = await source.schema();
      if (common === undefined || schema === undefined) return common ?? schema;
      try {
        checkSameColumns(plainSchema(common), plainSchema(schema));
        checkSameMarks(common, schema);
      } catch (error) {
        throw toFileError(source.name, error);
      }
      common = commonFields(common, schema);
    }
    return common;
  }
}

/** The rows of each source, asked once. */
function lengthsOf(sources: readonly Source[], options: OpenOptions): ChunkLengths {
  const lengths: (number | undefined)[] = [];
  return {
    numChunks: sources.length,
    known: (chunk) => lengths[chunk],
    async learn(start, stop) {
      for (const [index, source] of sources.slice(start, stop).entries()) {
        const chunk = start + index;
        lengths[chunk] ??= await source.numRows(options);
        if (lengths[chunk] === undefined) {
          throw new TypeError(`${source.name}: its length is unknown`);
        }
      }
    },
  };
}

async function isNothing(source: Source): Promise<boolean> {
  const schema = await source.schema();
  return schema?.fields.length === 0 && await source.numRows() === 0;
}

/** Throws if only one schema marks a column as JSON: text would be read as JSON, or JSON as text. */
function checkSameMarks(expected: Schema, actual: Schema): void {
  for (const [index, field] of expected.fields.entries()) {
    const isJson = hasJsonMark(field);
    if (isJson === hasJsonMark(actual.fields[index]!)) continue;
    const [found, wanted] = isJson ? ["text", "JSON"] : ["JSON", "text"];
    const cure = `give it the type "json" in types`;
    throw new TypeError(`column ${field.name} is ${found} where ${wanted} is expected; ${cure}`);
  }
}

/** Fields that fit both schemas, with plain types where layouts differ. */
function commonFields(left: Schema, right: Schema): Schema {
  const fields = left.fields.map((field, index) => {
    const other = right.fields[index]!;
    const type = sameType(field.type, other.type) ? field.type : plainType(field.type);
    const nullable = field.nullable || other.nullable;
    const isSame = type === field.type && nullable === field.nullable;
    return isSame ? field : new Field(field.name, type, nullable, field.metadata);
  });
  return new Schema(fields, left.metadata);
}

/** The batch with the fields of a schema; columns keep their own layout. */
function withFieldsOf(schema: Schema, batch: RecordBatch): RecordBatch {
  const fields = schema.fields.map((field, index) => {
    const { type } = batch.schema.fields[index]!;
    return sameType(field.type, type) ? field : field.clone({ type });
  });
  const own = fields.every((field, index) => field === schema.fields[index])
    ? schema
    : new Schema(fields, schema.metadata);
  return new RecordBatch(own, batch.data, batch.metadata);
}
