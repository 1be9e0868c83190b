/**
 * The memory of this thread in which the WebAssembly of kernels runs.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import type { RowKernel } from "../../kernel/ir/ir.ts";
import { WASM_ROOM, type WasmRun } from "../../kernel/emit/host/calling_convention.ts";
import { areRowsUtf8 } from "../../column/utf8.ts";
import { type Utf8Functions, utf8FunctionsIn } from "../../wasm/utf8_functions.ts";
import type { WasmFunctions } from "../kernels/compiled_kernel.ts";
import { type KernelWork, partsOf } from "../kernels/kernel_work.ts";
import {
  bytesOf,
  isTextOf,
  type NumberArray,
  offsetsIndex,
  type Rows,
} from "../kernels/kernel_arrays.ts";
import { NOT_ASCII, NOT_UTF8, type WrongText } from "../kernels/kernel_result.ts";
import type { PartedResult } from "../kernels/parted_result.ts";

/** Bytes of an arena: for what a part reads, and for what comes out. */
const ARENA_BYTES = 4 << 20;
const PAGE_BYTES = 1 << 16;
/** Bytes of constants up to which there is room for what changes besides them. */
const MAX_CONSTANT_BYTES = ARENA_BYTES / 4;
/** Bytes at the start in which nothing lies. */
const FIRST = 1024;

/** The kernel whose constants are there. */
interface Resident {
  /** Kernels with other constants may have the same code. */
  readonly kernel: RowKernel;
  readonly functions: WasmFunctions;
  readonly scratch: number;
  /** Places of the arrays that do not change; undefined for the others. */
  readonly places: readonly (number | undefined)[];
  /** Where there is room behind them. */
  readonly next: number;
}

/** Where parts of a result lie; 0 where there is none. */
interface ResultPlaces {
  readonly offsets: number;
  readonly validity: number;
  /** Values of fixed width, or text. */
  readonly values: number;
}

/**
 * Memory of WebAssembly in which kernels run part by part: what a part reads is copied in, what comes
 * out is copied out, while both are in the cache.
 */
class WasmArena {
  readonly #memory = new WebAssembly.Memory({
    initial: ARENA_BYTES / PAGE_BYTES,
    maximum: ARENA_BYTES / PAGE_BYTES,
  });
  readonly #bytes = new Uint8Array(this.#memory.buffer);
  #resident: Resident | undefined;
  #utf8: Utf8Functions | undefined;

  /**
   * Computes some rows and adds them to the result. They are "unfit" where there is no room for them,
   * or for the text of one; the result then has some of them. Gives what is wrong with their text, if
   * that has to be checked.
   */
  compute(work: KernelWork, rows: Rows, result: PartedResult): "done" | "unfit" | WrongText {
    const resident = work.asWasm ? this.#residentOf(work) : null;
    if (resident === null) return "unfit";
    const space = new Space(this.#bytes, resident.next);
    const arrays = placeArrays(work, rows, resident, space);
    const count = rows.stop - rows.start;
    const values = result.valuesOf(rows);
    const validity = result.validityOf(rows);
    const places: ResultPlaces = {
      offsets: result.offsets === null ? 0 : space.take(4 * (count + 1)),
      validity: validity === null ? 0 : space.take(validity.length),
      // Text comes last, and may fill what is left.
      values: space.take(values?.byteLength ?? 0),
    };
    if (!space.fits) return "unfit";
    if (work.check === "ascii" && !isAscii(work, rows, resident, arrays)) return NOT_ASCII;
    if (work.check === "utf8" && !this.#isUtf8(work, rows, arrays)) return NOT_UTF8;
    const valueBytes = this.#bytesAt(places.values, values).fill(0);
    const validityBytes = this.#bytesAt(places.validity, validity).fill(0xff);
    if (!this.#runRows(resident, rows, result, places, arrays)) return "unfit";
    if (values !== null) bytesOf(values).set(valueBytes);
    validity?.set(validityBytes);
    return "done";
  }

  #bytesAt(place: number, array: NumberArray | null): Uint8Array {
    return this.#bytes.subarray(place, place + (array?.byteLength ?? 0));
  }

  /** Runs a kernel until all rows are done, and takes text out whenever the room for it is full. */
  #runRows(
    { functions, scratch }: Resident,
    { start, stop }: Rows,
    result: PartedResult,
    { offsets, validity, values }: ResultPlaces,
    arrays: readonly number[],
  ): boolean {
    const count = stop - start;
    const capacity = ARENA_BYTES - WASM_ROOM - values;
    for (let first = 0; first < count;) {
      const base = result.size;
      const places = [values, capacity, offsets, base, validity, scratch, ...arrays];
      const [next, size, nulls] = tryRun(functions.run, first, count, ...places);
      if (next === first) return false;
      if (result.offsets !== null) {
        if (!result.append(this.#bytes.subarray(values, values + size))) return false;
        const ends = new Int32Array(this.#memory.buffer, offsets + 4 * (first + 1), next - first);
        result.offsets.set(ends, start + first + 1);
      }
      result.nulls += nulls;
      first = next;
    }
    return true;
  }

  /** Whether the text of some rows that lie here is UTF-8. */
  #isUtf8({ code, columns }: KernelWork, rows: Rows, arrays: readonly number[]): boolean {
    const { ir, convention } = code;
    const utf8 = this.#utf8 ??= utf8FunctionsIn(this.#memory);
    return convention.arrays.every((wanted, index) => {
      if (!isTextOf(ir, wanted)) return true;
      const column = columns[wanted.column]!;
      const { first, size } = textOf(column, rows);
      const starts = arrays[offsetsIndex(convention, wanted.column)]!;
      const count = rows.stop - rows.start;
      // Below nulls there may be anything.
      return utf8.areUtf8(arrays[index]! + first, size, starts, count) !== 0 ||
        areRowsUtf8(column, rows.start, rows.stop);
    });
  }

  /** The kernel with its constants, put there if it is another one; null where there is no room. */
  #residentOf({ code, arrays }: KernelWork): Resident | null {
    const { ir, wasm } = code;
    if (wasm === null) return null;
    if (this.#resident?.kernel === ir) return this.#resident;
    const constants = code.convention.arrays.map(({ array }, index) =>
      array === "literals" || array === "table" ? arrays[index] ?? null : null
    );
    const scratchBytes = 4 * (ir.scratchWords ?? 0);
    // Looked at before anything is written: the kernel whose constants are there keeps them.
    const size = constants.reduce((sum, array) => sum + (array?.byteLength ?? 0), scratchBytes);
    if (size > MAX_CONSTANT_BYTES) return null;
    this.#resident = undefined;
    const space = new Space(this.#bytes, FIRST);
    const places = constants.map((array) => array === null ? undefined : space.put(array));
    const scratch = space.take(scratchBytes);
    this.#bytes.fill(0, scratch, scratch + scratchBytes);
    return this.#resident = {
      kernel: ir,
      functions: code.functionsIn(this.#memory, wasm),
      scratch,
      places,
      next: space.next,
    };
  }
}

/** Where the arrays of a kernel lie. */
function placeArrays(work: KernelWork, rows: Rows, resident: Resident, space: Space): number[] {
  const { code: { convention }, columns } = work;
  return partsOf(work, rows).map((part, index) => {
    const constant = resident.places[index];
    const wanted = convention.arrays[index];
    if (constant !== undefined) return constant;
    if (part === null || wanted === undefined) return 0;
    const column = "column" in wanted ? columns[wanted.column] : undefined;
    if (wanted.array !== "data" || column === undefined || column.offsets === null) {
      return space.put(part);
    }
    // Offsets stay as they are: the place is where the text of the whole column would begin.
    const { first, size } = textOf(column, rows);
    return space.put(part.subarray(first, first + size)) - first;
  });
}

/** Whether the text of some rows, which lies in the arena, is ASCII. */
function isAscii(
  { code, columns }: KernelWork,
  rows: Rows,
  { functions }: Resident,
  arrays: readonly number[],
): boolean {
  return code.convention.arrays.every((wanted, index) => {
    if (!isTextOf(code.ir, wanted)) return true;
    const { first, size } = textOf(columns[wanted.column]!, rows);
    return functions.isAscii(arrays[index]! + first, size) !== 0;
  });
}

/** Where the text of some rows of a column begins, and how many bytes of it there are. */
function textOf({ data, offsets }: HostColumn, { start, stop }: Rows) {
  const first = offsets?.[start] ?? 0;
  return { first, size: data.subarray(first, offsets?.[stop]).length };
}

/** Places in memory, one behind the other. */
class Space {
  readonly #bytes: Uint8Array;
  next: number;
  fits = true;

  constructor(bytes: Uint8Array, first: number) {
    this.#bytes = bytes;
    this.next = first;
  }

  /** A place for some bytes, with room to read more; 0 where there is none. */
  take(size: number): number {
    const place = (this.next + 15) & ~15;
    if (place + size + WASM_ROOM > this.#bytes.length) {
      this.fits = false;
      return 0;
    }
    this.next = place + size + WASM_ROOM;
    return place;
  }

  /** A place with a copy of an array. */
  put(array: NumberArray): number {
    const place = this.take(array.byteLength);
    if (this.fits) this.#bytes.set(bytesOf(array), place);
    return place;
  }
}

/** Runs a kernel; one that reads outside of its memory has not even done its first row. */
function tryRun(run: WasmRun, first: number, ...places: number[]): ReturnType<WasmRun> {
  try {
    return run(first, ...places);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return [first, 0, 0];
    throw error;
  }
}

let arena: WasmArena | undefined;

/** The arena of this thread. */
export function wasmArena(): WasmArena {
  return arena ??= new WasmArena();
}
