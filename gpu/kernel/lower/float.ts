/**
 * Floating-point numbers by their bits.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import type { Words } from "./lower_value.ts";
import type { RowBuilder } from "./row_builder.ts";
import { and, binary, int, or, select } from "../ir/scalar.ts";

/**
 * Returns words that compare as signed integers like the numbers: -0 equals 0, and every NaN is the
 * same and the greatest.
 */
export function floatOrder(builder: RowBuilder, bits: 16 | 32 | 64, words: Words): Words {
  const [first = int(0), second = int(0)] = words;
  if (bits === 64) return doubleOrder(builder, first, second);
  // 16 bits are shifted up, so that the sign is where it is in 32 bits.
  const value = builder.stable("bits", bits === 16 ? binary("<<", first, int(16)) : first);
  const infinity = bits === 16 ? 0x7c000000 : 0x7f800000;
  const magnitude = builder.stable("magnitude", binary("&", value, int(0x7fffffff)));
  const ordered = select(
    binary("<", value, int(0)),
    binary("-", int(0), magnitude),
    magnitude,
  );
  return [select(binary(">", magnitude, int(infinity)), int(0x7fffffff), ordered)];
}

function doubleOrder(builder: RowBuilder, low: Scalar, high: Scalar): Words {
  const lowBits = builder.stable("low", low);
  const highBits = builder.stable("high", high);
  const magnitude = builder.stable("magnitude", binary("&", highBits, int(0x7fffffff)));
  const isNaN = builder.stable(
    "isNaN",
    or(
      binary(">", magnitude, int(0x7ff00000)),
      and(binary("==", magnitude, int(0x7ff00000)), binary("!=", lowBits, int(0))),
    ),
  );
  const isNegative = builder.stable("isNegative", binary("<", highBits, int(0)));
  // The negative of a 64-bit integer: the high word borrows unless the low one is 0.
  const borrow = select(binary("==", lowBits, int(0)), int(0), int(1));
  const negativeHigh = binary("-", binary("-", int(0), magnitude), borrow);
  return [
    select(isNaN, int(-1), select(isNegative, binary("-", int(0), lowBits), lowBits)),
    select(isNaN, int(0x7fffffff), select(isNegative, negativeHigh, magnitude)),
  ];
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
  words: Words,
): Words {
  const source = FORMATS[from];
  const target = FORMATS[to];
  const value = builder.stable("bits", words[0] ?? int(0));
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
    return to === 64 ? [int(0), word] : [word];
  }
  return [
    binary("<<", fraction, int(32 + up)),
    binary("|", head, binary(">>>", fraction, int(-up))),
  ];
}
