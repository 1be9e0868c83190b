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
  // Else the package's own guess of where its module lies is right wherever npm packages are files.
  if (bytes === undefined) await wasm.default();
  // To compile it while it is read takes twice the processor time.
  else wasm.initSync({ module: new WebAssembly.Module(bytes) });
  return wasm;
}

/** Returns the module, where it is a file that may be read. */
function moduleBytes(): Uint8Array<ArrayBuffer> | undefined {
  try {
    const path = new URL("parquet_wasm_bg.wasm", import.meta.resolve("parquet-wasm/esm"));
    const { state } = Deno.permissions.querySync({ name: "read", path });
    return state === "granted" ? Deno.readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}
