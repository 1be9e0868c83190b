import { assert, assertEquals, assertThrows } from "@std/assert";
import { Int64, Utf8 } from "apache-arrow";
import { ExprError } from "../../../../../base/errors/expr_error.ts";
import { col, lit } from "../../../../../ops/expr/expr.ts";
import {
  INTEGER_EDGES,
  integerOf,
  ODD_INTEGERS,
  randomInteger,
} from "../../../../support/values/number_texts.ts";
import { queryDuckDb } from "../../../../support/judges/peers.ts";
import { askPython, pythonTest } from "../../../../support/judges/python.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { compileTyped, evaluateTyped } from "../../../../support/kernels/programs.ts";

const parsed = col("text").toInteger();
const texts = [...INTEGER_EDGES.map(String), ...ODD_INTEGERS];

Deno.test("toInteger() reads every edge of 64 bits, and nothing but digits behind a sign", () => {
  assertEquals(evaluateTyped(parsed, { text: [new Utf8(), texts] }), texts.map(integerOf));
  const ascii = texts.filter((text) => /^[\0-\x7f]*$/.test(text));
  assertEquals(evaluateTyped(parsed, { text: [new Utf8(), ascii] }), ascii.map(integerOf));
});

Deno.test("toInteger() of random digits agrees with BigInt, with nulls and in larger trees", () =>
  forSeeds(30, (random) => {
    const values = Array.from(
      { length: 100 },
      () => random.chance(0.1) ? null : randomInteger(random),
    );
    const wanted = values.map((text) => text === null ? null : integerOf(text));
    const input = { text: [new Utf8(), values] } as const;
    assertEquals(evaluateTyped(parsed, input), wanted);
    for (const fuse of [true, false]) {
      const sum = parsed.fillNull(0).add(lit(1));
      const sums = wanted.map((value) => BigInt.asIntN(64, (value ?? 0n) + 1n));
      const exact = sums.map((value) => value === -(2n ** 63n) ? null : value);
      assertEquals(evaluateTyped(sum, input, fuse), exact);
      const isLarge = wanted.map((value) => value === null ? null : value > 1000n);
      assertEquals(evaluateTyped(parsed.gt(1000), input, fuse), isLarge);
    }
  }));

Deno.test("toInteger() is an int64, also of literals, and refuses what is no text", () => {
  assertEquals(compileTyped(parsed, { text: [new Utf8(), []] }).type.toString(), "Int64");
  assertEquals(evaluateTyped(lit("-12").toInteger(), {}), [-12n]);
  assertEquals(evaluateTyped(lit(null).toInteger(), {}), [null]);
  assertThrows(
    () => compileTyped(col("n").toInteger().upper(), { n: [new Utf8(), []] }),
    ExprError,
    "upper(n.toInteger()): n.toInteger() is int64, not a string",
  );
  assertEquals(new Int64().toString(), "Int64");
});

pythonTest("toInteger() agrees with Python's int() where it takes a text at all", async () => {
  const answers = await askPython(texts.map((text) => ({ op: "int", text, args: [] })));
  const ours = evaluateTyped(parsed, { text: [new Utf8(), texts] });
  assert(ours.filter((value) => value !== null).length > 30);
  ours.forEach((value, row) => {
    if (value !== null) assertEquals(String(value), answers[row], JSON.stringify(texts[row]));
  });
});

Deno.test("toInteger() agrees with DuckDB on every text that is a whole number", async () => {
  const list = texts.filter((text) => /^[+-]?[0-9]+$/.test(text));
  const rows = await queryDuckDb(
    `select try_cast(t as bigint)::text as n from (select unnest([${
      list.map((text) => `'${text}'`).join(", ")
    }]) as t)`,
  );
  const ours = evaluateTyped(parsed, { text: [new Utf8(), list] });
  assertEquals(ours.map((value) => value === null ? null : String(value)), rows.map(({ n }) => n));
});
