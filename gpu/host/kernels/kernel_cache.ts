/** @module */

import { type ColumnType, type HostColumn, stringDataBytes } from "../../column/column.ts";
import type { Variant } from "../../kernel/ir/ir.ts";
import { lowerKernel } from "../../kernel/lower/lower.ts";
import { columnsOf } from "../../kernel/partition/program_for.ts";
import type { Kernel, Program } from "../../kernel/tree/tree.ts";
import {
  type CharacterKernel,
  compileCharacters,
  divideBelowMaps,
  type DividedKernel,
} from "../characters/character_kernel.ts";
import { compileByteMap, type CompiledByteMap } from "./byte_map.ts";
import type { KernelResult } from "./kernel_result.ts";
import type { TextCheck } from "./kernel_work.ts";
import { type CompiledKernel, compileRowKernel, MIN_WASM_ROWS } from "./row_kernel.ts";
import type { HostThreads } from "../threads/host_threads.ts";

/** Bytes of text from which characters are mapped whatever the rows are. */
const MIN_MAP_BYTES = 64 << 10;

/** How kernels run on the host. */
interface HostKernelOptions {
  /** Threads that they run on; without them, they run on this one only. */
  readonly threads?: HostThreads;
  /** Rows of a batch from which WebAssembly is used where there is any. Tests give 1. */
  readonly minWasmRows?: number;
}

/** Compiled kernels, by kernel and variant. One a backend. */
export class HostKernelCache {
  /** Functions that were compiled. */
  compilations = 0;
  /** Programs whose text was taken for ASCII, and was not. */
  readonly #notAscii = new WeakSet<Program>();
  readonly #kernels = new WeakMap<Kernel, Map<string, HostKernel>>();
  readonly #maps = new WeakMap<Kernel, CharacterKernel | null>();
  readonly #divided = new WeakMap<Kernel, DividedKernel | null>();
  readonly #threads: HostThreads | undefined;
  readonly #minWasmRows: number;

  /** Makes an empty cache. */
  constructor({ threads, minWasmRows = MIN_WASM_ROWS }: HostKernelOptions = {}) {
    this.#threads = threads;
    this.#minWasmRows = minWasmRows;
  }

  /** Whether text that was not inspected may be taken for ASCII, to be checked by the kernels. */
  mayGuess(program: Program, numRows: number): boolean {
    return this.mayCheck(numRows) && !this.#notAscii.has(program);
  }

  /** Whether kernels that can do it check the text of so many rows while they read it. */
  mayCheck(numRows: number): boolean {
    return numRows >= this.#minWasmRows;
  }

  /** Notes that a guess was wrong. */
  noteNotAscii(program: Program): void {
    this.#notAscii.add(program);
  }

  /**
   * The kernel as a map of characters, for text of which nothing has to be known; null where it is none
   * or where the text is too little for it.
   */
  characters(kernel: Kernel, column: HostColumn): CharacterKernel | null {
    if (this.#minWasmRows === Infinity) return null;
    if (column.length < this.#minWasmRows && stringDataBytes(column) < MIN_MAP_BYTES) return null;
    let map = this.#maps.get(kernel);
    if (map === undefined) this.#maps.set(kernel, map = compileCharacters(kernel));
    return map;
  }

  /**
   * The kernel as two, with the column `index` between them, where the characters of what the first
   * makes are mapped sooner in a column than while it makes them; null where that is not so.
   */
  divided(kernel: Kernel, index: number, numRows: number): DividedKernel | null {
    if (numRows < this.#minWasmRows) return null;
    let divided = this.#divided.get(kernel);
    if (divided === undefined) {
      this.#divided.set(kernel, divided = divideBelowMaps(kernel, index));
    }
    return divided;
  }

  /** Runs a kernel over the rows of its columns; see `CompiledKernel`. */
  run(
    compiled: HostKernel,
    columns: readonly HostColumn[],
    numRows: number,
    check: TextCheck,
  ): KernelResult {
    return this.#threads?.run(compiled, columns, numRows, check) ??
      compiled.run(columns, numRows, check);
  }

  /** The kernel for a variant, compiled at the first request. */
  get(kernel: Kernel, columnTypes: readonly ColumnType[], variant: Variant): HostKernel {
    let variants = this.#kernels.get(kernel);
    if (variants === undefined) this.#kernels.set(kernel, variants = new Map());
    const key = `${variant.ascii} ${columnsOf(kernel.tree).map((i) => variant.nullable[i])}`;
    let compiled = variants.get(key);
    if (compiled === undefined) {
      compiled = compile(kernel, columnTypes, variant, this.#minWasmRows);
      variants.set(key, compiled);
      this.compilations++;
    }
    return compiled;
  }
}

/** A compiled kernel and what it needs. */
export interface HostKernel extends CompiledKernel, Partial<Pick<CompiledByteMap, "tryRun">> {
  /** Numbers of the program's columns that it takes. */
  readonly columns: readonly number[];
  /** Whether its text is known to be ASCII. */
  readonly ascii: boolean;
}

function compile(
  kernel: Kernel,
  columnTypes: readonly ColumnType[],
  variant: Variant,
  minWasmRows: number,
): HostKernel {
  const ir = lowerKernel(kernel, columnTypes, variant);
  const { columns } = ir;
  return ir.kernel === "byteMap"
    ? { ...compileByteMap(ir), columns, ascii: true }
    : { ...compileRowKernel(ir, minWasmRows), columns, ascii: ir.ascii ?? false };
}
