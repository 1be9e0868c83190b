/**
 * Writes a Parquet file that a worker encodes.
 *
 * @module
 */

import { joinBytes } from "../../../bytes/join_bytes.ts";
import type { BatchWriter } from "../module/batch_writer.ts";
import type { ParquetLayout } from "../module/properties.ts";
import type { EncodeWorker } from "./encode_worker.ts";
import type { FromEncodeWorker } from "./encode_messages.ts";

/** The most batches at the worker: the one that it encodes, and the next. */
const mostAhead = 2;

/** Sends the batches of a file to a worker, which encodes them. */
export class WorkerWriter implements BatchWriter {
  readonly #worker: EncodeWorker;
  #numAhead = 0;
  #chunks: Uint8Array[] = [];
  /** The memory of encoded batches, to be reused. */
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];

  constructor(worker: EncodeWorker, layout: ParquetLayout) {
    this.#worker = worker;
    worker.post({ kind: "open", layout });
  }

  async write(chunks: readonly Uint8Array[]): Promise<void> {
    for (let answer = this.#worker.poll(); answer !== undefined; answer = this.#worker.poll()) {
      this.#note(answer);
    }
    while (this.#numAhead >= mostAhead) this.#note(await this.#worker.next());
    const joined = joinBytes(chunks, this.#spare.pop());
    this.#numAhead++;
    this.#worker.post({ kind: "rows", stream: joined }, [joined.buffer]);
  }

  async end(): Promise<void> {
    this.#worker.post({ kind: "end" });
    while (!this.#note(await this.#worker.next()));
    this.#worker.end();
  }

  abort(): void {
    this.#worker.end();
  }

  take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** Takes an answer. Returns whether it was the last. */
  #note(answer: FromEncodeWorker): boolean {
    if (answer.kind === "failed") throw new TypeError(answer.problem);
    this.#chunks.push(...answer.chunks);
    if (answer.kind === "ended") return true;
    this.#numAhead--;
    this.#spare.push(new Uint8Array(answer.memory));
    return false;
  }
}
