/**
 * Sinks, and the jobs that they do step by step.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";

/** A sink that writes one file. */
export interface FileSink extends WritableStream<RecordBatch> {
  /** Its name in errors. */
  readonly name: string;
  /** Bytes written so far. */
  readonly bytesWritten: number;
  /**
   * Its steps one by one, for callers that write several files which appear together. A failed step
   * leaves nothing behind.
   *
   * @internal
   */
  readonly job: SinkJob;
}

/** The steps by which a file comes into being: batches, the end of the file, and its name. */
export interface SinkJob {
  /** Bytes written so far. */
  readonly bytesWritten: number;
  /** Throws if its file cannot be written, as far as that is known beforehand. */
  check(): Promise<void>;
  write(batch: RecordBatch): Promise<void>;
  /** Writes the rest; the file does not appear yet. */
  finish(): Promise<void>;
  /** Makes the file appear under its name. */
  commit(): Promise<void>;
  /** Removes what was written. */
  abort(): void;
}

/** Creates the sink of a job. */
export function sinkOf(name: string, job: SinkJob): FileSink {
  return new JobStream(name, job);
}

class JobStream extends WritableStream<RecordBatch> implements FileSink {
  readonly name: string;
  readonly job: SinkJob;

  constructor(name: string, job: SinkJob) {
    super({
      start: () => job.check(),
      write: (batch) => job.write(batch),
      async close() {
        await job.finish();
        await job.commit();
      },
      abort: () => job.abort(),
    });
    this.name = name;
    this.job = job;
  }

  get bytesWritten(): number {
    return this.job.bytesWritten;
  }
}

/** Creates a job that is loaded with its first step. */
export function lateJob(load: () => Promise<SinkJob>): SinkJob {
  return new LateJob(load);
}

class LateJob implements SinkJob {
  readonly #load: () => Promise<SinkJob>;
  #loading: Promise<SinkJob> | undefined;
  #job: SinkJob | undefined;

  constructor(load: () => Promise<SinkJob>) {
    this.#load = load;
  }

  get bytesWritten(): number {
    return this.#job?.bytesWritten ?? 0;
  }

  async check(): Promise<void> {
    await (await this.#loaded()).check();
  }

  async write(batch: RecordBatch): Promise<void> {
    await (await this.#loaded()).write(batch);
  }

  async finish(): Promise<void> {
    await (await this.#loaded()).finish();
  }

  async commit(): Promise<void> {
    await (await this.#loaded()).commit();
  }

  /** A job that is not loaded has written nothing. */
  abort(): void {
    this.#job?.abort();
  }

  async #loaded(): Promise<SinkJob> {
    return this.#job ??= await (this.#loading ??= this.#load());
  }
}
