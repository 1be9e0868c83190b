import { assert, assertEquals } from "@std/assert";
import { Float32, Float64, Int32, Int64, Uint64, Utf8 } from "apache-arrow";
import { readDecimal } from "../../../../../gpu/host/runtime/host_functions.ts";
import { col } from "../../../../../ops/expr/expr.ts";
import {
  FLOAT_EDGES,
  floatOf,
  INTEGER_EDGES,
  ODD_FLOATS,
  randomFloat,
  spelled,
} from "../../../../support/values/number_texts.ts";
import { queryDuckDb } from "../../../../support/judges/peers.ts";
import { askPython, pythonTest } from "../../../../support/judges/python.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { compileTyped, evaluateTyped } from "../../../../support/kernels/programs.ts";

const parsed = col("text").toFloat();

Deno.test("toFloat() reads every spelling, and isFloat() says where it does", () => {
  for (const texts of [ODD_FLOATS, ODD_FLOATS.filter((text) => /^[\0-\x7f]*$/.test(text))]) {
    const wanted = texts.map(floatOf);
    const actual = evaluateTyped(parsed, { text: [new Utf8(), texts] });
    texts.forEach((text, row) => assert(Object.is(actual[row], wanted[row]), text));
    assertEquals(
      evaluateTyped(col("text").isFloat(), { text: [new Utf8(), texts] }),
      wanted.map((value) => value !== null),
    );
  }
});

Deno.test("toFloat() gives the nearest float of 100,000 random numbers in many spellings", () =>
  forSeeds(20, (random) => {
    const texts = Array.from({ length: 5_000 }, () => spelled(random, randomFloat(random)));
    const actual = evaluateTyped(parsed, { text: [new Utf8(), texts] });
    texts.forEach((text, row) => assert(Object.is(actual[row], floatOf(text)), text));
  }));

Deno.test("the fast path of reading is exact for short numbers", () =>
  forSeeds(20, (random) => {
    for (let i = 0; i < 2_000; i++) {
      const digits = String(Math.floor(random.next() * 10 ** (1 + random.below(17))));
      const at = random.below(digits.length + 1);
      const exponent = random.chance(0.5) ? "" : `e${random.below(60) - 30}`;
      const text = `${digits.slice(0, at)}.${digits.slice(at)}${exponent}`;
      const bytes = new TextEncoder().encode(`x${text}y`);
      assertEquals(readDecimal(bytes, 1, bytes.length - 1), Number(text), text);
    }
  }));

pythonTest("toFloat() agrees with Python's float() where it takes a text at all", async () => {
  const answers = await askPython(ODD_FLOATS.map((text) => ({ op: "float", text, args: [] })));
  const actual = evaluateTyped(parsed, { text: [new Utf8(), ODD_FLOATS] });
  assert(actual.filter((value) => value !== null).length > 30);
  actual.forEach((value, row) => {
    if (value === null) return;
    const python = String(answers[row]).replace("inf", "Infinity").replace("nan", "NaN");
    assert(Object.is(Number(python), value), ODD_FLOATS[row]);
  });
});

Deno.test("toFloat() agrees with DuckDB wherever both take a text", async () => {
  const texts = ODD_FLOATS.filter((text) => !text.includes("\0"));
  const list = texts.map((text) => `'${text}'`).join(", ");
  const rows = await queryDuckDb(
    `select try_cast(t as double) as n from (select unnest([${list}]) as t)`,
  );
  const actual = evaluateTyped(parsed, { text: [new Utf8(), texts] });
  let numBoth = 0;
  actual.forEach((value, row) => {
    const theirs = rows[row]!["n"];
    if (value === null || theirs === null) return;
    assertEquals(value, theirs, texts[row]);
    numBoth++;
  });
  assert(numBoth > 30, String(numBoth));
});

Deno.test("toFloat() of integers is the nearest float, ties to even", () =>
  forSeeds(20, (random) => {
    const some = Array.from(
      { length: 200 },
      () =>
        BigInt(Math.floor(random.next() * 2 ** 32)) * 2n ** BigInt(random.below(34)) +
        BigInt(random.below(3)),
    );
    const edges = [...INTEGER_EDGES, ...some];
    const signed = edges.map((value) => BigInt.asIntN(64, value));
    const unsigned = edges.map((value) => BigInt.asUintN(64, value));
    const wanted = (values: bigint[]) => values.map(Number);
    assertEquals(evaluateTyped(col("n").toFloat(), { n: [new Int64(), signed] }), wanted(signed));
    assertEquals(
      evaluateTyped(col("n").toFloat(), { n: [new Uint64(), unsigned] }),
      wanted(unsigned),
    );
    const narrow = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), null];
    assertEquals(evaluateTyped(col("n").toFloat(), { n: [new Int32(), narrow] }), narrow);
  }));

Deno.test("toInteger() of floats cuts the fraction off, and is null where it does not fit", () =>
  forSeeds(20, (random) => {
    const values = [
      ...FLOAT_EDGES,
      ...Array.from({ length: 500 }, () => (random.next() - 0.5) * 2 ** random.below(70)),
      ...Array.from({ length: 100 }, () => randomFloat(random)),
    ];
    const truncated = (value: number) => {
      if (!Number.isFinite(value)) return null;
      const whole = BigInt(Math.trunc(value));
      return BigInt.asIntN(64, whole) === whole ? whole : null;
    };
    assertEquals(
      evaluateTyped(col("n").toInteger(), { n: [new Float64(), values] }),
      values.map(truncated),
    );
    const narrow = values.map(Math.fround);
    assertEquals(
      evaluateTyped(col("n").toInteger(), { n: [new Float32(), narrow] }),
      narrow.map(truncated),
    );
  }));

Deno.test("numbers go on as numbers: floats that were read are compared, added and chosen", () => {
  const input = {
    text: [new Utf8(), ["1.5", "x", "1e3"]],
    n: [new Int64(), [1n, 2n, 3n]],
  } as const;
  for (const fuse of [true, false]) {
    const run = (expr: ReturnType<typeof col>) => evaluateTyped(expr, input, fuse);
    assertEquals(run(parsed.gt(2)), [false, null, true]);
    assertEquals(run(parsed.add(0.25)), [1.75, null, 1000.25]);
    assertEquals(run(parsed.fillNull(col("n").toFloat())), [1.5, 2, 1000]);
    assertEquals(run(col("n").toFloat().add(parsed)), [2.5, null, 1003]);
    assertEquals(run(col("n").toFloat().gt(1.5).ifElse(parsed, 0.5)), [0.5, null, 1000]);
    assertEquals(run(parsed.toInteger()), [1n, null, 1000n]);
    assertEquals(run(parsed.toString().upper()), ["1.5", null, "1000.0"]);
    assertEquals(run(parsed.toString().length()), [3, null, 6]);
    assertEquals(run(parsed.eq(col("n").toFloat().add(0.5))), [true, null, false]);
  }
});

Deno.test("what reads or writes floats says that the host runs it; what asks for them does not", () => {
  const hostOnly = (expr: ReturnType<typeof col>) =>
    compileTyped(expr, { text: [new Utf8(), []] }).program.kernels.map((kernel) => kernel.hostOnly);
  const reason = "it reads or writes floating-point numbers";
  assertEquals(hostOnly(parsed.gt(1).and(col("text").isFloat())), [reason]);
  assertEquals(hostOnly(col("text").isFloat()), [undefined]);
  assertEquals(hostOnly(col("text").toInteger().toFloat()), [undefined]);
  assertEquals(hostOnly(parsed.toString().upper()), [reason, undefined]);
});
