/**
 * Converts values of 12 bytes, which parquet-wasm does not convert exactly.
 *
 * INT96, the timestamps of Spark, Impala and Hive: nanoseconds of the day (64 bits), and the Julian
 * day number (32 bits). INTERVAL: months, days and milliseconds, unsigned, 32 bits each.
 *
 * @module
 */

import {
  type Data,
  DataType,
  FixedSizeBinary,
  type Interval,
  IntervalUnit,
  makeData,
  type Timestamp,
  TimeUnit,
} from "apache-arrow";

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

/** Converts INT96 to timestamps. Throws a RangeError if the type cannot hold one exactly. */
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
        } has nanoseconds, which an Arrow timestamp cannot hold before 1678 or after 2261`,
      );
    }
    values[row] = value;
    if (values[row] !== value && !isWrapped) {
      throw new RangeError(`${nameOf(row)} is outside the range of a 64-bit timestamp`);
    }
  }
  const validity = nullCount > 0 ? { offset, nullCount, nullBitmap } : { nullCount: 0 };
  return makeData({ type, length, data: values, ...validity } as never);
}

/**
 * Whether a column, or a column nested in it, has an INT96 instant beyond the range of int64
 * nanoseconds.
 */
export function isBeyondNanoseconds(data: Data): boolean {
  if (data.children.length > 0) return data.children.some(isBeyondNanoseconds);
  if ((data.type as { byteWidth?: number }).byteWidth !== numBytes) return false;
  return instants(data).some(([, instant]) => BigInt.asIntN(64, instant) !== instant);
}

/**
 * Yields for each row that is not null: the row, its nanoseconds since 1970, and whether the time
 * of day is negative, as Spark writes the far future, where its count of days overflows.
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

const arrowBytes = 16;
const most = 2 ** 31 - 1;
const nanosecondsPerMillisecond = 1_000_000n;

/** The storage type of intervals of months, days and nanoseconds. */
export const storedInterval = new FixedSizeBinary(numBytes);

/** Whether a type is an interval of months, days and nanoseconds. */
export function isMonthDayNano(type: DataType): boolean {
  return DataType.isInterval(type) && type.unit === 2;
}

/**
 * Converts INTERVAL to Arrow intervals, whose months and days are signed. Throws a RangeError for
 * more than they hold.
 */
export function intervalsOfBytes(data: Data, type: Interval, nameOf: NameValue): Data {
  const values = new Int32Array(4 * data.length);
  const target = new DataView(values.buffer);
  const source = viewOf(data, numBytes);
  for (const row of validRows(data)) {
    const months = source.getUint32(row * numBytes, true);
    const days = source.getUint32(row * numBytes + 4, true);
    if (months > most || days > most) {
      const what = months > most ? `${months} months` : `${days} days`;
      throw new RangeError(
        `${nameOf(row)} is an interval of ${what}, but Arrow holds at most ${most}`,
      );
    }
    target.setInt32(row * arrowBytes, months, true);
    target.setInt32(row * arrowBytes + 4, days, true);
    const nanoseconds = BigInt(source.getUint32(row * numBytes + 8, true)) *
      nanosecondsPerMillisecond;
    target.setBigInt64(row * arrowBytes + 8, nanoseconds, true);
  }
  return withValues(data, type, values);
}

/** Converts Arrow intervals to INTERVAL. Throws a RangeError if it cannot hold one. */
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
    if (months < 0 || days < 0 || nanoseconds < 0n) throw signedInterval(nameOf(row));
    if (milliseconds * nanosecondsPerMillisecond !== nanoseconds) {
      throw fail("finer than a millisecond, which Parquet cannot hold");
    }
    if (milliseconds >= 2n ** 32n) {
      throw fail(`of ${milliseconds} ms, which does not fit in 32 bits`);
    }
    target.setUint32(row * numBytes, months, true);
    target.setUint32(row * numBytes + 4, days, true);
    target.setUint32(row * numBytes + 8, Number(milliseconds), true);
  }
  return withValues(data, storedInterval, values);
}

/**
 * Throws a RangeError if an interval of days and milliseconds, or of months, is negative, also in
 * lists and structs: parquet-wasm writes them as unsigned numbers.
 */
export function checkSigns(data: Data, nameOf: NameValue): void {
  const type: DataType = data.type;
  if (!DataType.isInterval(type)) {
    // In tables without rows, apache-arrow creates columns without a list of children.
    const children = data.children as readonly Data[] | undefined;
    for (const child of children ?? []) checkSigns(child, () => nameOf());
  } else if (!isMonthDayNano(type)) {
    const values = data.values as Int32Array;
    const perRow = type.unit === IntervalUnit.DAY_TIME ? 2 : 1;
    for (const row of validRows(data)) {
      for (let part = perRow * row; part < perRow * (row + 1); part++) {
        if (values[part]! < 0) throw signedInterval(nameOf(row));
      }
    }
  }
}

function signedInterval(name: string): RangeError {
  return new RangeError(`${name} is a negative interval, which Parquet cannot hold`);
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

/**
 * A function that names a value in errors; without a row for a value nested in a list or struct.
 */
export type NameValue = (row?: number) => string;

/** Returns the names of a column's values; the batch begins at row `firstRow` of the file. */
export function valueNamer(column: string, firstRow: number): NameValue {
  return (row) =>
    row === undefined ? `column ${column}` : `column ${column}, row ${firstRow + row}`;
}
