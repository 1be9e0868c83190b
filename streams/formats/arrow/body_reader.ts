/**
 * Reads the wanted buffers of a message.
 *
 * @module
 */

import type { FileInput } from "../../bytes/file_input.ts";
import { corrupt } from "../../data/message.ts";
import { isRemote } from "./remote.ts";
import type { BatchDescription } from "../../data/ready_batch.ts";

/** Buffers at most this many bytes apart are read with one call. */
const worthSkipping = 64 << 10;

/** A column whose buffers are wanted. */
export interface BodyColumn {
  readonly name: string;
  /** Its buffers in the message, as a half-open range. */
  readonly buffers: readonly [number, number];
}

/** A message body and its wanted columns. */
interface WantedBody {
  readonly bodyLength: number;
  readonly header: BatchDescription;
  readonly columns: readonly BodyColumn[];
  /** Names the message in errors. */
  readonly where: string;
}

/**
 * Reads the buffers of the wanted columns, leaves the others empty, and moves past the body. Buffers
 * are views of the bytes read; those not aligned to 8 bytes are copied.
 */
export async function readBody(
  input: FileInput,
  body: WantedBody,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { header, where } = body;
  checkBuffers(body);
  const buffers = header.buffers.map(() => new Uint8Array(0));
  const start = input.position;
  const runs = bodyRuns(body);
  // Fetch all ranges from a server in one round trip.
  const isBuffered = input.ready.length >= (runs.at(-1)?.stop ?? 0);
  const found = isRemote(input) && runs.length > 1 && !isBuffered
    ? await input.readMany(
      runs.map((run) => ({ start: start + run.start, stop: start + run.stop })),
    )
    : undefined;
  for (const [index, run] of runs.entries()) {
    const numBytes = run.stop - run.start;
    if (found === undefined) await input.seek(start + run.start);
    const bytes = found?.[index] ?? await input.read(numBytes);
    if (bytes.length < numBytes) {
      const needed = start + run.stop;
      throw corrupt(
        where,
        `the data ends at byte ${input.position}, its body not before ${needed}`,
      );
    }
    for (const index of run.buffers) {
      const { offset, length } = header.buffers[index]!;
      buffers[index] = alignedPart(bytes, offset - run.start, length);
    }
  }
  await input.seek(start + body.bodyLength);
  return buffers;
}

/**
 * Like `readBody`, for a body that is already in memory.
 */
export function bodyBuffers(
  body: Uint8Array<ArrayBuffer>,
  wanted: WantedBody,
): Uint8Array<ArrayBuffer>[] {
  checkBuffers(wanted);
  const buffers: Uint8Array<ArrayBuffer>[] = wanted.header.buffers.map(() => noBytes);
  for (const { buffers: [first, last] } of wanted.columns) {
    for (let index = first; index < last; index++) {
      const { offset, length } = wanted.header.buffers[index]!;
      if (length > 0) buffers[index] = alignedPart(body, offset, length);
    }
  }
  return buffers;
}

const noBytes = new Uint8Array(0);

function alignedPart(
  bytes: Uint8Array<ArrayBuffer>,
  start: number,
  length: number,
): Uint8Array<ArrayBuffer> {
  const part = bytes.subarray(start, start + length);
  return part.byteOffset % 8 === 0 ? part : part.slice();
}

/** A range of a body that is read with one call, and the buffers in it. */
interface BodyRun {
  start: number;
  stop: number;
  readonly buffers: number[];
}

/**
 * Throws unless every buffer lies within the body, after the previous one and aligned to 8 bytes, as
 * the format requires. Checks unwanted buffers too.
 */
export function checkBuffers({ bodyLength, header, columns, where }: WantedBody): void {
  let end = 0;
  for (const [index, { offset, length }] of header.buffers.entries()) {
    if (length === 0) continue;
    const isPlaced = offset >= end && length > 0 && offset + length <= bodyLength;
    if (!isPlaced || offset % 8 !== 0) {
      const column = columns.find(({ buffers: [first, last] }) => first <= index && index < last);
      const whose = column === undefined ? "a column" : `column ${column.name}`;
      const bytes = `bytes ${offset} to ${offset + length} of a body of ${bodyLength}`;
      const why = isPlaced ? ", not at a multiple of 8" : offset < end ? `, before ${end}` : "";
      throw corrupt(where, `${whose} has a buffer at ${bytes}${why}`);
    }
    end = offset + length;
  }
}

/** Returns the ranges to read, in ascending order. */
function bodyRuns({ header, columns }: WantedBody): BodyRun[] {
  const wanted: number[] = [];
  for (const { buffers: [first, last] } of columns) {
    for (let index = first; index < last; index++) {
      if (header.buffers[index]!.length > 0) wanted.push(index);
    }
  }
  const runs: BodyRun[] = [];
  for (const index of wanted) {
    const { offset, length } = header.buffers[index]!;
    const run = runs.at(-1);
    if (run !== undefined && offset <= run.stop + worthSkipping) {
      run.stop = offset + length;
      run.buffers.push(index);
    } else {
      runs.push({ start: offset, stop: offset + length, buffers: [index] });
    }
  }
  return runs;
}
