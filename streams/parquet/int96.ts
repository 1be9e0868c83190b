/**
 * INT96, the timestamps of Spark, Impala and Hive: nanoseconds of a day, 64 bits, and the number of
 * the day by the Julian calendar of astronomers, 32 bits.
 *
 * @module
 */

import { type Data, makeData, type Timestamp, TimeUnit } from "apache-arrow";
import type { NameValue } from "./name_value.ts";

const numBytes = 12;
const nanosecondsPerDay = 86_400_000_000_000n;
/** The Julian day of 1970-01-01. */
const epoch = 2_440_588;
const nanosecondsOf: Readonly<Record<TimeUnit, bigint>> = {
  [TimeUnit.SECOND]: 1_000_000_000n,
  [TimeUnit.MILLISECOND]: 1_000_000n,
  [TimeUnit.MICROSECOND]: 1_000n,
  [TimeUnit.NANOSECOND]: 1n,
};

/** The column as timestamps. Throws a RangeError at one that the type does not hold exactly. */
export function int96Timestamps(data: Data, type: Timestamp, nameOf: NameValue): Data {
  const { length, offset, nullCount, nullBitmap } = data;
  const unit = nanosecondsOf[type.unit];
  const values = new BigInt64Array(length);
  for (const [row, instant, isWrapped] of instants(data)) {
    const value = instant / unit;
    if (value * unit !== instant) {
      throw new RangeError(
        `${
          nameOf(row)
        } has nanoseconds, and no Arrow timestamp holds them beside years before 1678 or after 2261`,
      );
    }
    values[row] = value;
    if (values[row] !== value && !isWrapped) {
      throw new RangeError(`${nameOf(row)} is a date too far away for a timestamp of 64 bits`);
    }
  }
  const validity = nullCount > 0 ? { offset, nullCount, nullBitmap } : { nullCount: 0 };
  return makeData({ type, length, data: values, ...validity } as never);
}

/** Whether a column, or one nested in it, has an instant that 64 bits do not hold in nanoseconds. */
export function isBeyondNanoseconds(data: Data): boolean {
  if (data.children.length > 0) return data.children.some(isBeyondNanoseconds);
  if ((data.type as { byteWidth?: number }).byteWidth !== numBytes) return false;
  return instants(data).some(([, instant]) => BigInt.asIntN(64, instant) !== instant);
}

/**
 * The rows that are not null, nanoseconds since 1970, and whether the day has a negative time: so
 * Spark writes years far ahead, at which its count of days overflows, and wraps around again.
 */
function* instants(data: Data): Generator<readonly [number, bigint, boolean], void, void> {
  const { buffer, byteOffset } = data.values as Uint8Array;
  const view = new DataView(buffer, byteOffset, data.length * numBytes);
  for (let row = 0; row < data.length; row++) {
    if (data.nullCount > 0 && !data.getValid(row)) continue;
    const day = BigInt(view.getInt32(row * numBytes + 8, true) - epoch);
    const time = view.getBigInt64(row * numBytes, true);
    yield [row, day * nanosecondsPerDay + time, time < 0n];
  }
}
