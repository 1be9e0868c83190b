/**
 * Filters rows on the device: the mask becomes a selection, by which the columns are gathered. The
 * device computes the sizes of text and lists before the host knows the number of rows, so that one
 * readback returns both.
 *
 * @module
 */

import filterWgsl from "./filter.wgsl" with { type: "text" };
import { type Column, hasOffsets, retainColumn } from "../../column/column.ts";
import { selectTrue, takeRows } from "../../column/filter.ts";
import { DeviceError } from "../../../base/errors/device_error.ts";
import type { ResultRows } from "../../backend.ts";
import { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import {
  type AlignedRange,
  alignWindows,
  type ColumnWindow,
  viewParams,
  WebGpuColumn,
} from "../memory/device_column.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import { downloadColumns } from "../transfer/download.ts";
import { gatherWindow, type SizedRows, type WindowSource } from "./gather.ts";
import {
  encodeRowSizes,
  maxSelectedRows,
  type RowSizes,
  selectionWords,
  SIZE_SLOTS,
} from "./row_sizes.ts";
import type { Selection } from "../memory/selection.ts";
import {
  copyGatherTotals,
  encodeTiledGather,
  gatherCapacity,
  tiledBytes,
  type TiledGather,
  tiledWindow,
} from "../strategies/tiled_gather.ts";
import { Totals } from "../transfer/readback.ts";
import { BLOCK_SCAN_WGSL, encodeScan } from "../dispatch/scan.ts";
import { Scope } from "../memory/scope.ts";
import { allToDevice } from "../transfer/to_device.ts";

/** The rows of one workgroup of `filter.wgsl`. */
const MASK_BLOCK_ROWS = 8_192;

/**
 * Returns the rows of `columns` where the bool column `mask` is true. Where every row stays, the
 * result shares the given columns. The host filters columns that the device cannot hold.
 */
export async function filterOnDevice(
  context: WebGpuContext,
  columns: readonly Column[],
  mask: Column,
  numRows: number,
): Promise<ResultRows> {
  using scope = new Scope();
  const [maskColumn, ...placed] = await allToDevice(context, scope, [mask, ...columns], "filter");
  if (maskColumn?.place !== "device" || maskColumn.type.kind !== "bool") {
    throw new TypeError("The mask of a filter is not a bool column");
  }
  const onDevice = placed.filter((column) => column.place === "device");
  const filter = new DeviceFilter(context, maskColumn, onDevice, numRows);
  const kept = await filter.run();
  if (kept === null) return { columns: columns.map(retainColumn), numRows };
  const gathered = kept.columns.values();
  if (onDevice.length === columns.length) return { columns: [...gathered], numRows: kept.numRows };
  using made = new Scope();
  for (const column of kept.columns) made.own(column);
  const stayed = placed.filter(({ place }) => place === "host");
  const onHost = (await filterOnHost(context, stayed, maskColumn)).values();
  made.keep();
  const merged = placed.map(({ place }): Column =>
    (place === "host" ? onHost : gathered).next().value!
  );
  return { columns: merged, numRows: kept.numRows };
}

async function filterOnHost(
  context: WebGpuContext,
  columns: readonly Column[],
  mask: WebGpuColumn,
): Promise<Column[]> {
  const [hostMask, ...hostColumns] = await downloadColumns(context, [mask, ...columns]);
  return takeRows(hostColumns, selectTrue(hostMask!), mask.length);
}

/** The filter of one range of rows, between selection and gather. */
interface RangeFilter {
  readonly range: AlignedRange;
  readonly selection: Selection;
  /**
   * For each column of text or lists, in order: its scanned sizes, or its rows where one pass has
   * gathered them.
   */
  readonly sized: (RowSizes | TiledGather)[];
  /** The slot of the number of rows. The totals of the columns of `sized` follow. */
  readonly slot: number;
}

/** A filter of columns that are on the device. */
class DeviceFilter {
  readonly #context: WebGpuContext;
  readonly #columns: readonly WebGpuColumn[];
  readonly #ranges: readonly AlignedRange[];
  readonly #mask: WebGpuColumn;
  /** The number of slots for the totals of a range. */
  readonly #slots: number;

  constructor(
    context: WebGpuContext,
    mask: WebGpuColumn,
    columns: readonly WebGpuColumn[],
    numRows: number,
  ) {
    this.#context = context;
    this.#mask = mask;
    this.#columns = columns;
    this.#slots = 1 + SIZE_SLOTS * columns.filter(({ type }) => hasOffsets(type)).length;
    this.#ranges = alignWindows([mask, ...columns], numRows, maxSelectedRows(context.windowBytes));
  }

  /** Returns the rows that stay, in new columns; null if every row stays. */
  async run(): Promise<{ columns: WebGpuColumn[]; numRows: number } | null> {
    const context = this.#context;
    using scope = new Scope();
    const slots = this.#ranges.length * this.#slots;
    const totals = scope.own(await Totals.create(context, slots));
    using commands = new Commands(context, "filter sizes");
    const filters: RangeFilter[] = [];
    for (const range of this.#ranges) {
      const slot = filters.length * this.#slots;
      filters.push(await this.#encodeSelection(scope, commands, range, totals, slot));
    }
    const values = await totals.read(commands);
    if (filters.every(({ range, slot }) => values[slot] === range.length)) return null;
    return await this.#gather(
      scope,
      filters,
      await this.#inTwoPasses(scope, filters, totals, values),
    );
  }

  async #encodeSelection(
    scope: Scope,
    commands: Commands,
    range: AlignedRange,
    { buffer: totals }: Totals,
    slot: number,
  ): Promise<RangeFilter> {
    const context = this.#context;
    const { length, views } = range;
    const blocks = Math.ceil(length / MASK_BLOCK_ROWS);
    const acquire = async (words: number, label: string) =>
      scope.own(await context.pool.acquire("storage", 4 * words, label));
    const sums = await acquire(blocks, "filter sums");
    const rows = await acquire(selectionWords(length), "filter selection");
    const params = [...viewParams(views[0]!), length, 0, blocks, 0];
    params[1] = this.#mask.hasValidity ? 1 : 0;
    const dispatch = {
      params,
      storage: [views[0]!.window.buffer, sums, rows],
      workgroups: blocks,
    };
    commands.dispatch(await this.#pipeline("count_true"), dispatch);
    await encodeScan(context, commands, { sums, firstWord: 0, blocks, totals, slot });
    commands.dispatch(await this.#pipeline("select_true"), dispatch);
    const selection = { rows, start: 0, length, mayMiss: false };
    const filter: RangeFilter = { range, selection, sized: [], slot };
    for (const source of this.#sizedSources(range)) {
      const capacity = gatherCapacity(context, source, "filter", length);
      const first = slotOf(filter, filter.sized.length);
      if (capacity === null) {
        filter.sized.push(
          await this.#encodeSizes(scope, commands, source, selection, totals, first),
        );
      } else {
        // If every row of a range stays, so may every row of the batch; then nothing is gathered.
        const options = { capacity, notOf: length };
        const made = await encodeTiledGather(context, scope, commands, source, selection, options);
        copyGatherTotals(commands, made, totals, first);
        filter.sized.push(made);
      }
    }
    return filter;
  }

  /** Returns the sources of the columns of text and lists, in order. */
  #sizedSources({ views }: AlignedRange): WindowSource[] {
    return this.#columns.flatMap(({ type, hasValidity }, k) =>
      hasOffsets(type) ? [{ type, hasValidity, views: [views[k + 1]!], label: "filter" }] : []
    );
  }

  #encodeSizes(
    scope: Scope,
    commands: Commands,
    source: WindowSource,
    selection: Selection,
    totals: PooledBuffer,
    slot: number,
  ): Promise<RowSizes> {
    const total = { totals, slot, count: 1, step: selection.length };
    return encodeRowSizes(this.#context, scope, commands, source, selection, total);
  }

  /** Encodes the sizes of what one pass could not gather, for two passes; returns all totals. */
  async #inTwoPasses(
    scope: Scope,
    filters: readonly RangeFilter[],
    totals: Totals,
    values: Uint32Array,
  ): Promise<Uint32Array> {
    using commands = new Commands(this.#context, "filter sizes");
    let isCounted = true;
    for (const filter of filters) {
      const length = values[filter.slot]!;
      const selection = { ...filter.selection, length };
      for (const [k, source] of this.#sizedSources(filter.range).entries()) {
        const slot = slotOf(filter, k);
        if (length === 0 || !("states" in filter.sized[k]!)) continue;
        const bytes = tiledBytes(this.#context, length, values, slot);
        if (bytes !== null && bytes <= filter.sized[k].capacity) continue;
        isCounted = false;
        const { buffer } = totals;
        filter.sized[k] = await this.#encodeSizes(scope, commands, source, selection, buffer, slot);
      }
    }
    return isCounted ? values : await totals.read(commands);
  }

  #pipeline(entry: "count_true" | "select_true") {
    return this.#context.pipelines.get({
      label: `filter ${entry}`,
      code: BLOCK_SCAN_WGSL + filterWgsl,
      entry,
      storage: ["read", "write", "write"],
    });
  }

  async #gather(
    scope: Scope,
    filters: readonly RangeFilter[],
    totals: Uint32Array,
  ): Promise<{ columns: WebGpuColumn[]; numRows: number }> {
    using made = new Scope();
    using commands = new Commands(this.#context, "filter");
    const windows = this.#columns.map((): ColumnWindow[] => []);
    let numRows = 0;
    for (const filter of filters) {
      const { range, slot } = filter;
      const length = totals[slot]!;
      if (length === 0) continue;
      const selection = { ...filter.selection, length };
      let nextSized = 0;
      for (const [k, { type, hasValidity }] of this.#columns.entries()) {
        const source = { type, hasValidity, views: [range.views[k + 1]!], label: "filter" };
        const at = hasOffsets(type) ? nextSized++ : null;
        const own = at === null ? null : filter.sized[at]!;
        const first = slotOf(filter, at ?? 0);
        let window: ColumnWindow | null;
        if (own !== null && "states" in own) {
          const rows = { start: numRows, length, dataBytes: totals[first + 1]! };
          window = await tiledWindow(this.#context, scope, commands, own, rows);
        } else {
          const sized = own === null ? undefined : sizedRows(own, totals, first);
          const job = { ...source, sized };
          window = await gatherWindow(this.#context, commands, job, selection, numRows);
        }
        if (window === null) throw new DeviceError("Some rows of a window do not fit a window");
        made.own(window.buffer);
        windows[k]!.push(window);
      }
      numRows += length;
    }
    commands.submit();
    made.keep();
    const columns = this.#columns.map(({ type, hasValidity, ascii, isUtf8, numLongRows }, k) =>
      new WebGpuColumn({ type, hasValidity, ascii, isUtf8, numLongRows, windows: windows[k]! })
    );
    return { columns, numRows };
  }
}

/** Returns the slot of the first total of a column of text or lists. */
function slotOf({ slot }: RangeFilter, sized: number): number {
  return slot + 1 + SIZE_SLOTS * sized;
}

/** Returns the sizes of all rows of a selection. */
function sizedRows(sizes: RowSizes, totals: Uint32Array, slot: number): SizedRows {
  return {
    sizes,
    rows: { start: 0, stop: totals[slot]! },
    itemBytes: { start: 0, stop: totals[slot + 1]! },
  };
}
