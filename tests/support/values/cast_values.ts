/** Values of every type that casts take: edges of all types, and random ones. */

import { DataType } from "apache-arrow";
import type { HostColumn } from "../../../gpu/column/column.ts";
import type { CastValue } from "../models/cast_model.ts";
import { columnOf } from "./host_columns.ts";
import {
  FLOAT_EDGES,
  INTEGER_EDGES,
  ODD_FLOATS,
  ODD_INTEGERS,
  randomFloat,
  randomInteger,
  spelled,
} from "./number_texts.ts";
import type { SeededRandom } from "../random/seeded_random.ts";

const TIME_TEXTS = ["2001-03-14", "2000-02-29T23:59:59.999999Z", "1969-12-31 23:59:59.5"]
  .concat(["2001-02-29", "0000-01-01", "9999-12-31T23:59+14:00", "2001-03-14T15:09:26.123456789"])
  .concat(["2001-03-14T15:09:26.1234567890", "2001-03-14T15:09:26.1234567891", "1970-01-01T00:00"])
  .concat(["1677-09-21T00:12:43.145224192", "1677-09-21T00:12:43.145224191", "2001-03-14T24:00"])
  .concat(["2262-04-11T23:47:16.854775807", "2262-04-11T23:47:16.854775808", "1969-12-31T23:59:59"])
  .concat([
    "15:09",
    "15:09:26",
    "00:00:00.5",
    "23:59:59.999999999",
    "24:00",
    "15:60",
    "15:09Z",
    "1:09",
  ])
  .concat(["1969-12-31T23:59:59.999999999", "1970-01-01T00:30+01:00", "2001-03-14T15:09:26.000"]);

/** Texts at which rounding to fewer bits is decided by digits that a float64 does not have. */
const NARROW_TEXTS = [
  "16777217",
  "16777217.0000000001",
  "16777216.99999999999",
  "-16777217.00000001",
]
  .concat([
    "65504",
    "65519.9999",
    "65520",
    "-65520",
    "6552e1",
    "65519999e-3",
    "2049",
    "2049.0000001",
  ])
  .concat(["340282356779733661637539395458142568447", "340282356779733661637539395458142568448"])
  .concat(["3.4028235e38", "1e-45", "7.006492321624085e-46", "7.0064923216240854e-46", "2.98e-8"])
  .concat(["2.98023223876953125e-8", "2.98023223876953126e-8", "8.94069671630859375e-8"]);

const TEXTS = [...INTEGER_EDGES.map(String), ...ODD_INTEGERS, ...ODD_FLOATS, ...TIME_TEXTS]
  .concat(["true", "FALSE", "t", "é", "18446744073709551615", "18446744073709551616"], NARROW_TEXTS)
  .concat(["99999999999999999999", "-1", "255", "256", "-128", "-129", "4294967295", "4294967296"]);

const FLOATS = [...FLOAT_EDGES, ...[8, 15, 16, 24, 31, 32, 53, 62, 63, 64].map((bits) => 2 ** bits)]
  .concat([127, 128, 255, 2 ** 16 - 1, 2 ** 31 - 1, 2 ** 32 - 1, 2 ** 53 - 1, 2.5, 2 ** 52 + 0.5])
  .concat([65504, 65520, 65536, 2049, 2 ** -14, 2 ** -15, 2 ** -24, 3 * 2 ** -24, 2 ** -25])
  .concat([2 ** 24 + 1, 2 ** -126, 2 ** -127, 2 ** -149, 3 * 2 ** -149, 2 ** -150, 2 ** 128])
  .concat([2 ** 128 - 2 ** 104, 2 ** 128 - 2 ** 103, Math.fround(0.1), Math.f16round(0.1)])
  .flatMap((value) => [value, -value]);

const DAY = 86_400n;
const COUNTS = INTEGER_EDGES.concat(
  ...[1n, 1000n, 10n ** 6n, 10n ** 9n].map((by) => [
    ...[DAY * by, DAY * by - 1n, DAY * by + 1n, by, by - 1n, by * 60n],
    ...[984_582_566n * by, 984_528_000n * by, (2n ** 31n) * DAY * by, (2n ** 31n - 1n) * DAY * by],
    ...[(2n ** 63n) / by, (2n ** 63n) / by + 1n, (2n ** 63n) / (by * DAY) * by * DAY],
  ]),
).flatMap((value) => [value, -value]);

/** Values of a type: all edges, and as many random ones. */
export function castValues(random: SeededRandom, type: DataType, numRandom: number): CastValue[] {
  const draw = <T>(make: () => T) => Array.from({ length: numRandom }, make);
  if (DataType.isBool(type)) return [true, false];
  if (DataType.isUtf8(type) || DataType.isBinary(type)) {
    return [...TEXTS, ...draw(() => randomText(random))];
  }
  if (DataType.isFloat(type)) {
    const round = [Math.f16round, Math.fround, (value: number) => value][type.precision]!;
    return [...FLOATS, ...draw(() => randomNumber(random))].map(round);
  }
  const [bits, isSigned] = widthOf(type);
  const most = DataType.isTime(type) ? DAY * 10n ** BigInt(3 * type.unit) : undefined;
  const whole = DataType.isDate(type) && type.unit === 1;
  const values = [...COUNTS, ...draw(() => randomCount(random, bits))].map((count) => {
    const value = whole ? count / 86_400_000n * 86_400_000n : count;
    const fits = isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
    if (most === undefined) return fits;
    return (fits % most + most) % most;
  }).map((value) => whole ? value / 86_400_000n * 86_400_000n : value);
  return [...new Set(values)].map((value) => bits === 64 ? value : Number(value));
}

function widthOf(type: DataType): [bits: number, isSigned: boolean] {
  if (DataType.isInt(type)) return [type.bitWidth, type.isSigned];
  if (DataType.isDate(type)) return [type.unit === 0 ? 32 : 64, true];
  return [DataType.isTime(type) ? type.bitWidth : 64, true];
}

function randomText(random: SeededRandom): string {
  switch (random.below(3)) {
    case 0:
      return randomInteger(random);
    case 1:
      return spelled(random, randomFloat(random));
    default:
      return new Date(random.next() * 4e12 - 2e12).toISOString().slice(
        0,
        random.pick([10, 16, 23]),
      );
  }
}

/** A float with few bits, with many, or with a fraction. */
function randomNumber(random: SeededRandom): number {
  switch (random.below(3)) {
    case 0:
      return randomFloat(random);
    case 1:
      return Math.round((random.next() - 0.5) * 2 ** random.below(66));
    default:
      return (1 + random.below(2 ** 11)) * 2 ** (random.below(60) - 40);
  }
}

/** A number of at most `bits` bits, often a multiple of a unit. */
function randomCount(random: SeededRandom, bits: number): bigint {
  const value = BigInt(Math.floor((random.next() - 0.5) * 2 ** (1 + random.below(bits))));
  return value * random.pick([1n, 1n, 1000n, 10n ** 6n, DAY, DAY * 10n ** 6n]);
}

/** Texts of characters of one to four bytes at the edges of their ranges, and damaged in every byte. */
export function damagedTexts(): Uint8Array[] {
  const texts = [
    "",
    "a",
    "é",
    "€",
    "𝄞",
    "aé€𝄞",
    "\ud7ff",
    "\ue000",
    "\u{10ffff}",
    "\u0800",
    "\u{10000}",
  ]
    .map((text) => new TextEncoder().encode(text));
  const others = [0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xe0, 0xed, 0xf0, 0xf4, 0xf5, 0xff];
  const damaged = texts.flatMap((bytes) =>
    [...bytes].flatMap((byte, at) => [
      Uint8Array.from([...bytes].toSpliced(at, 1)),
      ...[...others, byte ^ 0x20].map((other) => bytes.with(at, other)),
    ])
  );
  return [...texts, ...damaged];
}

/** A column of bytes. */
export function bytesColumn(rows: readonly Uint8Array[]): HostColumn {
  const offsets = new Int32Array(rows.length + 1);
  rows.forEach((bytes, row) => offsets[row + 1] = offsets[row]! + bytes.length);
  const data = Uint8Array.from(rows.flatMap((bytes) => [...bytes]));
  return { ...columnOf({ kind: "string" }, rows.map(() => "")), offsets, data };
}
