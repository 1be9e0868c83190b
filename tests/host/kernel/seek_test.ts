import { assertEquals } from "@std/assert";
import { HostKernelCache } from "../../../gpu/host/kernels/kernel_cache.ts";
import { partitionIntoKernels } from "../../../gpu/kernel/partition/partition.ts";
import type { i32, View } from "../../../gpu/kernel/language/row_function.ts";
import { evaluateAround } from "../../support/evaluate_around.ts";
import { columnOf, sliceText, valuesOf } from "../../support/host_columns.ts";
import { forSeeds, type SeededRandom } from "../../support/seeded_random.ts";
import { testFunction } from "../../support/test_function.ts";
import { column, INT32, literal, STRING } from "../../support/trees.ts";

/** Searches to and fro: from each of some places, the last one first, then from the first on. */
const toAndFro = testFunction({
  name: "toAndFro",
  kind: "measure",
  returns: "i32",
  args: { needle: "string" },
  row(text: View, { needle }: { needle: View }): i32 {
    let sum = text.find(needle, text.size >> 1);
    for (let i = 9; i >= 0; i--) {
      sum = 31 * sum + text.find(needle, 3 * i);
      sum = 31 * sum + text.find(needle, 2);
    }
    let at = text.find(needle, 0);
    while (at >= 0) {
      sum = 31 * sum + at;
      at = text.find(needle, at + 1);
    }
    return sum;
  },
}, (text, needle: string) => {
  const hash = (sum: number, value: number) => (Math.imul(31, sum) + value) | 0;
  let sum = text.indexOf(needle, text.length >> 1);
  for (let i = 9; i >= 0; i--) {
    // A start behind the text finds nothing, as the needles are not empty.
    sum = hash(sum, text.indexOf(needle, 3 * i));
    sum = hash(sum, text.indexOf(needle, 2));
  }
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    sum = hash(sum, at);
  }
  return sum;
});

/** Rows of a few letters, some long, many without the rarer letters. */
function randomRows(random: SeededRandom): string[] {
  return Array.from({ length: 1 + random.below(40) }, () => {
    const letters = random.pick(["a", "ab", "abc", "aaaaaaaaab", `${"a".repeat(50)}b`]);
    const size = random.chance(0.1) ? random.below(9000) : random.below(12);
    return Array.from({ length: size }, () => random.pick([...letters])).join("");
  });
}

Deno.test("a search that goes on from row to row finds what a search in each row finds", async () => {
  await forSeeds(60, (random) => {
    const rows = randomRows(random);
    const start = random.below(rows.length);
    const stop = start + random.below(rows.length - start + 1);
    const run = "a".repeat(1 + random.below(75));
    const needle = random.pick(["b", "c", "ab", "ba", "bc", "abb", run, `${run}b`, `b${run}`]);
    const { fn, meaning } = toAndFro;
    const tree = {
      node: "call",
      fn,
      text: column(0),
      args: [literal(needle)],
      type: INT32,
    } as const;
    const program = partitionIntoKernels([STRING], [{ label: "search", tree }]);
    const input = sliceText(columnOf(STRING, rows), start, stop);
    const wanted = rows.slice(start, stop).map((text) => meaning(text, needle as never));
    for (const minWasmRows of [1, Infinity]) {
      const kernels = new HostKernelCache({ minWasmRows });
      const [result] = evaluateAround(program, [input], input.length, kernels);
      assertEquals(result && valuesOf(result), wanted);
    }
  });
});

/** Where a needle first stands, where next, and where last. */
const ends = testFunction({
  name: "ends",
  kind: "measure",
  returns: "i32",
  args: { needle: "string" },
  row(text: View, { needle }: { needle: View }): i32 {
    const first = text.find(needle, 0);
    const next = text.find(needle, first + 1);
    return (first * 31 + next) * 31 + text.rfind(needle);
  },
}, (text, needle: string) => {
  const first = text.indexOf(needle);
  const next = text.indexOf(needle, first + 1);
  return (Math.imul(Math.imul(first, 31) + next, 31) + text.lastIndexOf(needle)) | 0;
});

/** A long text that repeats itself but for a few places, and a part of it that is changed or not. */
function repetitive(random: SeededRandom): { text: string; needle: string } {
  const letters = () => Array.from({ length: 1 + random.below(6) }, () => random.pick(["a", "b"]));
  const unit = letters().join("");
  const parts = Array.from({ length: 8 }, () =>
    unit.repeat(random.below(3000 / unit.length)) +
    (random.chance(0.5) ? letters().join("") : ""));
  const text = parts.join("");
  const start = random.below(text.length + 1);
  const part = text.slice(start, start + random.below(random.pick([80, 400, 2000])));
  const end = random.pick(["", "", "a", "b", "c"]);
  return { text, needle: `${random.chance(0.2) ? "b" : ""}${part}${end}` || "a" };
}

Deno.test("searches that go on in linear time find what others find", async () => {
  let lookedAt = 0;
  await forSeeds(150, (random) => {
    const samples = Array.from({ length: 3 }, () => repetitive(random));
    const [texts, needles] = [samples.map(({ text }) => text), samples.map(({ needle }) => needle)];
    const { fn, meaning } = ends;
    const isLiteral = random.chance(0.4);
    const wanted = texts.map((text, row) => meaning(text, needles[isLiteral ? 0 : row]! as never));
    const needle = isLiteral ? literal(needles[0]!) : column(1);
    const tree = { node: "call", fn, text: column(0), args: [needle], type: INT32 } as const;
    const program = partitionIntoKernels([STRING, STRING], [{ label: "search", tree }]);
    const inputs = [columnOf(STRING, texts), columnOf(STRING, needles)].slice(
      0,
      program.inputs.length,
    );
    for (const minWasmRows of [1, Infinity]) {
      const kernels = new HostKernelCache({ minWasmRows });
      const [result] = evaluateAround(program, inputs, texts.length, kernels);
      assertEquals(result && valuesOf(result), wanted);
      lookedAt++;
    }
  });
  assertEquals(lookedAt, 300);
});
