/**
 * Computes the parts of batches that the main thread offers to a worker.
 *
 * @module
 */

import { sharedRuntime } from "../runtime/shared_runtime.ts";
import { layout } from "./layout.ts";
import {
  defineKernel,
  globals,
  instantiate,
  type WasmFunctions,
  type WorkerKernel,
} from "./worker_kernel.ts";

type Numbers = { [index: number]: number; readonly length: number };
type ArrayType = new (buffer: ArrayBufferLike, at: number, length: number) => Numbers;

/** A WebAssembly kernel whose constants are in place. */
interface Resident {
  readonly kernel: WorkerKernel;
  readonly places: readonly (number | undefined)[];
  readonly scratch: number;
}

/** Thrown if a part cannot be computed as offered, which is no failure. */
const unfit = new RangeError("The part is for the main thread");
const types = layout.arrayTypes.map((name) => globals[name] as ArrayType);

/** The slots of a worker. */
export class OfferedParts {
  readonly #memory: WebAssembly.Memory;
  readonly #control: Int32Array;
  readonly #utf8Module: Uint8Array;
  readonly #kernels = new Map<number, WorkerKernel>();
  #resident: Resident | undefined;
  #utf8: WasmFunctions | undefined;

  /** `utf8Module` is the module that checks text. */
  constructor(memory: WebAssembly.Memory, utf8Module: Uint8Array) {
    this.#memory = memory;
    this.#control = new Int32Array(memory.buffer, 0, layout.controlBytes / 4);
    this.#utf8Module = utf8Module;
  }

  /** Computes the offered parts; returns false if there are none. */
  compute(): boolean {
    const { offered, taken } = layout;
    let found = false;
    for (let slot = 0; slot < layout.numSlots; slot++) {
      const state = layout.states + slot;
      if (Atomics.compareExchange(this.#control, state, offered, taken) !== offered) continue;
      found = true;
      const start = layout.controlBytes + slot * layout.slotBytes;
      Atomics.store(this.#control, state, this.#tryCompute(start));
      Atomics.notify(this.#control, state);
    }
    return found;
  }

  /**
   * Returns a state after any failure: the main thread computes the part again, and throws or
   * counts the failure.
   */
  #tryCompute(start: number): number {
    try {
      this.#compute(start);
      return layout.done;
    } catch (error) {
      return error === unfit ? layout.unfit : layout.failed;
    }
  }

  /** Computes the part of the slot that begins at `start`. */
  #compute(start: number): void {
    const { buffer } = this.#memory;
    const header = new Int32Array(buffer, start, layout.headerBytes / 4);
    const at = (word: number) => header[word] as number;
    const kernel = this.#kernelOf(
      at(layout.kernel),
      start + at(layout.definitionAt),
      at(layout.definitionBytes),
    );
    const numRows = at(layout.numRows);
    const hasOffsets = at(layout.offsetsAt) !== 0;
    const result = new types[at(layout.resultType)]!(
      buffer,
      start + at(layout.resultAt),
      at(layout.resultLength),
    );
    // A kernel does not write the values of null rows.
    if (!hasOffsets) (result as Uint8Array).fill(0);
    const validity = at(layout.validityAt) === 0
      ? null
      : new Uint8Array(buffer, start + at(layout.validityAt), (numRows + 7) >> 3).fill(0xff);
    const { nulls, size } = kernel.wasm === null
      ? this.#runScript(start, header, kernel, result, validity)
      : this.#runWasm(start, header, kernel, kernel.wasm);
    header[layout.nulls] = nulls;
    header[layout.size] = size;
  }

  /** Runs a JavaScript kernel over the part of a slot. */
  #runScript(
    start: number,
    header: Int32Array,
    kernel: WorkerKernel,
    result: Numbers,
    validity: Uint8Array | null,
  ) {
    const { buffer } = this.#memory;
    const at = (word: number) => header[word] as number;
    const numRows = at(layout.numRows);
    const arrays = Array.from({ length: at(layout.numArrays) }, (_, index) => {
      const word = layout.arrays + 4 * index;
      const type = at(word);
      if (type === layout.nullArray) return null;
      if (type === layout.constantArray) return kernel.constants[index];
      const array = new types[type]!(buffer, start + at(word + 1), at(word + 2));
      const base = at(word + 3);
      if (base !== 0 && !kernel.isText[index]) {
        for (let i = 0; i < array.length; i++) array[i]! -= base;
      }
      return array;
    });
    const fixed: Record<string, unknown> = {
      ...sharedRuntime,
      $rows: numRows,
      $result: result,
      $offsets: at(layout.offsetsAt) === 0
        ? null
        : new Int32Array(buffer, start + at(layout.offsetsAt), numRows + 1),
      $validity: validity,
      $grow: () => {
        throw unfit;
      },
    };
    return kernel.run(...kernel.fixed.map((name) => fixed[name]), ...arrays);
  }

  /** Runs a WebAssembly kernel over the part of a slot, in place. */
  #runWasm(start: number, header: Int32Array, kernel: WorkerKernel, wasm: WasmFunctions) {
    const at = (word: number) => header[word] as number;
    const { places, scratch } = this.#residentOf(kernel);
    const arrays = Array.from({ length: at(layout.numArrays) }, (_, index) => {
      const word = layout.arrays + 4 * index;
      if (at(word) === layout.nullArray) return 0;
      if (at(word) === layout.constantArray) return places[index] as number;
      const place = start + at(word + 1);
      if (!kernel.isText[index]) return place;
      this.#checkText(start, header, kernel, wasm, index);
      // The place where the text of the whole column would begin, since the offsets stay unchanged.
      return place - at(word + 3);
    });
    const [stop, size, nulls] = wasm.run(
      0,
      at(layout.numRows),
      start + at(layout.resultAt),
      at(layout.resultLength) - layout.roomBytes,
      start + at(layout.offsetsAt),
      0,
      start + at(layout.validityAt),
      scratch,
      ...arrays,
    );
    if (stop < at(layout.numRows)) throw unfit;
    return { nulls, size };
  }

  /** Makes the check of a text array that the header asks for. */
  #checkText(
    start: number,
    header: Int32Array,
    kernel: WorkerKernel,
    wasm: WasmFunctions,
    index: number,
  ): void {
    const at = (word: number) => header[word] as number;
    const word = layout.arrays + 4 * index;
    const [place, size] = [start + at(word + 1), at(word + 2)];
    if (at(layout.check) === layout.checks.ascii && wasm.isAscii(place, size) === 0) throw unfit;
    if (at(layout.check) !== layout.checks.utf8) return;
    const starts = start + at(layout.arrays + 4 * kernel.offsetsOf[index]! + 1);
    this.#utf8 ??= instantiate(this.#utf8Module, this.#memory);
    if (this.#utf8.areUtf8(place, size, starts, at(layout.numRows)) === 0) throw unfit;
  }

  /** Returns the places of the constants of a WebAssembly kernel. */
  #residentOf(kernel: WorkerKernel): Resident {
    if (this.#resident?.kernel === kernel) return this.#resident;
    const { constantsAt, constantsBytes, roomBytes } = layout;
    let next = constantsAt;
    const place = (size: number) => {
      const here = next;
      next = (here + size + roomBytes + 15) & ~15;
      if (next > constantsAt + constantsBytes) throw unfit;
      return here;
    };
    const places = kernel.constants.map((constant) => {
      if (constant === null) return undefined;
      const { buffer: source, byteLength } = constant;
      const here = place(byteLength);
      new Uint8Array(this.#memory.buffer, here, byteLength).set(new Uint8Array(source));
      return here;
    });
    const scratch = place(4 * kernel.scratchWords);
    return this.#resident = { kernel, places, scratch };
  }

  /** Returns the kernel of a number. The bytes at `at` define it if it is not known. */
  #kernelOf(number: number, at: number, size: number): WorkerKernel {
    const kernels = this.#kernels;
    let kernel = kernels.get(number);
    if (kernel === undefined) {
      if (size === 0) throw unfit;
      // TextDecoder does not accept shared memory.
      const bytes = new Uint8Array(this.#memory.buffer, at, size).slice();
      // The main thread defines a forgotten kernel again, after one part that is not computed here.
      if (kernels.size >= layout.maxKernels) kernels.clear();
      kernel = defineKernel(JSON.parse(new TextDecoder().decode(bytes)), this.#memory);
      kernels.set(number, kernel);
    }
    return kernel;
  }
}
