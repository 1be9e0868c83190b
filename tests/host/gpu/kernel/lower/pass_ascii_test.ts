import { assertEquals } from "@std/assert";
import { defineHelper } from "../../../../../gpu/kernel/fold/define_helper.ts";
import type { View } from "../../../../../gpu/kernel/language/row_function.ts";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { col, defineStringOp, type StringOp } from "../../../../../mod.ts";
import { setTest } from "../../../../../ops/string/character_kinds.ts";
import {
  type CharTest,
  inRanges,
  randomRanges,
  untilFirst,
} from "../../../../support/kernels/byte_ranges.ts";
import { evaluateExpr } from "../../../../support/expressions/evaluate_expr.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

/** Where the characters of a kind at the start of a text stop, and where those at its end start. */
function trimmed(isPassed: CharTest): StringOp {
  return defineStringOp({
    name: "trimmed",
    kind: "view",
    consts: { isPassed },
    row(text: View, { isPassed }: { isPassed: CharTest }) {
      let start = 0;
      while (start < text.size && isPassed(text.charAt(start))) start = text.next(start);
      let stop = text.size;
      while (stop > start) {
        const before = text.prev(stop);
        if (!isPassed(text.charAt(before))) break;
        stop = before;
      }
      return text.sub(start, stop);
    },
  });
}

const compared = defineHelper({
  args: ["i32"],
  returns: "bool",
  row: (char) => char === 0x20 || char === 0x5f || char === 0xe9 || char >= 0x1f000,
});

/** The same characters, looked up in a table: of a byte that is not ASCII nothing may be looked up. */
const lookedUp = setTest(
  Int32Array.of(0x20, 0x21, 0x5f, 0x60, 0xe9, 0xea, 0x1f000, 0x110000),
);

/** And in a table of the ASCII characters alone. */
const ascii = new Int32Array(128);
ascii[0x20] = ascii[0x5f] = 1;
const byTable = defineHelper({
  args: ["i32"],
  returns: "bool",
  consts: { ascii, lookedUp },
  row: (char, { ascii, lookedUp }) => char < 0x80 ? ascii.at(char) === 1 : lookedUp(char),
});

/** Kernels of WebAssembly from so many rows on. */
const kernelsOf = (minWasmRows: number) => new HostKernels({ minWasmRows });

const PASSED = [" ", "_", "é", "🙂"];

function randomRow(random: SeededRandom): string {
  const run = (chars: readonly string[]) =>
    Array.from(
      { length: random.below(random.pick([2, 5, 40])) },
      () => random.pick(chars),
    ).join("");
  const passed = () => run(random.pick([[" "], ["é"], PASSED]));
  return passed() + run(random.pick([["a"], ["ê"], ["a", "ê", "一", "\u{1d11e}", ...PASSED]])) +
    passed();
}

function model(row: string, isPassed: (char: string) => boolean): string {
  const chars = [...row];
  const start = chars.findIndex((char) => !isPassed(char));
  const stop = chars.findLastIndex((char) => !isPassed(char)) + 1;
  return start < 0 ? "" : chars.slice(start, stop).join("");
}

Deno.test("characters of any text are passed over at both ends as far as a test holds", () =>
  forSeeds(20, (random) => {
    const text = Array.from({ length: 60 }, () => random.chance(0.1) ? null : randomRow(random));
    const expect = (op: StringOp, isPassed: (char: string) => boolean) => {
      const kernels = kernelsOf(random.pick([1, 1000]));
      assertEquals(
        evaluateExpr(op(col("text")), { text }, { kernels }),
        text.map((row) => row === null ? null : model(row, isPassed)),
      );
    };
    for (const test of [compared, lookedUp, byTable]) {
      expect(trimmed(test), (char) => PASSED.includes(char));
      expect(untilFirst(test), (char) => !PASSED.includes(char));
    }
    const chars = random.pick([" ", "é", "_ é🙂", "a"]);
    assertEquals(
      evaluateExpr(col("text").strip(chars), { text }, { kernels: kernelsOf(1) }),
      text.map((row) => row === null ? null : model(row, (char) => chars.includes(char))),
    );
  }));

Deno.test("each byte is passed over or not, whatever ranges of them a test has", () => {
  const draws = new Draws(["one range", "some ranges", "many ranges", "most bytes"]);
  return forSeeds(fewOr(12, 40), (random) => {
    const ranges = randomRanges(random, random.pick([1, 2, 3, 7]));
    if (ranges.length === 0) return;
    const isPassed = (char: string) =>
      ranges.some(([low, high]) => low <= char.codePointAt(0)! && char.codePointAt(0)! <= high);
    const bytes = Array.from({ length: 0x100 }, (_, code) => String.fromCodePoint(code));
    const passed = bytes.filter(isPassed);
    draws.add(
      ranges.length === 1 ? "one range" : ranges.length < 5 ? "some ranges" : "many ranges",
    );
    if (passed.length > 0x80) draws.add("most bytes");
    // Each of them at both ends, behind some that are passed over.
    const text = [...bytes, "ā", "一", "🙂"].map((char) => {
      const before = Array.from({ length: random.below(40) }, () => random.pick(passed)).join("");
      return `${before}${char}x${char}${before}`;
    });
    const test = inRanges(ranges);
    for (const minWasmRows of [1, Infinity]) {
      const how = { kernels: kernelsOf(minWasmRows) };
      const what = `${JSON.stringify(ranges)}, from ${minWasmRows} rows`;
      assertEquals(
        evaluateExpr(trimmed(test)(col("text")), { text }, how),
        text.map((row) => model(row, isPassed)),
        what,
      );
      assertEquals(
        evaluateExpr(untilFirst(test)(col("text")), { text }, how),
        text.map((row) => model(row, (char) => !isPassed(char))),
        what,
      );
    }
  }, draws);
});
