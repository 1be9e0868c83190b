/**
 * The kernels that copy boxes, as one WebAssembly module: two nested loops over runs of bytes, with
 * a kernel for each way of copying a run.
 *
 * @module
 */

import { wasm, type WasmCode } from "../../wasm/instructions.ts";
import { encodeModule, onlyMemory, type WasmFunction } from "../../wasm/module.ts";

/**
 * Copies `rows` times `count` runs of `run` bytes; both counts are at least 1. `fromStep` and
 * `toStep` are the bytes from a run to the next one, `fromRow` and `toRow` those from a row to the
 * next one.
 */
export type CopyRuns = (
  from: number,
  to: number,
  run: number,
  count: number,
  fromStep: number,
  toStep: number,
  rows: number,
  fromRow: number,
  toRow: number,
) => void;

/** Kernels by the runs that they copy. */
interface BoxKernels {
  /** Runs of exactly this number of bytes. */
  readonly copy1: CopyRuns;
  readonly copy2: CopyRuns;
  readonly copy4: CopyRuns;
  readonly copy8: CopyRuns;
  readonly copy16: CopyRuns;
  /** Runs of 2 to 4, 4 to 8, and 8 to 16 bytes, as two words that overlap. */
  readonly copyTo4: CopyRuns;
  readonly copyTo8: CopyRuns;
  readonly copyTo16: CopyRuns;
  /** Runs of at least 16 bytes, 16 at a time; the last 16 may overlap those before. */
  readonly copyLong: CopyRuns;
  /** Runs of any length, with `memory.copy`. */
  readonly copyMemory: CopyRuns;
}

/** Load and store instructions by the bytes that they move. */
const WORDS = {
  1: ["i32.load8_u 0", "i32.store8 0"],
  2: ["i32.load16_u 0", "i32.store16 0"],
  4: ["i32.load 0", "i32.store 0"],
  8: ["i64.load 0", "i64.store 0"],
  16: ["v128.load 0", "v128.store 0"],
} as const;

type Width = keyof typeof WORDS;

const kernels: readonly WasmFunction[] = [
  ...([1, 2, 4, 8, 16] as const).map((width) => copyRuns(`copy${width}`, moveFirst(width))),
  ...([2, 4, 8] as const).map((width) =>
    copyRuns(`copyTo${2 * width}`, wasm`${moveFirst(width)}; ${moveLast(width)}`)
  ),
  copyRuns(
    "copyLong",
    wasm`
      local.get source; local.get run; i32.add; i32.const 16; i32.sub; local.set last
      local.get target; local.set next
      local.get source; local.set at
      block $done
        loop $word
          local.get at; local.get last; i32.ge_u; br_if $done
          local.get next; local.get at; v128.load 0; v128.store 0
          local.get next; i32.const 16; i32.add; local.set next
          local.get at; i32.const 16; i32.add; local.set at
          br $word
        end
      end
      ${moveLast(16)}
    `,
  ),
  copyRuns("copyMemory", wasm`local.get target; local.get source; local.get run; memory.copy`),
];

/** The modules for memories that are shared with other threads, and for others. */
const compiled = new Map<boolean, WebAssembly.Module>();

/** Returns the kernels for a memory; compiles each module once. */
export function boxKernels(memory: WebAssembly.Memory): BoxKernels {
  const isShared = !(memory.buffer instanceof ArrayBuffer);
  let module = compiled.get(isShared);
  if (module === undefined) {
    module = new WebAssembly.Module(encodeModule(kernels, onlyMemory(isShared)) as BufferSource);
    compiled.set(isShared, module);
  }
  const { exports } = new WebAssembly.Instance(module, { host: { memory } });
  return exports as unknown as BoxKernels;
}

/**
 * Returns a kernel that runs `code` for each run, whose first bytes are at the locals `source` and
 * `target`.
 */
function copyRuns(name: string, code: WasmCode): WasmFunction {
  return {
    name,
    parameters: [
      ...["from", "to", "run"],
      ...["count", "fromStep", "toStep"],
      ...["rows", "fromRow", "toRow"],
    ],
    results: [],
    locals: ["source", "target", "left", "at", "next", "last"].map((local) => [local, "i32"]),
    isExported: true,
    body: wasm`
      loop $row
        local.get from; local.set source
        local.get to; local.set target
        local.get count; local.set left
        loop $run
          ${code}
          local.get source; local.get fromStep; i32.add; local.set source
          local.get target; local.get toStep; i32.add; local.set target
          local.get left; i32.const 1; i32.sub; local.tee left; br_if $run
        end
        local.get from; local.get fromRow; i32.add; local.set from
        local.get to; local.get toRow; i32.add; local.set to
        local.get rows; i32.const 1; i32.sub; local.tee rows; br_if $row
      end
    `,
  };
}

/** Returns code that copies the first bytes of a run. */
function moveFirst(width: Width): WasmCode {
  const [load, store] = WORDS[width];
  return wasm`local.get target; local.get source; ${load}; ${store}`;
}

/** Returns code that copies the last bytes of a run. */
function moveLast(width: Width): WasmCode {
  const [load, store] = WORDS[width];
  return wasm`
    local.get run; i32.const ${width}; i32.sub; local.set next
    local.get target; local.get next; i32.add
    local.get source; local.get next; i32.add; ${load}; ${store}
  `;
}
