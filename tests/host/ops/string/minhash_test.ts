import { assert, assertEquals, assertThrows } from "@std/assert";
import { Field, List, Schema, Uint32, Utf8 } from "apache-arrow";
import { col, ExprError, lit, parseExpr } from "../../../../mod.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { evaluateExpr } from "../../../support/expressions/evaluate_expr.ts";
import { listModel } from "../../../support/models/list_model.ts";
import { murmur3 } from "../../../support/models/murmur3.ts";
import { randomTexts } from "../../../support/random/random_text.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";

/** Published values of MurmurHash3_x86_32. */
const VECTORS: readonly (readonly [text: string, seed: number, hash: number])[] = [
  ["", 0, 0],
  ["", 1, 0x514e28b7],
  ["", 0xffffffff, 0x81f16f39],
  ["test", 0, 0xba6bd213],
  ["test", 0x9747b28c, 0x704b81dc],
  ["Hello, world!", 0, 0xc0363e43],
  ["Hello, world!", 0x9747b28c, 0x24884cba],
  ["The quick brown fox jumps over the lazy dog", 0, 0x2e4ff723],
  ["The quick brown fox jumps over the lazy dog", 0x9747b28c, 0x2fa826cd],
  ["aaaa", 0x9747b28c, 0x5a97808a],
  ["aaa", 0x9747b28c, 0x283e0130],
  ["aa", 0x9747b28c, 0x5d211726],
  ["a", 0x9747b28c, 0x7fa09ea6],
  ["abc", 0, 0xb3dd93fa],
];

Deno.test("minhash() of a text of one run is its MurmurHash3_x86_32, as published", () => {
  for (const [text, seed, hash] of VECTORS) {
    assertEquals(murmur3(new TextEncoder().encode(text), seed), hash, text);
    if (text === "") continue;
    const [hashes] = evaluateExpr(col("text").minhash(1, 100, seed), { text: [text] });
    assertEquals(hashes as unknown, [hash], text);
  }
});

Deno.test("minhash() gives the least hash of all runs for each seed", () =>
  forSeeds(20, (random) => {
    const text = randomTexts(random, 60);
    const [hashes, width] = [random.pick([1, 2, 7]), random.pick([1, 2, 4, 5, 512])];
    const seed = random.pick([0, 1, 12345, 0x7fffffff, 0xfffffffe]);
    assertEquals(
      evaluateExpr(col("text").minhash(hashes, { width, seed }), { text }) as unknown,
      text.map((text) => text === null ? null : listModel.minhash(text, hashes, width, seed)),
    );
  }));

Deno.test("texts with much in common have values of minhash() in common", () => {
  const words = Array.from({ length: 300 }, (_, i) => `word${i * 7919 % 1000}`);
  const changed = words.map((word, i) => i % 100 === 0 ? "other" : word);
  const other = words.map((_, i) => `w${i * 31 % 997}x`);
  const text = [words, changed, other].map((list) => list.join(" "));
  const [first, similar, different] = evaluateExpr(col("text").minhash(128), {
    text,
  }) as unknown as [number[], number[], number[]];
  const shared = (hashes: number[]) => hashes.filter((hash, i) => hash === first[i]).length;
  assert(shared(similar) > 100, `${shared(similar)} of a similar text`);
  assert(shared(different) < 60, `${shared(different)} of another text`);
});

Deno.test("minhash() gives a list of uint32, which can be asked for its length", () => {
  const schema = new Schema([new Field("text", new Utf8(), true)]);
  const { type } = bindExpr(col("text").minhash(3), schema);
  assert(type instanceof List && type.valueType instanceof Uint32);
  const text = ["abc", null];
  assertEquals(evaluateExpr(parseExpr("text.minhash(3).length()"), { text }), [3, null]);
  assertEquals(
    evaluateExpr(parseExpr("text.minhash(2, { width: 9, seed: 5 })"), { text }),
    evaluateExpr(col("text").minhash(2, 9, 5), { text }),
  );
});

Deno.test("minhash() refuses sizes and seeds that are out of range", () => {
  const text = col("text");
  const problem = (call: () => unknown) => assertThrows(call, RangeError).message;
  assertEquals(
    problem(() => text.minhash(0)),
    "minhash(): the number of hashes is not one of 1 to 512",
  );
  assertEquals(problem(() => text.minhash(1, 513)), "minhash(): the width is not one of 1 to 512");
  assertEquals(
    problem(() => text.minhash(1, 4, -1)),
    "minhash(): the seed is not an integer of 32 bits without a sign",
  );
  assertThrows(() => parseExpr('text.minhash("3")'), ExprError, "the number of hashes");
  assertThrows(() => text.minhash(col("n") as unknown as number), TypeError, "must be a literal");
  assertEquals(evaluateExpr(lit(null).minhash(1), { text: ["a"] }), [null]);
});
