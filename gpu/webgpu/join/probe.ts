/**
 * Probe of a join on the device, one batch at a time.
 *
 * A table without duplicates gives each row at most one pair, so that everything up to the sizes of
 * text is done in one go, with one readback. Otherwise the number of pairs comes first, and then
 * they are taken in chunks. A chunk whose result does not fit a window is halved.
 *
 * @module
 */

import type { KeyType, ResultLimits, ResultRows } from "../../backend.ts";
import { type Column, type ColumnType, type HostColumn, nullColumn } from "../../column/column.ts";
import { DeviceError } from "../../errors.ts";
import { gatherColumn } from "../../column/gather.ts";
import { sliceColumn } from "../../column/slice.ts";
import { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import {
  type AlignedRange,
  alignWindows,
  subRange,
  type WebGpuColumn,
} from "../memory/device_column.ts";
import { maxSelectedRows } from "../gather/gather.ts";
import type { WebGpuJoinTable } from "./join_table.ts";
import {
  type ChunkRequest,
  chunkSlots,
  encodeChunk,
  gatherChunk,
  type Source,
} from "./probe_chunk.ts";
import { payloadSources, probeAllRows } from "./probe_all_rows.ts";
import { encodeLookup, type Probe } from "./probe_pairs.ts";
import { Totals } from "../transfer/readback.ts";
import { Scope } from "../memory/scope.ts";
import { allToDevice, toDevice, withShortRows } from "../transfer/to_device.ts";

/** More pairs of one range are not counted: it is halved. */
const MAX_PAIRS = 2 ** 31 - 1;

/** What a probe is asked for. */
interface ProbeRequest {
  readonly key: Column;
  readonly columns: readonly Column[];
  readonly numRows: number;
  readonly limits: ResultLimits;
}

/** Joins one probe batch; always yields a result, even one without rows. */
export async function* probeOnDevice(
  context: WebGpuContext,
  table: WebGpuJoinTable,
  { key, columns, numRows, limits }: ProbeRequest,
): AsyncGenerator<ResultRows> {
  checkKey(key.type, table.keyType);
  using scope = new Scope();
  const short = await withShortRows(context, key);
  const wholeKey = await toDevice(context, scope, short, "join key");
  const keyColumn = wholeKey ?? await shortKeys(context, scope, short as HostColumn, table);
  const onePair = !table.index.hasDuplicates;
  const probe: Probe = { context, table, onePair, key: keyColumn };
  const canPass = onePair && numRows > 0 && numRows <= limits.rows;
  if (canPass && (table.kind.unmatchedRows > 0 || table.matchesAll)) {
    const result = await probeAllRows(probe, columns, numRows);
    if (result !== null) {
      yield result;
      return;
    }
  }
  // The key is often one of the columns, too; it does not travel twice.
  const there = columns.map((column) => column === key ? wholeKey ?? column : column);
  const placed = await allToDevice(context, scope, there, "join");
  const onDevice = placed.filter((column) => column.place === "device");
  const rowLimit = maxSelectedRows(context.windowBytes);
  const mostRows = Math.max(1, Math.min(Math.floor(limits.rows), rowLimit));
  const ranges = alignWindows([keyColumn, ...onDevice], numRows, rowLimit);
  const batch = new BatchProbe(probe, columns, placed, numRows, mostRows);
  let yielded = false;
  for (const range of ranges) {
    for await (const result of batch.range(range)) {
      yielded = true;
      yield result;
    }
  }
  if (!yielded) yield batch.noRows();
}

/**
 * A key some rows of which are too long for the device. Those that are longer than any key of the
 * table match none, and neither does null, which takes their place.
 */
async function shortKeys(
  context: WebGpuContext,
  scope: Scope,
  key: HostColumn,
  { longestKey }: WebGpuJoinTable,
): Promise<WebGpuColumn> {
  const offsets = key.offsets ?? new Int32Array(key.length + 1);
  const rows = Int32Array.from(
    { length: key.length },
    (_, row) => offsets[row + 1]! - offsets[row]! > longestKey ? -1 : row,
  );
  const column = await toDevice(context, scope, gatherColumn(key, rows), "join key");
  if (column !== null) return column;
  throw new DeviceError(`Cannot join: a key is larger than ${context.windowBytes} bytes`);
}

/** The kernels read a key as what the table holds, or as a narrower integer. */
function checkKey(type: ColumnType, keyType: KeyType): void {
  const fits = type.kind === "int" && keyType.kind === "int"
    ? type.bits <= keyType.bits
    : type.kind === "string" && keyType.kind === "string";
  if (!fits) throw new TypeError(`Cannot probe ${keyType.kind} keys with ${type.kind} keys`);
}

/** A probe of one batch, range by range. */
class BatchProbe {
  readonly #probe: Probe;
  /** The columns as they were given, and as they lie now. */
  readonly #columns: readonly Column[];
  readonly #placed: readonly (WebGpuColumn | HostColumn)[];
  readonly #numRows: number;
  readonly #maxRows: number;

  constructor(
    probe: Probe,
    columns: readonly Column[],
    placed: readonly (WebGpuColumn | HostColumn)[],
    numRows: number,
    maxRows: number,
  ) {
    this.#probe = probe;
    this.#columns = columns;
    this.#placed = placed;
    this.#numRows = numRows;
    this.#maxRows = maxRows;
  }

  /** A result without rows. */
  noRows(): ResultRows {
    const columns = [...this.#placed, ...this.#probe.table.payload];
    return { numRows: 0, columns: columns.map(({ type }) => nullColumn(type, 0)) };
  }

  /** The results of the rows of a range; none where it has no pairs. */
  async *range(range: AlignedRange): AsyncGenerator<ResultRows> {
    const { context, table, onePair } = this.#probe;
    using scope = new Scope();
    const sources = this.#sources(range);
    const isOneChunk = sources.length > 0 && onePair && range.length <= this.#maxRows;
    const numSlots = 1 + (isOneChunk ? chunkSlots(sources) : 0);
    const totals = scope.own(await Totals.create(context, numSlots));
    using commands = new Commands(context, "join lookup");
    const rows = { view: range.views[0]!, length: range.length };
    const lookup = await encodeLookup(this.#probe, scope, commands, rows, totals.buffer, 0);
    const request = { lookup, sources, first: 0, length: range.length };
    const slots = { totals: totals.buffer, firstSlot: 1 };
    const chunk = isOneChunk
      ? await encodeChunk(this.#probe, scope, commands, request, slots)
      : null;
    const values = await totals.read(commands);
    const numPairs = values[0]!;
    if (numPairs === 0) return;
    if (numPairs > MAX_PAIRS) {
      const middle = range.length >>> 1;
      yield* this.range(subRange(range, 0, middle));
      yield* this.range(subRange(range, middle, range.length));
    } else if (sources.length === 0) {
      // Without columns the pairs are only counted.
      yield { numRows: numPairs, columns: [] };
    } else if (chunk !== null) {
      // Each row has at most one pair, so as many pairs as rows are all rows in order.
      table.matchesAll = numPairs === this.#numRows;
      const known = table.matchesAll ? this.#columns : [];
      const result = await gatherChunk(context, chunk, values, numPairs, known);
      if (result !== null) yield result;
      else yield* this.#halves({ ...request, length: numPairs });
    } else {
      for (let first = 0; first < numPairs; first += this.#maxRows) {
        yield* this.#chunk({
          ...request,
          first,
          length: Math.min(this.#maxRows, numPairs - first),
        });
      }
    }
  }

  /** The result of a run of pairs, or of its halves. */
  async *#chunk(request: ChunkRequest): AsyncGenerator<ResultRows> {
    const result = await this.#tryChunk(request);
    if (result !== null) yield result;
    else yield* this.#halves(request);
  }

  async *#halves(request: ChunkRequest): AsyncGenerator<ResultRows> {
    const { first, length } = request;
    if (length < 2) throw new DeviceError("Cannot join: one row of the result exceeds a binding");
    const half = length >>> 1;
    yield* this.#chunk({ ...request, length: half });
    yield* this.#chunk({ ...request, first: first + half, length: length - half });
  }

  async #tryChunk(request: ChunkRequest): Promise<ResultRows | null> {
    const { context } = this.#probe;
    using scope = new Scope();
    const totals = scope.own(await Totals.create(context, chunkSlots(request.sources)));
    using commands = new Commands(context, "join pairs");
    const slots = { totals: totals.buffer, firstSlot: 0 };
    const chunk = await encodeChunk(this.#probe, scope, commands, request, slots);
    const isSized = chunk.sizes.some((sizes) => sizes !== null);
    const values = isSized ? await totals.read(commands) : new Uint32Array(0);
    if (!isSized) commands.submit();
    return await gatherChunk(context, chunk, values, request.length);
  }

  /** The columns of the result for a range: the probe side's, then the payload. */
  #sources({ start, length, views }: AlignedRange): Source[] {
    // The first view is the key's.
    const rest = views.slice(1).values();
    const probeSide = this.#placed.map((column): Source =>
      column.place === "host"
        ? { column: sliceColumn(column, start, start + length), side: "probeRows", view: null }
        : { column, side: "probeRows", view: rest.next().value! }
    );
    return [...probeSide, ...payloadSources(this.#probe.table)];
  }
}
