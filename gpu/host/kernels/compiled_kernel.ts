/**
 * The code of a kernel for one variant of text and nulls: its IR, and the code made from it.
 * JavaScript is printed for the first batch that runs as JavaScript, WebAssembly for the first one
 * that runs as WebAssembly.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import {
  type ByteMapRun,
  type CallingConvention,
  callingConventionOf,
  type KernelOutcome,
  type RunArguments,
  type WasmRun,
} from "../../kernel/emit/host/calling_convention.ts";
import type { RuntimeFunctions } from "../../kernel/emit/host/runtime_functions.ts";
import { emitJavaScriptByteMap } from "../../kernel/emit/javascript/byte_map.ts";
import { emitJavaScript, type JavaScriptKernel } from "../../kernel/emit/javascript/emit.ts";
import { emitWasm, type WasmKernel, wasmModule } from "../../kernel/emit/wasm/emit.ts";
import type { ByteMapKernel, RowKernel } from "../../kernel/ir/ir.ts";
import { hasWords } from "../runtime/has_words.ts";
import { runtime } from "../runtime/runtime.ts";
import { arrayFor, isTextOf, type NumberArray, offsetsIndex } from "./kernel_arrays.ts";

/** The code of a kernel. */
export type CompiledKernel = CompiledRows | CompiledByteMap;

type KernelFunction = (...args: unknown[]) => KernelOutcome;

/** The functions of the WebAssembly module of a row kernel. */
export interface WasmFunctions {
  readonly run: WasmRun;
  isAscii(place: number, size: number): number;
}

/** The code of a kernel that computes row by row. */
export class CompiledRows {
  readonly kind = "row";
  readonly ir: RowKernel;
  readonly convention: CallingConvention;
  /** The bytes of result for a byte of input, in the batches so far. */
  growth = 1;
  /** The items of a list for a row, in the batches so far. */
  itemsPerRow = 4;
  #script: JavaScriptKernel | undefined;
  #function: KernelFunction | undefined;
  #wasm: WasmKernel | null | undefined;
  #functions: WasmFunctions | undefined;

  constructor(ir: RowKernel) {
    this.ir = ir;
    this.convention = callingConventionOf(ir);
  }

  /** Whether the text of the result is known to be ASCII. */
  get makesAscii(): boolean {
    return this.ir.ascii ?? false;
  }

  /** The kernel as JavaScript. */
  get script(): JavaScriptKernel {
    return this.#script ??= emitJavaScript(this.ir, this.convention);
  }

  /** The kernel as WebAssembly; null if it only runs as JavaScript. */
  get wasm(): WasmKernel | null {
    if (this.#wasm === undefined) {
      this.#wasm = hasWords() ? emitWasm(this.ir, this.convention) : null;
    }
    return this.#wasm;
  }

  /** Calls the JavaScript function. */
  call(run: RunArguments, arrays: readonly (ArrayBufferView | null)[]): KernelOutcome {
    const compiled = this.#function ??= functionOf<KernelFunction>(this.script);
    const fixed: RunArguments & RuntimeFunctions = { ...runtime, ...run };
    return compiled(...this.convention.fixed.map((name) => fixed[name]), ...arrays);
  }

  /** Returns the functions of the kernel's WebAssembly, in the only memory of this thread. */
  functionsIn(memory: WebAssembly.Memory, wasm: WasmKernel): WasmFunctions {
    if (this.#functions === undefined) {
      const module = new WebAssembly.Module(wasmModule(wasm, false) as BufferSource);
      const { exports } = new WebAssembly.Instance(module, { host: { memory } });
      this.#functions = exports as unknown as WasmFunctions;
    }
    return this.#functions;
  }

  /** Returns the arrays that the functions take, over all rows. */
  arrays(columns: readonly HostColumn[], numRows: number): (NumberArray | null)[] {
    return this.convention.arrays.map((array) =>
      arrayFor(this.ir, columns, array, numRows) as NumberArray | null
    );
  }

  /** Returns the indices of the text columns that the kernel can check while it reads them. */
  checks(): readonly number[] {
    if (this.wasm === null) return [];
    return this.convention.arrays.flatMap((wanted) =>
      isTextOf(this.ir, wanted) && offsetsIndex(this.convention, wanted.column) >= 0
        ? [wanted.column]
        : []
    );
  }
}

/** The code of a kernel that replaces bytes. */
export class CompiledByteMap {
  readonly kind = "byteMap";
  readonly makesAscii = true;
  readonly ir: ByteMapKernel;
  /** The replacement of each byte. */
  readonly table: Uint8Array = new Uint8Array(256);
  #function: ByteMapRun | undefined;

  constructor(ir: ByteMapKernel) {
    this.ir = ir;
    this.table.set(ir.map);
  }

  /** The function that replaces bytes, four at a time. */
  get run(): ByteMapRun {
    return this.#function ??= functionOf<ByteMapRun>(emitJavaScriptByteMap(this.ir.map));
  }
}

function functionOf<F>({ parameters, body }: JavaScriptKernel): F {
  return new Function(...parameters, body) as F;
}
