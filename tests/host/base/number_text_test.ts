import { assertEquals } from "@std/assert";
import { decimalText, integerOf } from "../../../base/number_text.ts";

Deno.test("decimalText() puts the point `scale` digits from the right", () => {
  const cases = [
    [0n, 2, "0.00"],
    [5n, 2, "0.05"],
    [-5n, 1, "-0.5"],
    [12345n, 2, "123.45"],
    [12n, 0, "12"],
    [12n, -3, "12000"],
    [0n, -3, "0"],
  ] as const;
  for (const [value, scale, text] of cases) assertEquals(decimalText(value, scale), text);
});

Deno.test("integerOf() reads little-endian words in two's complement", () => {
  const values = [0n, 1n, -1n, 2n ** 127n - 1n, -(2n ** 127n), -(2n ** 64n)];
  const words = new Uint32Array(
    values.flatMap((value) =>
      [0n, 32n, 64n, 96n].map((shift) => Number((value >> shift) & 0xffffffffn))
    ),
  );
  values.forEach((value, row) => assertEquals(integerOf(words, 4 * row, 4), value));
  assertEquals(integerOf(Uint32Array.of(0xfffffffe, 0xffffffff)), -2n);
});
