/**
 * INTERVAL: months, days and milliseconds, of 32 bits each and without a sign.
 *
 * @module
 */

import { type Data, DataType, FixedSizeBinary, type Interval, makeData } from "apache-arrow";
import type { NameValue } from "./name_value.ts";

const numBytes = 12;
const arrowBytes = 16;
const most = 2 ** 31 - 1;
const nanosecondsPerMillisecond = 1_000_000n;

/** How intervals of months, days and nanoseconds are stored. */
export const storedInterval = new FixedSizeBinary(numBytes);

/** Whether a type counts months, days and nanoseconds. */
export function isMonthDayNano(type: DataType): boolean {
  return DataType.isInterval(type) && type.unit === 2;
}

/** The bytes of a file as intervals of Arrow, whose months and days have a sign. */
export function intervalsOfBytes(data: Data, type: Interval, nameOf: NameValue): Data {
  const values = new Int32Array(4 * data.length);
  const target = new DataView(values.buffer);
  const source = viewOf(data, numBytes);
  for (const row of validRows(data)) {
    const months = source.getUint32(row * numBytes, true);
    const days = source.getUint32(row * numBytes + 4, true);
    if (months > most || days > most) {
      const what = months > most ? `${months} months` : `${days} days`;
      throw new RangeError(`${nameOf(row)} is ${what}, more than the ${most} of Arrow`);
    }
    target.setInt32(row * arrowBytes, months, true);
    target.setInt32(row * arrowBytes + 4, days, true);
    const nanoseconds = BigInt(source.getUint32(row * numBytes + 8, true)) *
      nanosecondsPerMillisecond;
    target.setBigInt64(row * arrowBytes + 8, nanoseconds, true);
  }
  return withValues(data, type, values);
}

/** Intervals of Arrow as the bytes of a file. Throws a RangeError at one that has no place in it. */
export function bytesOfIntervals(data: Data, nameOf: NameValue): Data {
  const values = new Uint8Array(numBytes * data.length);
  const target = new DataView(values.buffer);
  const source = viewOf(data, arrowBytes);
  for (const row of validRows(data)) {
    const months = source.getInt32(row * arrowBytes, true);
    const days = source.getInt32(row * arrowBytes + 4, true);
    const nanoseconds = source.getBigInt64(row * arrowBytes + 8, true);
    const milliseconds = nanoseconds / nanosecondsPerMillisecond;
    const fail = (why: string) => new RangeError(`${nameOf(row)} is an interval ${why}`);
    if (months < 0 || days < 0 || nanoseconds < 0n) throw fail("with a sign, and Parquet has none");
    if (milliseconds * nanosecondsPerMillisecond !== nanoseconds) {
      throw fail("finer than milliseconds, which Parquet counts");
    }
    if (milliseconds >= 2n ** 32n) throw fail(`of ${milliseconds} ms, more than 32 bits hold`);
    target.setUint32(row * numBytes, months, true);
    target.setUint32(row * numBytes + 4, days, true);
    target.setUint32(row * numBytes + 8, Number(milliseconds), true);
  }
  return withValues(data, storedInterval, values);
}

function viewOf({ values, length }: Data, width: number): DataView {
  const { buffer, byteOffset } = values as Uint8Array;
  return new DataView(buffer, byteOffset, length * width);
}

function* validRows(data: Data): Generator<number, void, void> {
  for (let row = 0; row < data.length; row++) {
    if (data.nullCount === 0 || data.getValid(row)) yield row;
  }
}

function withValues(data: Data, type: DataType, values: Int32Array | Uint8Array): Data {
  const { length, offset, nullCount, nullBitmap } = data;
  const validity = nullCount > 0 ? { offset, nullCount, nullBitmap } : { nullCount: 0 };
  return makeData({ type, length, data: values, ...validity } as never);
}
