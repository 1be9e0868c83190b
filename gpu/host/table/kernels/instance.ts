/**
 * Instantiates the kernels of tables over two memories. A thread gets the module with its table, so
 * this file does not import the code that assembles it.
 *
 * @module
 */

/**
 * The place in the memory of a thread where 16 bytes of ones end and 16 bytes of zeros begin: a
 * load from n bytes before it is a mask that keeps n of 16 bytes.
 */
export const MASKS_AT = 80;

/** The kernels by their names, called with places and numbers. */
export type TableKernels = Readonly<Record<string, (...places: number[]) => number>>;

/** Returns the kernels between the memory of a thread and that of a table. */
export function tableKernelsOf(
  module: WebAssembly.Module,
  work: WebAssembly.Memory,
  table: WebAssembly.Memory,
): TableKernels {
  const instance = new WebAssembly.Instance(module, { host: { work, table } });
  return instance.exports as unknown as TableKernels;
}
