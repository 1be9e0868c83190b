/**
 * One side of a comparison of two commits: a process that computes requests with the library in the folder above
 * it. It is copied into older versions, and so imports nothing else of the benches.
 *
 * Each line of stdin is a JSON object: `file`, an Arrow file with columns of text, and `expression`. Each line of
 * stdout is one too: `elapsedMs`, or `error`, a message.
 *
 * @module
 */

import { tableFromIPC } from "apache-arrow";
import { createEngine, expr, fromBatches, select, withColumns } from "../mod.ts";

const engine = createEngine({ device: "cpu" });
/** The last requested file. */
let path = "";
let bytes = new Uint8Array();

async function timeRun(file: string, expression: string): Promise<number> {
  if (file !== path) [path, bytes] = [file, await Deno.readFile(file)];
  // New objects, so that nothing remembered about batches of an earlier run helps.
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

// Each request is one write, and the next one follows its answer, so chunks are lines.
for await (const line of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const { file, expression } = JSON.parse(line);
  const answer = await timeRun(file, expression).then(
    (elapsedMs) => ({ elapsedMs }),
    (error) => ({ error: `${error}` }),
  );
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(answer) + "\n"));
}
await engine.close();
