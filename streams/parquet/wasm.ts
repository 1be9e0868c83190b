/**
 * parquet-wasm, loaded when the first Parquet file is read or written.
 *
 * @module
 */

/** The functions of parquet-wasm. */
export type ParquetWasm = typeof import("parquet-wasm/esm");

let loading: Promise<ParquetWasm> | undefined;

/** Loads parquet-wasm and compiles its module, once. */
export function loadParquetWasm(): Promise<ParquetWasm> {
  return loading ??= load();
}

async function load(): Promise<ParquetWasm> {
  const wasm = await import("parquet-wasm/esm");
  // The package's own guess of where its module lies is right wherever npm packages are files.
  await wasm.default();
  return wasm;
}
