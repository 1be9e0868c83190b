/**
 * Writes a Parquet file that another thread encodes.
 *
 * @module
 */

import { joinChunks } from "../module/join_chunks.ts";
import type { PieceWriter } from "../module/piece_writer.ts";
import type { ParquetLayout } from "../module/properties.ts";
import type { EncodeWorker } from "./encode_worker.ts";
import type { FromEncodeWorker } from "./encode_messages.ts";

/** The most pieces that the worker has not written yet: the one that it writes, and the next. */
const mostAhead = 2;

/** Passes the pieces of a file to a worker, which encodes them. */
export class WorkerWriter implements PieceWriter {
  readonly #worker: EncodeWorker;
  #numAhead = 0;
  #chunks: Uint8Array[] = [];
  /** The memory of written pieces, to be used again. */
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];

  constructor(worker: EncodeWorker, layout: ParquetLayout) {
    this.#worker = worker;
    worker.post({ kind: "open", layout });
  }

  async write(piece: readonly Uint8Array[]): Promise<void> {
    for (let answer = this.#worker.poll(); answer !== undefined; answer = this.#worker.poll()) {
      this.#note(answer);
    }
    while (this.#numAhead >= mostAhead) this.#note(await this.#worker.next());
    const stream = joinChunks(piece, this.#spare.pop());
    this.#numAhead++;
    this.#worker.post({ kind: "rows", stream }, [stream.buffer]);
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

  /** Whether it was the last answer. */
  #note(answer: FromEncodeWorker): boolean {
    if (answer.kind === "failed") throw new TypeError(answer.problem);
    this.#chunks.push(...answer.chunks);
    if (answer.kind === "ended") return true;
    this.#numAhead--;
    this.#spare.push(new Uint8Array(answer.memory));
    return false;
  }
}
