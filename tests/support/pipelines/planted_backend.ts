import type {
  Backend,
  BoxesRequest,
  JoinTable,
  ResultLimits,
  ResultRows,
  TableRequest,
} from "../../../gpu/backend.ts";
import {
  type Column,
  type HostColumn,
  nullColumn,
  releaseColumn,
} from "../../../gpu/column/column.ts";
import { gatherColumn } from "../../../gpu/column/gather.ts";
import type { Program } from "../../../gpu/kernel/tree/tree.ts";

/** The faults of a backend: each changes a correct result. */
export interface Faults {
  /** Of the kernel of a label. */
  readonly kernels?: Readonly<Record<string, (column: HostColumn) => HostColumn>>;
  readonly filter?: (column: HostColumn) => HostColumn;
  readonly join?: (column: HostColumn) => HostColumn;
  readonly boxes?: (column: HostColumn) => HostColumn;
}

/** Computes as another backend does, kernel by kernel, but for the planted faults. */
export class PlantedBackend implements Backend {
  readonly kind = "webgpu";
  readonly copiesBoxes = true;
  readonly #real: Backend;
  readonly #faults: Faults;

  constructor(real: Backend, faults: Faults) {
    this.#real = real;
    this.#faults = faults;
  }

  get description(): string {
    return `${this.#real.description}, with a fault`;
  }

  get depth(): number {
    return 4;
  }

  get resultRows(): number {
    return this.#real.resultRows;
  }

  get maxTextBytes(): number {
    return this.#real.maxTextBytes;
  }

  get counters(): Backend["counters"] {
    return this.#real.counters;
  }

  async evaluate(
    program: Program,
    inputs: readonly Column[],
    numRows: number,
  ): Promise<ResultRows> {
    const types = [...program.inputs, ...program.kernels.map(({ type }) => type)];
    const columns = [...inputs] as HostColumn[];
    for (const kernel of program.kernels) {
      const alone = { inputs: types, kernels: [kernel], outputs: [types.length] };
      const given = types.map((type, index) => columns[index] ?? nullColumn(type, 0));
      const evaluated = await this.#real.evaluate(alone, given, numRows);
      const results = await this.#toHost(evaluated.columns);
      const fault = this.#faults.kernels?.[kernel.label];
      columns.push(fault === undefined ? results[0]! : fault(results[0]!));
    }
    return { columns: program.outputs.map((number) => columns[number]!), numRows };
  }

  async filter(columns: readonly Column[], mask: Column, numRows: number) {
    const kept = await this.#real.filter(columns, mask, numRows);
    return spoiled({ ...kept, columns: await this.#toHost(kept.columns) }, this.#faults.filter);
  }

  buildTable(request: TableRequest): Promise<JoinTable> {
    return this.#real.buildTable(request);
  }

  async *probe(
    table: JoinTable,
    key: Column,
    columns: readonly Column[],
    numRows: number,
    limits: ResultLimits,
  ): AsyncGenerator<ResultRows> {
    yield* this.#spoiled(this.#real.probe(table, key, columns, numRows, limits));
  }

  async *buildOnlyRows(table: JoinTable, limits: ResultLimits): AsyncGenerator<ResultRows> {
    yield* this.#spoiled(this.#real.buildOnlyRows(table, limits));
  }

  gather(columns: readonly Column[], selection: Int32Array): Promise<Column[]> {
    return this.#real.gather(columns, selection);
  }

  async copyBoxes(request: BoxesRequest): Promise<Column> {
    const [made] = await this.#toHost([await this.#real.copyBoxes(request)]);
    return this.#faults.boxes?.(made!) ?? made!;
  }

  async *#spoiled(results: AsyncIterable<ResultRows>): AsyncGenerator<ResultRows> {
    for await (const result of results) {
      const onHost = { ...result, columns: await this.#toHost(result.columns) };
      yield spoiled(onHost, this.#faults.join);
    }
  }

  download(columns: readonly Column[]): Promise<HostColumn[]> {
    return this.#real.download(columns);
  }

  async #toHost(columns: readonly Column[]): Promise<HostColumn[]> {
    const results = await this.download(columns);
    columns.forEach(releaseColumn);
    return results;
  }

  async close(): Promise<void> {
    await this.#real.close();
  }
}

function spoiled(
  rows: { columns: HostColumn[]; numRows: number },
  fault: (column: HostColumn) => HostColumn = (column) => column,
) {
  const columns = rows.columns.map(fault);
  return { columns, numRows: columns[0]?.length ?? rows.numRows };
}

/** Changes a bool, or a bit of the last byte of a row of text or of a type of fixed width. */
export function flipped(row: number): (column: HostColumn) => HostColumn {
  return (column) => {
    if (row >= column.length) return column;
    const data = column.data.slice();
    if (column.type.kind === "bool") {
      data[row >> 3]! ^= 1 << (row & 7);
      return { ...column, data };
    }
    const width = column.data.length / column.length;
    const stop = column.offsets === null ? (row + 1) * width : column.offsets[row + 1]!;
    data[stop - 1]! ^= 1;
    return { ...column, data };
  };
}

/** Makes a row null. */
export function nulled(row: number): (column: HostColumn) => HostColumn {
  return (column) => rows(column, (at) => at === row ? -1 : at, column.length);
}

/** Leaves a row out. */
export function without(row: number): (column: HostColumn) => HostColumn {
  return (column) => rows(column, (at) => at < row ? at : at + 1, column.length - 1);
}

/** Swaps a row and the one after it. */
export function swapped(row: number): (column: HostColumn) => HostColumn {
  const other = (at: number) => at === row ? row + 1 : at === row + 1 ? row : at;
  return (column) => rows(column, other, column.length);
}

function rows(column: HostColumn, from: (row: number) => number, length: number): HostColumn {
  return gatherColumn(column, Int32Array.from({ length }, (_, row) => from(row)));
}
