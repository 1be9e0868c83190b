/**
 * Gathers the payload of rows from records.
 *
 * @module
 */

import type { TableKernels } from "../table/kernels/instance.ts";
import type { CopiedColumn } from "../parts/take_rows.ts";
import type { RecordField, RecordPlaces } from "./table_places.ts";
import type { Work } from "../table/work.ts";

/** A field while it is gathered. */
interface Target {
  readonly field: RecordField;
  /** The prefix of the names of its areas. */
  readonly name: string;
  readonly ends: number;
  readonly validity: number;
  data: number;
  numBytes: number;
  numSet: number;
}

/** The number of rows whose memory accesses overlap. */
const BLOCK = 512;
/** The bytes of records above which they do not stay in the cache, so kernels touch them ahead. */
const CACHE_BYTES = 1 << 20;

/**
 * Copies the fields of the records of the rows at `found`, which are stored + 1. A 0 means no row,
 * and occurs only with `mayMiss`.
 */
export function gatherPayload(
  work: Work,
  kernels: TableKernels,
  { at, stride, numBytes, fields }: RecordPlaces,
  found: number,
  numRows: number,
  mayMiss: boolean,
): CopiedColumn[] {
  const places = work.area("places", 4 * numRows);
  kernels.placeRecords!(found, found + 4 * numRows, at, stride, places);
  const isLarge = numBytes > CACHE_BYTES;
  const targets = fields.map((field, number) => newTarget(work, field, number, numRows));
  const bits = mayMiss ? work.area("list", (numRows + 7) >> 3) : 0;
  let numPresent = bits === 0 ? numRows : 0;
  const step = isLarge ? BLOCK : 16 * BLOCK;
  for (let start = 0; start < numRows; start += step) {
    const stop = Math.min(start + step, numRows);
    const [from, end] = [places + 4 * start, places + 4 * stop];
    if (isLarge) kernels.touchRecords!(from, end);
    for (const target of targets) gatherField(work, kernels, target, from, end, start);
  }
  if (bits !== 0) numPresent = kernels.foundBits!(found, found + 4 * numRows, bits);
  const numBits = (numRows + 7) >> 3;
  const present = numPresent === numRows ? null : work.kept.bytes(bits, numBits);
  return targets.map((target) => fieldOf(work, target, numRows, present, numRows - numPresent));
}

function newTarget(
  work: Work,
  field: RecordField,
  number: number,
  numRows: number,
): Target {
  const numBits = (numRows + 7) >> 3;
  const isText = field.kind === "short" || field.kind === "long";
  const name = `field ${number}`;
  const numBytes = field.kind === "bit" ? numBits : isText ? 16 * numRows : field.width * numRows;
  const target = {
    field,
    name,
    data: work.area(name, numBytes),
    ends: isText ? work.area(`${name} ends`, 4 * numRows + 4) : 0,
    validity: field.nullBit < 0 ? 0 : work.area(`${name} validity`, numBits),
    numBytes: isText ? 0 : numBytes,
    numSet: 0,
  };
  if (isText) work.words(target.ends, 1)[0] = 0;
  return target;
}

/** Copies a block of a field, from row `start` on. */
function gatherField(
  work: Work,
  kernels: TableKernels,
  target: Target,
  places: number,
  end: number,
  start: number,
): void {
  const { field: { kind, at, width, nullBit, inlineBytes }, validity, ends } = target;
  if (nullBit >= 0) {
    const to = validity + (start >> 3);
    target.numSet += kernels.gatherBits!(places, end, nullBit >> 3, nullBit & 7, to);
  }
  const { data } = target;
  switch (kind) {
    case "bit":
      kernels.gatherBits!(places, end, at, 0, data + (start >> 3));
      return;
    case "short":
      kernels.gatherShort!(places, end, at, ends + 4 * start, data);
      return;
    case "long": {
      const numBytes = kernels.gatherSizes!(places, end, at, ends + 4 * start);
      const to = reserve(work, target, numBytes);
      kernels.gatherLong!(places, end, at, inlineBytes, ends + 4 * start, to);
      return;
    }
    case "number": {
      const copy = kernels[`gather${width}`];
      const to = data + width * start;
      if (copy !== undefined) copy(places, end, at, to, width);
      else gatherWide(kernels, places, end, at, to, width);
    }
  }
}

/** Copies values of a width that has no kernel, 16 bytes at a time, then 8, and so on. */
function gatherWide(
  kernels: TableKernels,
  places: number,
  end: number,
  at: number,
  to: number,
  width: number,
): void {
  let done = 0;
  for (const size of [16, 8, 4, 2, 1]) {
    for (; width - done >= size; done += size) {
      kernels[`gather${size}`]!(places, end, at + done, to + done, width);
    }
  }
}

/** Reserves memory for the text of a field, which grows. Returns its place. */
function reserve({ area, bytes, sizeOf }: Work, target: Target, numBytes: number): number {
  const { name, data, numBytes: known } = target;
  if (sizeOf(name) < numBytes) {
    const to = area(name, numBytes);
    bytes(to, known).set(bytes(data, known));
    target.data = to;
  }
  target.numBytes = numBytes;
  return target.data;
}

function fieldOf(
  { kept }: Work,
  { field, ends, validity, data, numBytes, numSet }: Target,
  numRows: number,
  present: Uint8Array | null,
  numMissing: number,
): CopiedColumn {
  const offsets = ends === 0 ? null : kept.words(ends, numRows + 1);
  const numBits = (numRows + 7) >> 3;
  const nullCount = field.nullBit < 0 ? numMissing : numRows - numSet;
  return {
    data: kept.bytes(data, offsets === null ? numBytes : offsets[numRows]!),
    offsets,
    validity: nullCount === 0
      ? null
      : field.nullBit < 0
      ? new Uint8Array(present!)
      : kept.bytes(validity, numBits),
    nullCount,
  };
}
