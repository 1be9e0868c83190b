/**
 * Floating-point numbers by their bits.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import type { RowBuilder } from "./row_builder.ts";
import { binary, int, long, select } from "../ir/scalar.ts";

/**
 * Returns an integer that compares like the number with these bits: -0 equals 0, and every NaN is the
 * same and the greatest.
 */
export function floatOrder(builder: RowBuilder, bits: 16 | 32 | 64, value: Scalar): Scalar {
  if (bits === 64) return doubleOrder(builder, value);
  // 16 bits are shifted up, so that the sign is where it is in 32 bits.
  const shifted = builder.stable("bits", bits === 16 ? binary("<<", value, int(16)) : value);
  const infinity = bits === 16 ? 0x7c000000 : 0x7f800000;
  const magnitude = builder.stable("magnitude", binary("&", shifted, int(0x7fffffff)));
  const ordered = select(
    binary("<", shifted, int(0)),
    binary("-", int(0), magnitude),
    magnitude,
  );
  return select(binary(">", magnitude, int(infinity)), int(0x7fffffff), ordered);
}

function doubleOrder(builder: RowBuilder, value: Scalar): Scalar {
  const bits = builder.stable("bits", value);
  const greatest = long(0x7fffffff_ffffffffn);
  const magnitude = builder.stable("magnitude", binary("&", bits, greatest));
  const isNaN = binary(">", magnitude, long(0x7ff00000_00000000n));
  const negative = binary("-", long(0n), magnitude);
  return select(isNaN, greatest, select(binary("<", bits, long(0n)), negative, magnitude));
}

/** The bits of the fraction of a format, and the bias of its exponent. */
const FORMATS = {
  16: { fraction: 10, bias: 15 },
  32: { fraction: 23, bias: 127 },
  64: { fraction: 52, bias: 1023 },
};

/** Converts a number to a wider format, exactly. */
export function widenFloat(
  builder: RowBuilder,
  from: 16 | 32 | 64,
  to: 16 | 32 | 64,
  bits: Scalar,
): Scalar {
  const source = FORMATS[from];
  const target = FORMATS[to];
  const value = builder.stable("bits", bits);
  const maxExponent = 2 * source.bias + 1;
  const exponent = builder.variable(
    "exponent",
    binary("&", binary(">>>", value, int(source.fraction)), int(maxExponent)),
  );
  const fraction = builder.variable(
    "fraction",
    binary("&", value, int((1 << source.fraction) - 1)),
  );
  const shift = target.bias - source.bias;
  builder.if(
    binary("==", exponent, int(0)),
    () =>
      builder.if(binary("!=", fraction, int(0)), () => {
        // Numbers below the normal range have a leading one to find in a wider format.
        builder.set(exponent, int(shift + 1));
        builder.loop(
          "normalise",
          [() => binary("<", fraction, int(1 << source.fraction))],
          () => builder.set(fraction, binary("<<", fraction, int(1))),
          () => builder.set(exponent, binary("-", exponent, int(1))),
        );
        builder.set(fraction, binary("&", fraction, int((1 << source.fraction) - 1)));
      }),
    () => {
      const isFinite = binary("!=", exponent, int(maxExponent));
      const finite = binary("+", exponent, int(shift));
      builder.set(exponent, select(isFinite, finite, int(2 * target.bias + 1)));
    },
  );
  const sign = binary("<<", binary(">>>", value, int(from - 1)), int(31));
  const place = to === 64 ? 20 : target.fraction;
  const head = binary("|", sign, binary("<<", exponent, int(place)));
  const up = place - source.fraction;
  if (up >= 0) {
    const word = binary("|", head, binary("<<", fraction, int(up)));
    return to === 64 ? binary("join", int(0), word) : word;
  }
  const low = binary("<<", fraction, int(32 + up));
  return binary("join", low, binary("|", head, binary(">>>", fraction, int(-up))));
}
