/**
 * Counts the work of the host's kernels in JavaScript: the rounds of their loops, and the reads of the
 * functions that they call. Import it before any kernel is compiled.
 */

import { HostKernels } from "../../../gpu/host/host_kernels.ts";

const counted = globalThis as unknown as { steps: number; Function: FunctionConstructor };
counted.steps = 0;

const loops = /^(\s*(?:\$\w+: )?(?:for|while) \(.*\) \{)$/gm;

counted.Function = new Proxy(Function, {
  construct(plain, parts: string[]) {
    const body = parts.at(-1)!.replace(loops, "$1 globalThis.steps++;");
    return new plain(...parts.slice(0, -1), body);
  },
});

for (const name of ["getUint8", "getInt32", "getBigInt64"] as const) {
  const read = DataView.prototype[name] as (...args: unknown[]) => unknown;
  // deno-lint-ignore no-explicit-any -- three functions of different types
  DataView.prototype[name] = function (this: DataView, ...args: any[]): any {
    counted.steps++;
    return read.apply(this, args);
  };
}

/** Kernels whose work is counted. */
export const countedKernels = () => new HostKernels({ minWasmRows: Infinity });

/** The steps that a computation takes. */
export function stepsOf(compute: () => unknown): number {
  counted.steps = 0;
  compute();
  return counted.steps;
}
