/**
 * The kernels of joins over two memories. A thread gets the module with its table, so this does not
 * import what the module is assembled from.
 *
 * @module
 */

/** The kernels as a memory has them: called with places and numbers. */
export type JoinKernels = Readonly<Record<string, (...places: number[]) => number>>;

/** Returns the kernels between the memory of a thread and that of a table. */
export function joinKernelsOf(
  module: WebAssembly.Module,
  work: WebAssembly.Memory,
  table: WebAssembly.Memory,
): JoinKernels {
  const instance = new WebAssembly.Instance(module, { host: { work, table } });
  return instance.exports as unknown as JoinKernels;
}
