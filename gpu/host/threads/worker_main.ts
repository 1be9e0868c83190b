/** @module */

import type { Layout } from "./layout.ts";

/** A kernel as it travels to a worker. */
export interface KernelDefinition {
  readonly parameters: readonly string[];
  readonly fixed: readonly string[];
  /** As JavaScript, or as WebAssembly in base64; the other one is empty. */
  readonly body: string;
  readonly wasm: string;
  readonly scratchWords: number;
  /** For each array: whether it is text, of which a part starts at a later position. */
  readonly isText: readonly boolean[];
  /** For each array of text: the number of that of its offsets. */
  readonly offsetsOf: readonly number[];
  /** For each array that never changes: its type and its numbers. */
  readonly constants: readonly (readonly [type: string, numbers: readonly number[]] | null)[];
}

/** What a kernel calls, by the names of its parameters. */
type KernelHelpers = Readonly<Record<string, unknown>>;

/**
 * Takes the parts that are offered and computes them, until the worker is told to leave or had nothing
 * to do for a while. It waits nowhere else. `utf8Module` is the module that checks text, in base64.
 *
 * The source of this function is the source of the worker, so it refers to nothing outside of itself.
 */
export function workerMain(
  memory: WebAssembly.Memory,
  layout: Layout,
  helpers: KernelHelpers,
  utf8Module: string,
): void {
  type WasmFunctions = {
    areUtf8(text: number, size: number, starts: number, numRows: number): number;
    run(...places: number[]): [row: number, size: number, nulls: number];
    isAscii(place: number, size: number): number;
  };
  type Numbers = { [index: number]: number; readonly length: number };
  type ArrayType = new (buffer: ArrayBufferLike, at: number, length: number) => Numbers;
  const buffer = memory.buffer;
  const { offered, taken, done, failed, unfit, nullArray, constantArray } = layout;
  /** Thrown where a part cannot be done as it was offered. That is no failure. */
  const notSo = new RangeError("The part is for the main thread");
  const control = new Int32Array(buffer, 0, layout.controlBytes / 4);
  const kernels = new Map<number, ReturnType<typeof define>>();
  const globals = globalThis as unknown as Readonly<Record<string, unknown>>;
  /** The kernel of WebAssembly whose constants are in their place, and where they are. */
  let resident: { kernel: unknown; places: (number | undefined)[]; scratch: number } | undefined;
  let utf8: WasmFunctions | undefined;
  const types = layout.arrayTypes.map((name) => globals[name] as ArrayType);

  Atomics.store(control, layout.life, layout.here);
  let quietSince = performance.now();
  while (Atomics.load(control, layout.quit) === 0) {
    // Read before the slots: an offer that comes later changes it, so none is missed.
    const bell = Atomics.load(control, layout.bell);
    if (computeOffers()) quietSince = performance.now();
    else {
      while (
        Atomics.load(control, layout.bell) === bell &&
        performance.now() - quietSince < layout.awakeMs
      );
      if (Atomics.wait(control, layout.bell, bell, layout.idleMs) === "timed-out") break;
      quietSince = performance.now();
    }
  }
  Atomics.store(control, layout.life, layout.gone);

  /** Computes what is offered; false where nothing is. */
  function computeOffers(): boolean {
    let found = false;
    for (let slot = 0; slot < layout.numSlots; slot++) {
      const state = layout.states + slot;
      if (Atomics.compareExchange(control, state, offered, taken) !== offered) continue;
      found = true;
      Atomics.store(control, state, tryCompute(layout.controlBytes + slot * layout.slotBytes));
      Atomics.notify(control, state);
    }
    return found;
  }

  /** Any failure concerns the part only: the main thread computes it again, and throws or counts it. */
  function tryCompute(start: number): number {
    try {
      compute(start);
      return done;
    } catch (error) {
      return error === notSo ? unfit : failed;
    }
  }

  function compute(start: number): void {
    const header = new Int32Array(buffer, start, layout.headerBytes / 4);
    const at = (word: number) => header[word] as number;
    const kernel = kernelOf(
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
    // Rows that are null leave their value as it is.
    if (!hasOffsets) (result as Uint8Array).fill(0);
    const validity = at(layout.validityAt) === 0
      ? null
      : new Uint8Array(buffer, start + at(layout.validityAt), (numRows + 7) >> 3).fill(0xff);
    const { nulls, size } = kernel.wasm === null
      ? runScript(start, kernel, result, validity)
      : runWasm(start, kernel, kernel.wasm);
    header[layout.nulls] = nulls;
    header[layout.size] = size;
  }

  /** Runs a kernel of JavaScript over the part of a slot. */
  function runScript(
    start: number,
    kernel: ReturnType<typeof define>,
    result: Numbers,
    validity: Uint8Array | null,
  ) {
    const header = new Int32Array(buffer, start, layout.headerBytes / 4);
    const at = (word: number) => header[word] as number;
    const numRows = at(layout.numRows);
    const arrays = Array.from({ length: at(layout.numArrays) }, (_, index) => {
      const word = layout.arrays + 4 * index;
      const type = at(word);
      if (type === nullArray) return null;
      if (type === constantArray) return kernel.constants[index];
      const array = new types[type]!(buffer, start + at(word + 1), at(word + 2));
      const base = at(word + 3);
      if (base !== 0 && !kernel.isText[index]) {
        for (let i = 0; i < array.length; i++) array[i]! -= base;
      }
      return array;
    });
    const fixed: Record<string, unknown> = {
      ...helpers,
      $rows: numRows,
      $result: result,
      $offsets: at(layout.offsetsAt) === 0
        ? null
        : new Int32Array(buffer, start + at(layout.offsetsAt), numRows + 1),
      $validity: validity,
      $grow: () => {
        throw notSo;
      },
    };
    return kernel.run(...kernel.fixed.map((name) => fixed[name]), ...arrays);
  }

  /** Runs a kernel of WebAssembly over the part of a slot, in its place. */
  function runWasm(start: number, kernel: ReturnType<typeof define>, wasm: WasmFunctions) {
    const header = new Int32Array(buffer, start, layout.headerBytes / 4);
    const at = (word: number) => header[word] as number;
    const { places, scratch } = residentOf(kernel);
    const arrays = Array.from({ length: at(layout.numArrays) }, (_, index) => {
      const word = layout.arrays + 4 * index;
      if (at(word) === nullArray) return 0;
      if (at(word) === constantArray) return places[index] as number;
      const place = start + at(word + 1);
      if (!kernel.isText[index]) return place;
      checkText(start, kernel, wasm, index);
      // Where the text of the whole column would begin: offsets stay as they are.
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
    if (stop < at(layout.numRows)) throw notSo;
    return { nulls, size };
  }

  /** Checks an array of text as far as the header wants it. */
  function checkText(
    start: number,
    kernel: ReturnType<typeof define>,
    wasm: WasmFunctions,
    index: number,
  ): void {
    const header = new Int32Array(buffer, start, layout.headerBytes / 4);
    const at = (word: number) => header[word] as number;
    const word = layout.arrays + 4 * index;
    const [place, size] = [start + at(word + 1), at(word + 2)];
    if (at(layout.check) === layout.checks.ascii && wasm.isAscii(place, size) === 0) throw notSo;
    if (at(layout.check) !== layout.checks.utf8) return;
    const starts = start + at(layout.arrays + 4 * kernel.offsetsOf[index]! + 1);
    utf8 ??= instantiate(utf8Module);
    if (utf8.areUtf8(place, size, starts, at(layout.numRows)) === 0) throw notSo;
  }

  /** Where the constants of a kernel of WebAssembly are. */
  function residentOf(kernel: ReturnType<typeof define>) {
    if (resident?.kernel === kernel) return resident;
    let next = layout.constantsAt;
    const place = (size: number) => {
      const here = next;
      next = (here + size + layout.roomBytes + 15) & ~15;
      if (next > layout.constantsAt + layout.constantsBytes) throw notSo;
      return here;
    };
    const places = kernel.constants.map((constant) => {
      if (constant === null) return undefined;
      const { buffer: source, byteLength } = constant as Uint8Array;
      const here = place(byteLength);
      new Uint8Array(buffer, here, byteLength).set(new Uint8Array(source));
      return here;
    });
    const scratch = place(4 * kernel.scratchWords);
    return resident = { kernel, places, scratch };
  }

  function kernelOf(number: number, at: number, size: number) {
    let kernel = kernels.get(number);
    if (kernel === undefined) {
      if (size === 0) throw notSo;
      // TextDecoder does not accept shared memory.
      const text = new TextDecoder().decode(new Uint8Array(buffer, at, size).slice());
      // A kernel that is forgotten is defined again, after one part that is not done here.
      if (kernels.size >= layout.maxKernels) kernels.clear();
      kernels.set(number, kernel = define(JSON.parse(text)));
    }
    return kernel;
  }

  function define(definition: KernelDefinition) {
    const { parameters, fixed, body, wasm, scratchWords, isText, offsetsOf, constants } =
      definition;
    return {
      fixed,
      isText,
      offsetsOf,
      scratchWords,
      run: new Function(...parameters, body) as (
        ...args: unknown[]
      ) => { nulls: number; size: number },
      wasm: wasm === "" ? null : instantiate(wasm),
      constants: constants.map((constant) => {
        if (constant === null) return null;
        const type = globals[constant[0]] as { from(numbers: readonly number[]): unknown };
        return type.from(constant[1]);
      }),
    };
  }

  function instantiate(base64: string): WasmFunctions {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
      host: { memory },
    });
    return exports as unknown as WasmFunctions;
  }
}
