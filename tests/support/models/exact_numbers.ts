/** Exact numbers: floats as fractions of bigints, and the float that is nearest to a fraction. */

/** A fraction; `below` is positive. */
export interface Fraction {
  readonly above: bigint;
  readonly below: bigint;
}

const words = new DataView(new ArrayBuffer(8));

/** The exact value of a finite float. */
export function fractionOf(value: number): Fraction {
  words.setFloat64(0, value);
  const bits = words.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const part = bits & (2n ** 52n - 1n);
  const size = exponent === 0 ? part : part + 2n ** 52n;
  const above = bits >> 63n === 1n ? -size : size;
  const power = Math.max(exponent, 1) - 1075;
  return power < 0
    ? { above, below: 2n ** BigInt(-power) }
    : { above: above * 2n ** BigInt(power), below: 1n };
}

/** The whole number nearest to a fraction. */
export function roundedFraction({ above, below }: Fraction, ties: "away" | "even"): bigint {
  const size = above < 0n ? -above : above;
  const whole = size / below;
  const twice = 2n * (size % below);
  const isUp = twice > below || (twice === below && (ties === "away" || whole % 2n === 1n));
  const rounded = isUp ? whole + 1n : whole;
  return above < 0n ? -rounded : rounded;
}

/** The fraction times 10 to the power of `digits`. */
export function shifted({ above, below }: Fraction, digits: number): Fraction {
  const scale = 10n ** BigInt(Math.abs(digits));
  return digits < 0 ? { above, below: below * scale } : { above: above * scale, below };
}

/** The float of 64 or 32 bits that is nearest to a fraction, ties to even. */
export function nearestFloat(fraction: Fraction, bits: 64 | 32 = 64): number {
  const { above, below } = fraction;
  if (above === 0n) return 0;
  const [precision, least] = bits === 64 ? [53, -1074] : [24, -149];
  const size = above < 0n ? -above : above;
  // The exponent with which the quotient has as many digits as the float, or the least one.
  let power = size.toString(2).length - below.toString(2).length - precision;
  for (;; power++) {
    const used = Math.max(power, least);
    const quotient = used < 0
      ? { above: size * 2n ** BigInt(-used), below }
      : { above: size, below: below * 2n ** BigInt(used) };
    const whole = roundedFraction(quotient, "even");
    if (used === power && whole > 2n ** BigInt(precision)) continue;
    if (used !== power || whole >= 2n ** BigInt(precision - 1)) {
      const value = Number(whole) * 2 ** Math.max(used, -1022) *
        2 ** (used - Math.max(used, -1022));
      return above < 0n ? -value : value;
    }
  }
}
