import { assert, assertEquals, assertThrows } from "@std/assert";
import * as arrow from "apache-arrow";
import { ExprError } from "../../../../../base/errors/expr_error.ts";
import { col, lit } from "../../../../../ops/expr/expr.ts";
import {
  FLOAT_EDGES,
  INTEGER_EDGES,
  randomFloat,
} from "../../../../support/values/number_texts.ts";
import { askPython, pythonTest } from "../../../../support/judges/python.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { compileTyped, evaluateTyped } from "../../../../support/kernels/programs.ts";

const text = col("n").toString();

Deno.test("toString() writes every width of integer as BigInt does", () => {
  for (const type of [new arrow.Int8(), new arrow.Int16(), new arrow.Int32(), new arrow.Int64()]) {
    const values = [...INTEGER_EDGES].map((value) => BigInt.asIntN(type.bitWidth, value));
    const given = type.bitWidth === 64 ? values : values.map(Number);
    assertEquals(evaluateTyped(text, { n: [type, [...given, null]] }), [
      ...values.map(String),
      null,
    ]);
  }
  for (
    const type of [new arrow.Uint8(), new arrow.Uint16(), new arrow.Uint32(), new arrow.Uint64()]
  ) {
    const values = [...INTEGER_EDGES].map((value) => BigInt.asUintN(type.bitWidth, value));
    const given = type.bitWidth === 64 ? values : values.map(Number);
    assertEquals(evaluateTyped(text, { n: [type, given] }), values.map(String));
  }
});

Deno.test("toString() of random integers is what BigInt writes, and toInteger() reads it back", () =>
  forSeeds(20, (random) => {
    const values = Array.from({ length: 300 }, () => {
      const wide = BigInt(Math.floor(random.next() * 2 ** 32)) * 2n ** 32n +
        BigInt(Math.floor(random.next() * 2 ** 32));
      return BigInt.asIntN(64, wide) >> BigInt(random.below(64));
    });
    assertEquals(evaluateTyped(text, { n: [new arrow.Int64(), values] }), values.map(String));
    assertEquals(evaluateTyped(text.toInteger(), { n: [new arrow.Int64(), values] }), values);
  }));

Deno.test("toString() of floats reads back as the same float, in the digits of JavaScript", () =>
  forSeeds(10, (random) => {
    const values = [...FLOAT_EDGES, ...Array.from({ length: 2_000 }, () => randomFloat(random))];
    const texts = evaluateTyped(text, { n: [new arrow.Float64(), values] });
    values.forEach((value, row) => {
      const own = Object.is(value, -0) ? "-0" : String(value);
      assertEquals(texts[row], /^-?\d+$/.test(own) ? `${own}.0` : own);
    });
    assertEquals(evaluateTyped(text.toFloat(), { n: [new arrow.Float64(), values] }), values);
  }));

Deno.test("toString() of float32 has the fewest digits that read back as the same float32", () =>
  forSeeds(10, (random) => {
    const values = Array.from(
      { length: 500 },
      () => Math.fround((random.next() - 0.5) * 2 ** (random.below(250) - 125)),
    ).concat([0.1, 16777216, 3.4028234663852886e38, 1e-45, 1 / 3].map(Math.fround));
    const texts = evaluateTyped(text, { n: [new arrow.Float32(), values] });
    values.forEach((value, row) => {
      const written = String(texts[row]);
      assertEquals(Math.fround(Number(written)), value, written);
      const digits = written.replace(/e.*/, "").replace(/\.0$/, "").replace(/[-.]/g, "")
        .replace(/^0+|0+$/g, "").length;
      for (let fewer = 1; fewer < digits; fewer++) {
        assert(Math.fround(Number(value.toPrecision(fewer))) !== value, `${written} of ${value}`);
      }
    });
    assertEquals(texts.at(-5), "0.1");
  }));

pythonTest("toString() of floats has the digits of Python's repr()", async () => {
  const texts = evaluateTyped(text, { n: [new arrow.Float64(), FLOAT_EDGES] }).map(String);
  const answers = await askPython(texts.map((own) => ({ op: "float", text: own, args: [] })));
  const digits = (own: string) =>
    own.replace(/e.*/, "").replace(/[.]|0+$/g, "").replace(/^-?0*/, "");
  texts.forEach((own, row) => {
    if (!/[iy]/i.test(own) && !/nan/i.test(own)) {
      assertEquals(
        digits(own).replace(/0+$/, ""),
        digits(String(answers[row])).replace(/0+$/, ""),
      );
    }
  });
});

Deno.test("toString() of booleans, of text and of null", () => {
  const columns = { n: [new arrow.Bool(), [true, false, null]] } as const;
  assertEquals(evaluateTyped(text, columns), ["true", "false", null]);
  assertEquals(evaluateTyped(text.toBoolean(), columns), [true, false, null]);
  assertEquals(evaluateTyped(text, { n: [new arrow.Utf8(), ["é", null]] }), ["é", null]);
  assertEquals(evaluateTyped(lit(null).toString(), {}), [null]);
  assertEquals(evaluateTyped(lit(5).toString().add("!"), {}), ["5!"]);
});

Deno.test("toString() refuses what it does not write", () => {
  assertThrows(
    () => compileTyped(text, { n: [new arrow.Binary(), []] }),
    ExprError,
    "toString(n): n is binary, which it does not take",
  );
});
