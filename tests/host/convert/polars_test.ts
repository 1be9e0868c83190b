import { assert, assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import { col } from "../../../ops/expr/expr.ts";
import { floatOf, ODD_FLOATS, randomFloat, spelled } from "../../support/float_texts.ts";
import { INTEGER_EDGES, ODD_INTEGERS, randomInteger } from "../../support/integer_texts.ts";
import { loadPeer } from "../../support/peers.ts";
import { forSeeds } from "../../support/seeded_random.ts";
import { evaluateTyped } from "../../support/typed_exprs.ts";

const x = col("x");

/** The casts of Polars as text, null where they fail. */
async function castByPolars(texts: readonly string[], to: "Int64" | "Float64"): Promise<string[]> {
  const { default: pl } = await loadPeer("polars");
  return pl.Series("x", texts, pl.Utf8).cast(pl[to], false).toArray().map(String);
}

Deno.test("toInteger() agrees with the cast of Polars wherever both take a text", () =>
  forSeeds(2, async (random) => {
    const texts = [
      ...INTEGER_EDGES.map(String),
      ...ODD_INTEGERS,
      ...Array.from({ length: 300 }, () => randomInteger(random)),
    ];
    const theirs = await castByPolars(texts, "Int64");
    const ours = evaluateTyped(x.toInteger(), { x: [new Utf8(), texts] });
    let numBoth = 0;
    ours.forEach((value, row) => {
      if (value === null || theirs[row] === "null") return;
      // Its JavaScript side gives numbers, exact up to 2^53.
      assertEquals(Number(value), Number(theirs[row]), texts[row]);
      numBoth++;
    });
    assert(numBoth > 100, String(numBoth));
  }));

Deno.test("toFloat() agrees with the cast of Polars wherever both take a text", () =>
  forSeeds(2, async (random) => {
    const texts = [
      ...ODD_FLOATS,
      ...Array.from({ length: 500 }, () => spelled(random, randomFloat(random))),
    ];
    const theirs = await castByPolars(texts, "Float64");
    let numBoth = 0;
    texts.forEach((text, row) => {
      const value = floatOf(text);
      if (value === null || theirs[row] === "null") return;
      assert(Object.is(value + 0, Number(theirs[row]) + 0), `${text}: ${theirs[row]}`);
      numBoth++;
    });
    assertEquals(evaluateTyped(x.toFloat(), { x: [new Utf8(), texts] }), texts.map(floatOf));
    assert(numBoth > 300, String(numBoth));
  }));
