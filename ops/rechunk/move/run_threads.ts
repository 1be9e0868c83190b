/**
 * The threads that share the chunks of a run: this one, and workers.
 *
 * A free thread takes the next chunk (`SharedQueue`). A worker that fails costs only time: the main
 * thread then repeats the phase alone, and so finds the error itself if there is one.
 *
 * @module
 */

import { SharedQueue } from "../../../base/threads/shared_queue.ts";
import { RunThread } from "./run_thread.ts";
import { moveShared, type PhaseResult, type ThreadSetup } from "./thread_messages.ts";
import type { MovedChunk, Phase, PhaseChunks } from "./phase.ts";

/** The execution of a phase. */
interface PhaseRun {
  /** The chunks of the phase, as this thread moves them. */
  readonly chunks: PhaseChunks;
  /** The number of threads that may take chunks. */
  readonly numThreads: number;
  /** Called with the number of bytes that were moved. */
  moved(bytes: number): void | Promise<void>;
}

/** The options of the workers; their queue is created here. */
interface RunThreadsOptions {
  readonly setup: Omit<ThreadSetup, "queue" | "thread">;
  /** Whether to wait until workers have started, so that they take part in every phase. */
  readonly waits: boolean;
  /** Called with the result of a worker, for the bytes of files that it read and wrote. */
  onFiles(result: PhaseResult): void;
}

/** The threads of a run. Workers start with the first phase that several may share. */
export class RunThreads implements Disposable {
  readonly #options: RunThreadsOptions;
  #queue: SharedQueue | undefined;
  #workers: RunThread[] = [];
  #numStarted = 0;

  constructor(options: RunThreadsOptions) {
    this.#options = options;
  }

  /** Moves all chunks of a phase. Returns the indices of chunks that are missing from the input. */
  async run(phase: Phase, run: PhaseRun): Promise<string[]> {
    if (run.numThreads === 1) return moveAlone(run);
    this.#start(run.numThreads - 1);
    if (this.#options.waits) await Promise.all(this.#workers.map(({ settled }) => settled));
    const workers = this.#workers.filter(({ isReady, thread }) =>
      isReady && thread < run.numThreads
    );
    if (workers.length === 0) return moveAlone(run);
    const { isWhole, missing, reported } = await this.#share(phase, run, workers);
    return isWhole ? missing : moveAlone(run, reported);
  }

  async #share(phase: Phase, { chunks, moved }: PhaseRun, workers: readonly RunThread[]) {
    const queue = this.#queue!;
    const missing: string[] = [];
    let reported = 0;
    const report = async () => {
      const { bytes } = queue;
      const more = bytes - reported;
      reported = bytes;
      if (more > 0) await moved(more);
    };
    queue.reset();
    const results = workers.map((worker) => worker.move(phase));
    try {
      await moveShared(queue, chunks, (chunk) => {
        if (chunk.missing !== undefined) missing.push(chunk.missing);
        return report();
      });
      await chunks.finish();
    } catch (error) {
      queue.stop();
      await finishQuietly(chunks);
      // After this, no worker writes to the memory or to files.
      await Promise.all(results);
      throw error;
    }
    let isWhole = true;
    for (const result of await Promise.all(results)) {
      if (result === null) isWhole = false;
      else {
        this.#options.onFiles(result);
        missing.push(...result.missing);
      }
    }
    this.#workers = this.#workers.filter(({ isGone }) => !isGone);
    if (isWhole) await report();
    return { isWhole, missing, reported };
  }

  /** Starts workers until `numWorkers` have been started in total. */
  #start(numWorkers: number): void {
    this.#queue ??= new SharedQueue();
    const queue = this.#queue.buffer;
    while (this.#numStarted < numWorkers) {
      const thread = ++this.#numStarted;
      this.#workers.push(new RunThread({ ...this.#options.setup, queue, thread }));
    }
  }

  [Symbol.dispose](): void {
    for (const worker of this.#workers) worker.end();
  }
}

/** Moves all chunks in this thread; the first `reported` bytes are not reported again. */
async function moveAlone({ chunks, moved }: PhaseRun, reported = 0): Promise<string[]> {
  const missing: string[] = [];
  let bytes = 0;
  const each = (chunk: MovedChunk) => {
    if (chunk.missing !== undefined) missing.push(chunk.missing);
    const before = Math.max(bytes, reported);
    bytes += chunk.bytes;
    return bytes > before ? moved(bytes - before) : undefined;
  };
  try {
    for (let number = 0; number < chunks.numChunks; number++) await each(await chunks.move(number));
    await chunks.finish();
  } catch (error) {
    await finishQuietly(chunks);
    throw error;
  }
  return missing;
}

/** Completes chunks after a failure, whose error matters more than another one here. */
async function finishQuietly(chunks: PhaseChunks): Promise<void> {
  await chunks.finish().catch(() => {});
}
