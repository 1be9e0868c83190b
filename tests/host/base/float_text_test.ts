import { assert, assertEquals } from "@std/assert";
import { floatText, shortestFloat } from "../../../base/float_text.ts";
import { forSeeds } from "../../support/random/seeded_random.ts";

Deno.test("floatText() writes floats as JavaScript does, and whole numbers with a point", () => {
  const cases: [number, 16 | 32 | 64, string][] = [
    [0, 64, "0.0"],
    [-0, 16, "-0.0"],
    [1e20, 64, "100000000000000000000.0"],
    [1e21, 64, "1e+21"],
    [NaN, 32, "NaN"],
    [-Infinity, 16, "-Infinity"],
    [0.1, 64, "0.1"],
    [Math.fround(0.1), 32, "0.1"],
    [Math.f16round(0.1), 16, "0.1"],
    [2 ** 24, 32, "16777216.0"],
    [2 ** 32, 32, "4294967300.0"],
    [65_504, 16, "65500.0"],
    [2 ** -149, 32, "1e-45"],
    [2 ** -24, 16, "6e-8"],
    // No eight digits read back as this one.
    [Math.fround(1.02100875e-36), 32, "1.02100875e-36"],
  ];
  for (const [value, bits, text] of cases) assertEquals(floatText(value, bits), text);
});

/** Asserts that a number reads back as the float, and none with fewer digits. */
function checkShortest(value: number, narrow: (value: number) => number, bits: 16 | 32) {
  const shortest = shortestFloat(value, bits);
  assertEquals(narrow(shortest), value);
  const dense = bits === 16 ? 2 ** 11 : 2 ** 24;
  if (Number.isInteger(value) && Math.abs(value) < dense) return;
  const digits = /^-?(\d+)(?:\.(\d+))?/.exec(shortest.toExponential())!;
  const numDigits = (digits[1]! + (digits[2] ?? "")).length;
  if (numDigits === 1) return;
  const fewer = Number(value.toPrecision(numDigits - 1));
  assert(narrow(fewer) !== value, `${fewer} reads back as ${value}, which is ${shortest}`);
}

Deno.test("shortestFloat() has the fewest digits that read back as a float16", () => {
  const bits = new Uint16Array(1);
  const floats = new Float16Array(bits.buffer);
  for (bits[0] = 0; bits[0] < 0x7c00; bits[0]++) checkShortest(floats[0]!, Math.f16round, 16);
});

Deno.test("shortestFloat() has the fewest digits that read back as a float32", () =>
  forSeeds(1, (random) => {
    const bits = new Uint32Array(1);
    const floats = new Float32Array(bits.buffer);
    for (let count = 0; count < 20_000; count++) {
      bits[0] = random.below(random.pick([0x7f800000, 0x800000])) & random.pick([-1, -0x10000]);
      checkShortest(floats[0]!, Math.fround, 32);
    }
  }));
