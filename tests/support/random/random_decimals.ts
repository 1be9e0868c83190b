import { Decimal, makeData, makeVector, type Vector } from "apache-arrow";
import type { Shape } from "../models/decimal_model.ts";
import type { SeededRandom } from "./seeded_random.ts";

/** Numbers of digits where something changes: those of 32, 64 and 128 bits. */
const EDGES = [1, 9, 10, 18, 19, 20, 37, 38];

/** A number of digits, and of those behind the point. */
export function shapeOf(random: SeededRandom): Shape {
  const precision = random.chance(0.5) ? random.pick(EDGES) : 1 + random.below(38);
  const scale = random.pick([0, precision, Math.min(2, precision), random.below(precision + 1)]);
  return { precision, scale };
}

/** A type of decimals of these digits, in any width that holds them. */
export function typeOf(random: SeededRandom, { precision, scale }: Shape): Decimal {
  const narrow = precision <= 9 ? [32, 64] : precision <= 18 ? [64] : [];
  const widths = [...narrow, 128, 128, 256];
  return new Decimal(scale, precision, random.pick(widths));
}

/** Digits of a decimal: few or many, or at an edge. */
export function unscaledOf(random: SeededRandom, { precision }: Shape): bigint {
  const limit = 10n ** BigInt(precision);
  const sign = random.chance(0.5) ? 1n : -1n;
  const drawn = random.pick([
    () => 0n,
    () => 1n,
    () => limit - 1n,
    () => limit / 2n,
    () => 10n ** BigInt(random.below(precision)),
    () => 5n * 10n ** BigInt(random.below(precision)),
    () => 2n ** BigInt(random.pick([31, 32, 53, 63, 64, 65, 96, 126])) - BigInt(random.below(3)),
    () => digits(random, 1 + random.below(precision)),
    () => digits(random, precision),
  ])();
  return sign * (drawn % limit);
}

function digits(random: SeededRandom, count: number): bigint {
  const text = Array.from({ length: count }, () => random.below(10)).join("");
  return BigInt(text);
}

/** A column of decimals with these digits. Below nulls lies something else. */
export function decimalVector(type: Decimal, values: readonly (bigint | null)[]): Vector {
  const words = type.bitWidth / 32;
  const data = new Uint32Array(words * values.length);
  const nullBitmap = new Uint8Array((values.length + 7) >> 3);
  values.forEach((value, row) => {
    if (value !== null) nullBitmap[row >> 3]! |= 1 << (row & 7);
    const digits = value ?? 77n;
    for (let word = 0; word < words; word++) {
      data[row * words + word] = Number((digits >> BigInt(32 * word)) & 0xffffffffn);
    }
  });
  const nullCount = values.filter((value) => value === null).length;
  return makeVector(
    makeData({ type, length: values.length, nullCount, nullBitmap, data }),
  ) as unknown as Vector;
}
