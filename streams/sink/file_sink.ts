/**
 * The sink over a file that all formats share.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import { SmallBatches } from "../data/arrow_data.ts";
import { checkDistinct } from "../types/distinct_names.ts";
import { toFileError } from "../../base/errors/wrap_error.ts";
import { type OffsetsPolicy, SinkOffsets } from "./sink_offsets.ts";
import { OutputFile } from "./output_file.ts";
import { checkIsFile } from "./output_target.ts";
import { ownBatch } from "../types/own_arrow.ts";
import { type FileSink, type SinkJob, sinkOf } from "./sink_job.ts";

/** The limits up to which small batches are joined, in formats that do not keep batches. */
const together = { rows: 8192, bytes: 1 << 20 };

/** The encoder of a format: batches in, bytes out. */
export interface FileEncoder {
  /** Whether the format keeps the boundaries of batches; if not, small ones may be joined. */
  readonly keepsBatches?: boolean;
  /** Encodes a batch step by step, so that a large one needs little memory. */
  batch(batch: RecordBatch): EncoderSteps;
  /** Encodes the end of the file. */
  end(): EncoderSteps;
  /** Frees resources if the end is not reached. */
  abort?(): void;
}

/** Chunks of bytes; those of a step are written before the next step is requested. */
type EncoderSteps = Iterable<Uint8Array[]> | AsyncIterable<Uint8Array[]>;

/**
 * Returns a sink over a file, or over stdout for `-`. It accepts a batch when the one before is written, so a
 * slow disk slows the source (backpressure). The file appears when the sink is closed, and never if it
 * is aborted or fails. With an offsets policy the encoder gets batches that all have one schema; without
 * one it gets the batches unchanged.
 */
export function fileSink(
  path: string,
  openEncoder: () => FileEncoder | Promise<FileEncoder>,
  offsets?: OffsetsPolicy,
): FileSink {
  checkIsFile(path);
  const sinkOffsets = offsets === undefined
    ? undefined
    : new SinkOffsets(OutputFile.nameOf(path), offsets);
  const job = new FileJob(path, openEncoder, sinkOffsets);
  return sinkOf(OutputFile.nameOf(path), job);
}

class FileJob implements SinkJob {
  readonly #path: string;
  readonly #openEncoder: () => FileEncoder | Promise<FileEncoder>;
  readonly #offsets: SinkOffsets | undefined;
  #output: OutputFile | undefined;
  #encoder: FileEncoder | undefined;
  #small: SmallBatches | undefined;
  /** The schema of the last batch, whose names are distinct. */
  #schema: Schema | undefined;

  constructor(
    path: string,
    openEncoder: () => FileEncoder | Promise<FileEncoder>,
    offsets: SinkOffsets | undefined,
  ) {
    this.#path = path;
    this.#openEncoder = openEncoder;
    this.#offsets = offsets;
  }

  get bytesWritten(): number {
    return this.#output?.bytesWritten ?? 0;
  }

  check(): Promise<void> {
    return OutputFile.check(this.#path);
  }

  write(batch: RecordBatch): Promise<void> {
    return this.#orAbort(async (output, encoder) => {
      this.#checkNames(batch);
      const joins = output.appearsAtEnd && encoder.keepsBatches !== true;
      this.#small ??= new SmallBatches(joins ? together : undefined);
      await this.#write(this.#small.pushBatch(ownBatch("write()", batch)), output, encoder);
    });
  }

  /** Batches of one stream mostly share their schema. */
  #checkNames({ schema }: RecordBatch): void {
    if (schema === this.#schema) return;
    checkDistinct(schema.fields);
    this.#schema = schema;
  }

  async #write(
    batches: readonly RecordBatch[],
    output: OutputFile,
    encoder: FileEncoder,
  ): Promise<void> {
    for (const batch of batches) {
      for (const part of this.#offsets?.split(batch) ?? [batch]) {
        for await (const chunks of encoder.batch(part)) await output.write(chunks);
      }
    }
  }

  finish(): Promise<void> {
    return this.#orAbort(async (output, encoder) => {
      await this.#write(this.#small?.take() ?? [], output, encoder);
      for await (const chunks of encoder.end()) await output.write(chunks);
      this.#encoder = undefined;
      await output.finish();
    });
  }

  async commit(): Promise<void> {
    // `finish` has created it. An output that cannot be renamed removes itself.
    await this.#output!.commit();
  }

  abort(): void {
    this.#encoder?.abort?.();
    this.#output?.discard();
  }

  /** The streams standard does not call `abort` after a failed write, so this does. */
  async #orAbort(
    step: (output: OutputFile, encoder: FileEncoder) => Promise<void>,
  ): Promise<void> {
    try {
      this.#encoder ??= await this.#openEncoder();
      this.#output ??= await OutputFile.create(this.#path);
      await step(this.#output, this.#encoder);
    } catch (error) {
      this.abort();
      throw toFileError(OutputFile.nameOf(this.#path), error);
    }
  }
}
