/**
 * Reads row groups of a Parquet file in batches that fit the memory of parquet-wasm.
 *
 * @module
 */

import {
  type DataType,
  type Field,
  makeData,
  RecordBatch,
  type Schema,
  Struct,
} from "apache-arrow";
import type { RecordBatch as WasmBatch } from "parquet-wasm/esm";
import { decodeSchema, layoutOf } from "../arrow.ts";
import type { RowRange } from "../select_columns.ts";
import { BatchSize, checkPages, groupShape, groupWindows } from "./group_shape.ts";
import { copyArray } from "./c_data.ts";
import type { OpenParquet } from "./open.ts";
import { cannotDecode, orTrap, orTrapNow, type ParquetWasm, TrapError } from "./module.ts";
import { restoredBatch } from "./restore.ts";

/** Rows read ahead in the first group, to estimate the length of its texts. */
const probedRows = 64;

/** A request to parquet-wasm. */
interface Request {
  readonly rowGroups: number[];
  readonly batchSize: number;
  readonly offset?: number;
  readonly limit: number;
}

/** The columns that a GroupReader reads. */
interface WantedColumns {
  /** The wanted columns as the module decodes them, their types narrowed. */
  readonly decodedSchema: Schema;
  /** The columns as they are returned (see `restoredSchema`). */
  readonly schema: Schema;
  /** Whether the file has more columns. */
  readonly isSelection: boolean;
}

/** Reads columns of a file, group by group. */
export class GroupReader {
  readonly #parquet: OpenParquet;
  readonly #wanted: WantedColumns;
  readonly #columns: ReadonlySet<string>;
  readonly #size = new BatchSize();
  #isProbed: boolean;
  #type: Struct | undefined;

  constructor(parquet: OpenParquet, wanted: WantedColumns) {
    const { fields } = wanted.decodedSchema;
    this.#parquet = parquet;
    this.#wanted = wanted;
    this.#columns = new Set(fields.map(({ name }) => name));
    this.#isProbed = !fields.some(({ type }) => isUnbounded(type));
  }

  /** The rows [start, stop) of a row group, whose first is the row `first` of the file. */
  async *rows(
    group: number,
    { start, stop }: RowRange,
    first = 0,
  ): AsyncGenerator<RecordBatch, void, void> {
    const { groups, input } = this.#parquet;
    await checkPages(input, groups[group]!, this.#columns);
    const shape = groupShape(groups[group]!, this.#columns);
    const rowGroups = [group];
    if (!this.#isProbed) {
      this.#isProbed = true;
      for await (const _ of this.#batches({ rowGroups, batchSize: probedRows, limit: probedRows }));
    }
    const batchSize = this.#size.rowsOf(shape);
    for (const window of groupWindows(shape, { start, stop })) {
      // If the module may be unable to skip the rows before the first, they are decoded and dropped.
      let skipped = shape.inWindows ? 0 : window.start;
      const offset = window.start - skipped;
      const limit = window.stop - offset;
      const request = offset === 0
        ? { rowGroups, batchSize, limit }
        : { rowGroups, batchSize, offset, limit };
      let row = first + offset;
      for await (const batch of this.#batches(request)) {
        const restored = restoredBatch(batch, this.#wanted.schema, row);
        row += batch.numRows;
        if (skipped < batch.numRows) yield skipped === 0 ? restored : restored.slice(skipped);
        skipped = Math.max(0, skipped - batch.numRows);
      }
    }
  }

  async *#batches(request: Request): AsyncGenerator<RecordBatch, void, void> {
    const { decodedSchema, isSelection } = this.#wanted;
    const isAsked = isSelection && decodedSchema.fields.every(canBeAskedFor);
    const options = isAsked ? { ...request, columns: [...this.#columns] } : request;
    try {
      for await (const batch of this.#decoded(options)) {
        this.#type ??= batchType(batch);
        const rows = copyBatch(this.#parquet.wasm, batch, decodedSchema, this.#type);
        this.#size.saw(rows);
        yield rows;
      }
    } catch (error) {
      if (!(error instanceof TrapError)) throw error;
      const [group] = request.rowGroups;
      const column = await this.#columnThatTraps(request);
      const where = column === undefined
        ? `row group ${group}`
        : `column ${column}, row group ${group},`;
      throw new TypeError(`${where} ${cannotDecode}`, { cause: error });
    }
  }

  /** The first column that traps when it is read alone; undefined if none does. */
  async #columnThatTraps(request: Request): Promise<string | undefined> {
    for (const column of this.#columns) {
      try {
        for await (const batch of this.#decoded({ ...request, columns: [column] })) batch.free();
      } catch (error) {
        if (error instanceof TrapError) return column;
        throw error;
      }
    }
    return undefined;
  }

  /** The batches of a request; ending the iteration early cancels it. */
  async *#decoded(
    options: Request & { columns?: string[] },
  ): AsyncGenerator<WasmBatch, void, void> {
    const reader = (await orTrap(() => this.#parquet.file.stream(options))).getReader();
    let ended = false;
    try {
      for (;;) {
        const next = await orTrap(() => reader.read());
        if (next.done) break;
        yield next.value;
      }
      ended = true;
    } catch (error) {
      ended = true;
      throw error;
    } finally {
      if (!ended) await reader.cancel();
    }
  }
}

/** Whether parquet-wasm can select a column: it traps on nested ones whose name is not ASCII. */
function canBeAskedFor({ name, type }: Field): boolean {
  return (type.children ?? []).length === 0 || /^[\0-\x7f]*$/.test(name);
}

/** Whether values of a type have no maximum length. */
function isUnbounded(type: DataType): boolean {
  switch (layoutOf(type)) {
    case "bits":
    case "values":
    case "null":
      return false;
    case "struct":
    case "fixed_list":
      return type.children.some((child) => isUnbounded(child.type));
    default:
      return true;
  }
}

/** The type of the batches, which have no views even if the schema of the file does. */
function batchType(batch: WasmBatch): Struct {
  const stream = orTrapNow(() => batch.schema.intoIPCStream());
  return new Struct(decodeSchema(stream).fields);
}

/** Copies a batch out of the memory of the module and frees it there. */
function copyBatch(
  wasm: ParquetWasm,
  batch: WasmBatch,
  schema: Schema,
  type: Struct,
): RecordBatch {
  const exported = orTrapNow(() => batch.intoFFI());
  try {
    const memory = wasm.wasmMemory().buffer as ArrayBuffer;
    const { children, length } = copyArray(memory, exported.arrayAddr(), type);
    const narrowed = new Struct(schema.fields);
    // If the columns could not be selected, the batch has all columns of the file.
    const wanted = children.length === schema.fields.length
      ? [...children]
      : schema.fields.map(({ name }) => children[type.children.findIndex(nameIs(name))]!);
    const columns = makeData({ type: narrowed, length, nullCount: 0, children: wanted });
    return new RecordBatch(schema, columns);
  } finally {
    exported.free();
  }
}

function nameIs(name: string): (field: Field) => boolean {
  return (field) => field.name === name;
}
