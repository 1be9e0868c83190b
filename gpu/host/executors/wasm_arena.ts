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

/** The bytes of an arena, for what a part reads and for its result. */
const ARENA_BYTES = 4 << 20;
const PAGE_BYTES = 1 << 16;
/** The most bytes of constants, which leave enough memory for the rest. */
const MAX_CONSTANT_BYTES = ARENA_BYTES / 4;
/** The first place in use. */
const FIRST = 1024;

/** The kernel whose constants are in the arena. */
interface Resident {
  /** Kernels with other constants may have the same code. */
  readonly kernel: RowKernel;
  readonly functions: WasmFunctions;
  readonly scratch: number;
  /** The places of the constant arrays; undefined for the others. */
  readonly places: readonly (number | undefined)[];
  /** The first place after them. */
  readonly next: number;
}

/** The places of the parts of a result; 0 for a part that it does not have. */
interface ResultPlaces {
  readonly offsets: number;
  readonly validity: number;
  /** Values of fixed width, or text. */
  readonly values: number;
}

/**
 * A WebAssembly memory in which kernels run part by part: the input of a part is copied in, and its
 * result is copied out, while both are in the cache.
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
   * Computes some rows and adds them to the result. Returns "unfit" if there is not enough memory
   * for the rows, or for the text of one row; then the result may have some of the rows already.
   * Returns what is wrong with their text, if the work asks for a check.
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
      // Text comes last, and may fill the rest.
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

  /** Runs a kernel until all rows are done, and copies text out whenever its memory is full. */
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

  /** Whether the text of some rows, which are in the arena, is UTF-8. */
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

  /** Returns the kernel with its constants, copied here if it was not; null if they do not fit. */
  #residentOf({ code, arrays }: KernelWork): Resident | null {
    const { ir, wasm } = code;
    if (wasm === null) return null;
    if (this.#resident?.kernel === ir) return this.#resident;
    const constants = code.convention.arrays.map(({ array }, index) =>
      array === "literals" || array === "table" ? arrays[index] ?? null : null
    );
    const scratchBytes = 4 * (ir.scratchWords ?? 0);
    // Checked before anything is written: the previous kernel keeps its constants then.
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

/** Copies the arrays of a kernel into the arena, and returns their places. */
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
    // The offsets stay unchanged: the place is where the text of the whole column would begin.
    const { first, size } = textOf(column, rows);
    return space.put(part.subarray(first, first + size)) - first;
  });
}

/** Whether the text of some rows, which is in the arena, is ASCII. */
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

/** Returns the first byte of the text of some rows of a column, and the number of its bytes. */
function textOf({ data, offsets }: HostColumn, { start, stop }: Rows) {
  const first = offsets?.[start] ?? 0;
  return { first, size: data.subarray(first, offsets?.[stop]).length };
}

/** Consecutive places in a memory. */
class Space {
  readonly #bytes: Uint8Array;
  next: number;
  fits = true;

  constructor(bytes: Uint8Array, first: number) {
    this.#bytes = bytes;
    this.next = first;
  }

  /** Returns a place for some bytes, with spare bytes to read after them; 0 if there is none. */
  take(size: number): number {
    const place = (this.next + 15) & ~15;
    if (place + size + WASM_ROOM > this.#bytes.length) {
      this.fits = false;
      return 0;
    }
    this.next = place + size + WASM_ROOM;
    return place;
  }

  /** Copies an array to a new place and returns it. */
  put(array: NumberArray): number {
    const place = this.take(array.byteLength);
    if (this.fits) this.#bytes.set(bytesOf(array), place);
    return place;
  }
}

/** Runs a kernel. If it reads outside of its memory, no row counts as done. */
function tryRun(run: WasmRun, first: number, ...places: number[]): ReturnType<WasmRun> {
  try {
    return run(first, ...places);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return [first, 0, 0];
    throw error;
  }
}

let arena: WasmArena | undefined;

/** Returns the arena of this thread. */
export function wasmArena(): WasmArena {
  return arena ??= new WasmArena();
}
