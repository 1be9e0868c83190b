/** @module */

import type { Layout } from "./layout.ts";

/** A kernel as it travels to a worker. */
export interface KernelDefinition {
  readonly parameters: readonly string[];
  readonly fixed: readonly string[];
  readonly body: string;
  /** By the place of the array: the type and the numbers of those that never change. */
  readonly constants: readonly (readonly [type: string, numbers: readonly number[]] | null)[];
}

/** What a kernel calls, by the names of its parameters. */
export type KernelHelpers = Readonly<Record<string, unknown>>;

/**
 * What a worker does until it is told to leave, or until nothing came for a while: it takes parts
 * that are offered and computes them. It waits nowhere else.
 *
 * The source of this function is the source of the worker, so that it names nothing from outside.
 */
export function workerMain(
  buffer: SharedArrayBuffer,
  layout: Layout,
  helpers: KernelHelpers,
): void {
  type Numbers = { [index: number]: number; readonly length: number };
  type ArrayType = new (buffer: ArrayBufferLike, at: number, length: number) => Numbers;
  const { offered, taken, done, failed, nullArray, constantArray } = layout;
  const control = new Int32Array(buffer, 0, layout.controlBytes / 4);
  const kernels = new Map<number, ReturnType<typeof define>>();
  const globals = globalThis as unknown as Readonly<Record<string, unknown>>;
  const types = layout.arrayTypes.map((name) => globals[name] as ArrayType);

  Atomics.store(control, layout.life, layout.here);
  let quietSince = performance.now();
  while (Atomics.load(control, layout.quit) === 0) {
    // Read before the slots are looked at: an offer after that rings it, so that none is missed.
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

  /** Any failure is one of the part: the main thread does it again, and meets it there. */
  function tryCompute(start: number): number {
    try {
      compute(start);
      return done;
    } catch {
      return failed;
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
    const arrays = Array.from({ length: at(layout.numArrays) }, (_, index) => {
      const word = layout.arrays + 4 * index;
      const type = at(word);
      if (type === nullArray) return null;
      if (type === constantArray) return kernel.constants[index];
      const array = new types[type]!(buffer, start + at(word + 1), at(word + 2));
      const base = at(word + 3);
      if (base !== 0) { for (let i = 0; i < array.length; i++) array[i]! -= base; }
      return array;
    });
    const result = new types[at(layout.resultType)]!(
      buffer,
      start + at(layout.resultAt),
      at(layout.resultLength),
    );
    const hasOffsets = at(layout.offsetsAt) !== 0;
    // Rows that are null leave their value as it is.
    if (!hasOffsets) (result as Uint8Array).fill(0);
    const fixed: Record<string, unknown> = {
      ...helpers,
      $rows: numRows,
      $result: result,
      $offsets: hasOffsets
        ? new Int32Array(buffer, start + at(layout.offsetsAt), numRows + 1)
        : null,
      $validity: at(layout.validityAt) === 0
        ? null
        : new Uint8Array(buffer, start + at(layout.validityAt), (numRows + 7) >> 3).fill(0xff),
      $grow: () => {
        throw new RangeError("The result does not fit into the slot");
      },
    };
    const { nulls, size } = kernel.run(...kernel.fixed.map((name) => fixed[name]), ...arrays);
    header[layout.nulls] = nulls;
    header[layout.size] = size;
  }

  function kernelOf(number: number, at: number, size: number) {
    let kernel = kernels.get(number);
    if (kernel === undefined) {
      // A decoder takes no shared memory.
      const text = new TextDecoder().decode(new Uint8Array(buffer, at, size).slice());
      // Who is forgotten is defined again, after one failure.
      if (kernels.size >= layout.maxKernels) kernels.clear();
      kernels.set(number, kernel = define(JSON.parse(text)));
    }
    return kernel;
  }

  function define({ parameters, fixed, body, constants }: KernelDefinition) {
    return {
      fixed,
      run: new Function(...parameters, body) as (
        ...args: unknown[]
      ) => { nulls: number; size: number },
      constants: constants.map((constant) => {
        if (constant === null) return null;
        const type = globals[constant[0]] as { from(numbers: readonly number[]): unknown };
        return type.from(constant[1]);
      }),
    };
  }
}
