/**
 * Loads parquet-wasm lazily.
 *
 * @module
 */

export type ParquetWasm = typeof import("parquet-wasm/esm");

let loading: Promise<ParquetWasm> | undefined;

/** Loads parquet-wasm and compiles its module, once. */
export function loadParquetWasm(): Promise<ParquetWasm> {
  return loading ??= load();
}

async function load(): Promise<ParquetWasm> {
  const wasm = await import("parquet-wasm/esm");
  const bytes = moduleBytes();
  // The package's own guess of its module's place is right wherever npm packages are files.
  if (bytes === undefined) await wasm.default();
  // Streaming compilation would take twice the processor time.
  else wasm.initSync({ module: new WebAssembly.Module(bytes) });
  return wasm;
}

/** Returns the bytes of the module, if it is a file that may be read. */
function moduleBytes(): Uint8Array<ArrayBuffer> | undefined {
  try {
    const path = new URL("parquet_wasm_bg.wasm", import.meta.resolve("parquet-wasm/esm"));
    const { state } = Deno.permissions.querySync({ name: "read", path });
    return state === "granted" ? Deno.readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}
