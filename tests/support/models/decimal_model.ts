/** Decimals as exact fractions of whole numbers of any size, and what operations make of them. */

/** Digits without a point, and how many of them are behind it. */
export interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

/** The digits of a type, and those behind the point. */
export interface Shape {
  readonly precision: number;
  readonly scale: number;
}

/** Stands for a result that does not exist. */
export const FAILS = Symbol("fails");

const ten = (power: number): bigint => 10n ** BigInt(power);

/** The decimal with other digits behind the point; it must have enough of them. */
export function rescaled({ unscaled, scale }: Decimal, places: number): bigint {
  if (places < scale) throw new RangeError("There would be fewer digits");
  return unscaled * ten(places - scale);
}

/** A decimal in a type; exactly, or not at all. */
export function inShape(value: Decimal, { precision, scale }: Shape): bigint | typeof FAILS {
  const { unscaled, scale: own } = value;
  if (own > scale && unscaled % ten(own - scale) !== 0n) return FAILS;
  const digits = own > scale ? unscaled / ten(own - scale) : unscaled * ten(scale - own);
  return digits < ten(precision) && digits > -ten(precision) ? digits : FAILS;
}

/** The type of a sum or a difference. */
export function sumShape(a: Shape, b: Shape): Shape {
  const scale = Math.max(a.scale, b.scale);
  const whole = Math.max(a.precision - a.scale, b.precision - b.scale);
  return { precision: Math.min(38, whole + scale + 1), scale };
}

/** The type of a product. */
export function productShape(a: Shape, b: Shape): Shape {
  return { precision: Math.min(38, a.precision + b.precision), scale: a.scale + b.scale };
}

/** A sum, exactly. */
export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { unscaled: rescaled(a, scale) + rescaled(b, scale), scale };
}

/** A product, exactly. */
export function times(a: Decimal, b: Decimal): Decimal {
  return { unscaled: a.unscaled * b.unscaled, scale: a.scale + b.scale };
}

/** Less than, at or greater than 0, as `a` is than `b`. */
export function order(a: Decimal, b: Decimal): bigint {
  return plus(a, { ...b, unscaled: -b.unscaled }).unscaled;
}

/** How a decimal is rounded. */
export type Rounding = "away" | "even" | "floor" | "ceil" | "trunc";

/** A decimal rounded to a number of places, which may be negative. */
export function rounded({ unscaled, scale }: Decimal, places: number, how: Rounding): Decimal {
  if (places >= scale) return { unscaled, scale };
  const unit = ten(scale - places);
  const down = (unscaled - (((unscaled % unit) + unit) % unit)) / unit;
  const over = 2n * (unscaled - down * unit);
  const isUp = how === "ceil"
    ? over > 0n
    : how === "trunc"
    ? over > 0n && unscaled < 0n
    : how === "floor"
    ? false
    : over > unit || (over === unit && (how === "even" ? down % 2n !== 0n : unscaled > 0n));
  const digits = down + (isUp ? 1n : 0n);
  return places >= 0
    ? { unscaled: digits, scale: places }
    : { unscaled: digits * ten(-places), scale: 0 };
}

/** All digits, with a point before the last ones. */
export function textOf({ unscaled, scale }: Decimal): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  return `${unscaled < 0n ? "-" : ""}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ""}`;
}

/** A quotient as a fraction, rounded to a number of places; the divisor is not 0. */
export function quotient(a: Decimal, b: Decimal, places: number, how: Rounding): Decimal {
  const sign = b.unscaled < 0n ? -1n : 1n;
  const over = sign * a.unscaled * ten(b.scale) * ten(places);
  const under = sign * b.unscaled * ten(a.scale);
  const down = (over - (((over % under) + under) % under)) / under;
  const rest = 2n * (over - down * under);
  const isUp = how === "floor"
    ? false
    : how === "trunc"
    ? rest > 0n && over < 0n
    : how === "ceil"
    ? rest > 0n
    : rest > under || (rest === under && (how === "even" ? down % 2n !== 0n : over > 0n));
  return { unscaled: down + (isUp ? 1n : 0n), scale: places };
}
