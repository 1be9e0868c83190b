/**
 * Reading the buffers of a message that are wanted.
 *
 * @module
 */

import type { RecordBatch as BatchHeader } from "apache-arrow/ipc/metadata/message";
import type { FileInput } from "../file_input.ts";
import { corrupt } from "./message.ts";

/** Columns whose bytes lie closer than this are read in one go. */
const worthSkipping = 64 << 10;

/** A column whose buffers are wanted. */
export interface BodyColumn {
  readonly name: string;
  /** Its first buffer among those of the message, and the first behind its last. */
  readonly buffers: readonly [number, number];
}

/** A body that is next in the input, and what is wanted of it. */
export interface WantedBody {
  readonly bodyLength: number;
  readonly header: BatchHeader;
  readonly columns: readonly BodyColumn[];
  /** Names the message in errors. */
  readonly where: string;
}

/**
 * Reads the buffers of the wanted columns, all others left empty, and moves behind the body. Buffers
 * are views on what was read; those that do not begin at a multiple of 8 bytes are copies.
 */
export async function readBody(
  input: FileInput,
  body: WantedBody,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { header, where } = body;
  const buffers = header.buffers.map(() => new Uint8Array(0));
  const start = input.position;
  for (const run of bodyRuns(body)) {
    await input.seek(start + run.start);
    const numBytes = run.stop - run.start;
    const bytes = await input.read(numBytes);
    if (bytes.length < numBytes) {
      const needed = start + run.stop;
      throw corrupt(
        where,
        `the data ends at byte ${input.position}, its body not before ${needed}`,
      );
    }
    for (const index of run.buffers) {
      const { offset, length } = header.buffers[index]!;
      const raw = bytes.subarray(offset - run.start, offset - run.start + length);
      buffers[index] = raw.byteOffset % 8 === 0 ? raw : raw.slice();
    }
  }
  await input.seek(start + body.bodyLength);
  return buffers;
}

/** A stretch of a body that is read in one go, and the buffers that lie in it. */
interface BodyRun {
  start: number;
  stop: number;
  readonly buffers: number[];
}

/** The stretches in the order of their bytes, as a pipe cannot go back. */
function bodyRuns({ bodyLength, header, columns, where }: WantedBody): BodyRun[] {
  const wanted: number[] = [];
  for (const { name, buffers: [first, last] } of columns) {
    for (let index = first; index < last; index++) {
      const { offset, length } = header.buffers[index]!;
      if (!(offset >= 0 && length >= 0 && offset + length <= bodyLength)) {
        const bytes = `bytes ${offset} to ${offset + length} of a body of ${bodyLength}`;
        throw corrupt(where, `column ${name} has a buffer at ${bytes}`);
      }
      if (length > 0) wanted.push(index);
    }
  }
  const offsetOf = (index: number) => header.buffers[index]!.offset;
  const runs: BodyRun[] = [];
  for (const index of wanted.sort((a, b) => offsetOf(a) - offsetOf(b))) {
    const { offset, length } = header.buffers[index]!;
    const run = runs.at(-1);
    if (run !== undefined && offset <= run.stop + worthSkipping) {
      run.stop = Math.max(run.stop, offset + length);
      run.buffers.push(index);
    } else {
      runs.push({ start: offset, stop: offset + length, buffers: [index] });
    }
  }
  return runs;
}
