/**
 * Independent readers and writers that judge ours. A test loads them when it
 * needs them, by specifiers that static analysis does not see, so that other programs fetch none.
 */

// The packages have types of their own, which are not loaded here.
// deno-lint-ignore-file no-explicit-any

const packages = {
  flechette: "npm:@uwdata/flechette@2.6.0",
  polars: "npm:nodejs-polars@0.25.2",
  duckdb: "npm:@duckdb/node-api@1.5.5-r.5",
  hyparquet: "npm:hyparquet-writer@0.16.9",
  wabt: "npm:wabt@1.0.39",
  webgpu: "npm:webgpu@0.6.2",
} as const;

/** The whole package. */
export async function loadPeer(name: keyof typeof packages): Promise<any> {
  return await import(packages[name]);
}

/** An Arrow file or stream as rows, read by flechette. */
export async function readWithFlechette(bytes: Uint8Array): Promise<Record<string, unknown>[]> {
  const { tableFromIPC } = await loadPeer("flechette");
  return tableFromIPC(bytes, { useBigInt: true, useDate: false }).toArray();
}

/** The rows of a query, run by DuckDB; 64-bit integers as bigint. */
export async function queryDuckDb(sql: string): Promise<Record<string, unknown>[]> {
  const { DuckDBInstance } = await loadPeer("duckdb");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjectsJS();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The module that WABT assembles from the text format of WebAssembly, without names. */
export async function assembleWithWabt(text: string): Promise<Uint8Array> {
  const wabt = await (await loadPeer("wabt")).default();
  const module = wabt.parseWat("module.wat", text, { threads: true, multi_memory: true });
  try {
    return module.toBinary({ write_debug_names: false }).buffer;
  } finally {
    module.destroy();
  }
}
