/**
 * The program of a thread that encodes a Parquet file.
 *
 * @module
 */

import { threadScope } from "../../../../base/threads/scope.ts";
import { loadParquetWasm } from "../module/module.ts";
import { ModuleWriter } from "../module/module_writer.ts";
import { writerProperties } from "../module/properties.ts";
import type { FromEncodeWorker, ToEncodeWorker } from "./encode_messages.ts";

const scope = threadScope<ToEncodeWorker, FromEncodeWorker>();
let writer: ModuleWriter;
let last: Promise<void> = Promise.resolve();

scope.addEventListener("message", ({ data }) => {
  last = last.then(() => take(data)).catch(({ message }) => {
    scope.postMessage({ kind: "failed", problem: message });
  });
});
// Load early, before rows come. If loading fails, the first message reports the error.
loadParquetWasm().catch(() => {});

async function take(message: ToEncodeWorker): Promise<void> {
  if (message.kind === "open") {
    const wasm = await loadParquetWasm();
    writer = new ModuleWriter(wasm, writerProperties(wasm, message.layout));
  } else if (message.kind === "rows") {
    const { buffer: memory } = message.stream;
    await writer.write([message.stream]);
    const { chunks, transfer } = written();
    scope.postMessage({ kind: "written", chunks, memory }, [...transfer, memory]);
  } else {
    await writer.end();
    const { chunks, transfer } = written();
    scope.postMessage({ kind: "ended", chunks }, transfer);
  }
}

/** Returns the bytes encoded since the last answer, and their memory to transfer. */
function written() {
  const chunks = writer.take() as Uint8Array<ArrayBuffer>[];
  return { chunks, transfer: chunks.map(({ buffer }) => buffer) };
}
