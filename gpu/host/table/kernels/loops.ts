/**
 * Code that the kernels of tables share. All their parameters are places in memory or numbers.
 * Arrays are complete in a memory, and loads of 16 bytes may read the slack after them.
 *
 * There are two memories: that of the thread, with batches and results, and that of the table,
 * which threads share. JavaScript copies slowly out of shared memory, so results are in the first
 * one.
 *
 * @module
 */

import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { WasmFunction, WasmType } from "../../../wasm/module.ts";

/** The index of the memory of the table in loads and stores; that of the thread is 0. */
export const TABLE = 1;

/** Returns a kernel that is exported under its name. */
export function kernel(
  name: string,
  parameters: readonly string[],
  locals: Readonly<Partial<Record<WasmType, readonly string[]>>>,
  body: WasmCode,
  results: readonly WasmType[] = [],
): WasmFunction {
  const typed = (Object.entries(locals) as [WasmType, readonly string[]][])
    .flatMap(([type, names]) => names.map((local) => [local, type] as const));
  return { name, parameters, results, locals: typed, isExported: true, body };
}

/**
 * Returns a loop over code while the local `at` is below the local `end`; the code advances `at`.
 */
export function until(at: string, end: string, code: WasmCode): WasmCode {
  return wasm`
    block $done
      loop $next
        local.get ${at}; local.get ${end}; i32.ge_u; br_if $done
        ${code}
        br $next
      end
    end
  `;
}

/** Returns code that advances each local by some bytes. */
export function advance(steps: Readonly<Record<string, number>>): WasmCode {
  return Object.entries(steps).map(([local, bytes]) =>
    wasm`local.get ${local}; i32.const ${bytes}; i32.add; local.set ${local}`
  );
}

/**
 * Returns code that copies `size` bytes from a memory to that of the thread, in steps of 16, at
 * least one: it reads and overwrites up to 16 bytes too many. It changes the locals `from`, `to`
 * and `size`.
 */
export function copyText(from: string, to: string, size: string, memory = 0): WasmCode {
  return wasm`
    loop $copy
      local.get ${to}; local.get ${from}; v128.load 0 ${memory}; v128.store 0
      ${advance({ [from]: 16, [to]: 16, [size]: -16 })}
      local.get ${size}; i32.const 0; i32.gt_s; br_if $copy
    end
  `;
}

/**
 * Leaves whether the bit at `bit` is set in the bitmap at `validity`; if `validity` is 0, all are
 * set.
 */
export const isValid: WasmCode = wasm`
  local.get validity; i32.eqz
  local.get validity; local.get bit; i32.const 3; i32.shr_u; i32.add; i32.load8_u 0
  local.get bit; i32.const 7; i32.and; i32.shr_u; i32.const 1; i32.and
  i32.or
`;
