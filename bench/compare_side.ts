/**
 * One side of a comparison of two commits: a process that computes what it is asked, with the library
 * that lies in the folder above it. It is copied beside older versions, and so imports nothing else of
 * the benches.
 *
 * Each line that comes in is a JSON object: `file`, an Arrow file with columns of text, and
 * `expression`. Each line that goes out is one too: `elapsedMs`, or `error` in words.
 *
 * @module
 */

import { tableFromIPC } from "apache-arrow";
import { createEngine, expr, fromBatches, select, withColumns } from "../mod.ts";

const engine = createEngine({ device: "cpu" });
/** The file that was asked for last. */
let path = "";
let bytes = new Uint8Array();

async function timeRun(file: string, expression: string): Promise<number> {
  if (file !== path) [path, bytes] = [file, await Deno.readFile(file)];
  // Batches in objects of their own: nothing that was noted about them in an earlier run helps.
  const { batches } = tableFromIPC(bytes);
  const start = performance.now();
  const stream = fromBatches(batches, { engine })
    .pipeThrough(withColumns({ value: expr(expression) }))
    .pipeThrough(select("value"));
  const result = await Array.fromAsync(stream);
  const elapsedMs = performance.now() - start;
  if (result.length === 0) throw new Error("no batch came out");
  return elapsedMs;
}

// A request is written at once, and the next one when it was answered: chunks are lines.
for await (const line of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const { file, expression } = JSON.parse(line);
  const answer = await timeRun(file, expression).then(
    (elapsedMs) => ({ elapsedMs }),
    (error) => ({ error: `${error}` }),
  );
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(answer) + "\n"));
}
await engine.close();
