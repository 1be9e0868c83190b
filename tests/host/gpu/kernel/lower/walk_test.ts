import { assertEquals, assertThrows } from "@std/assert";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { emitJavaScript } from "../../../../../gpu/kernel/emit/javascript/emit.ts";
import { lowerKernel } from "../../../../../gpu/kernel/lower/lower.ts";
import type { i32, Sink, Table, View } from "../../../../../gpu/kernel/language/row_function.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { col, defineStringOp, lit, type StringOp } from "../../../../../mod.ts";
import { evaluateExpr } from "../../../../support/expressions/evaluate_expr.ts";
import { randomTexts } from "../../../../support/random/random_text.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { STRING } from "../../../../support/kernels/trees.ts";

/** Drops blanks, stops at a hyphen. */
const untilHyphen = defineStringOp({
  name: "untilHyphen",
  kind: "emit",
  row(out: Sink, text: View) {
    for (let at = 0; at < text.size; at = text.next(at)) {
      const char = text.charAt(at);
      if (char === 0x20) continue;
      if (char === 0x2d) break;
      out.put(char);
    }
  },
});

/** Pairs of the same character, over a part of the text: one walk in another. */
const pairs = defineStringOp({
  name: "pairs",
  kind: "measure",
  row(text: View): i32 {
    const inner = text.sub(text.next(0), text.size);
    let count = 0;
    for (let at = 0; at < inner.size; at = inner.next(at)) {
      for (let other = 0; other < text.size && other < 20; other = text.next(other)) {
        if (inner.charAt(at) === text.charAt(other)) count++;
      }
    }
    return count;
  },
});

/** Every other character: its body moves the position, so it is no walk. */
const everyOther = defineStringOp({
  name: "everyOther",
  kind: "emit",
  row(out: Sink, text: View) {
    for (let at = 0; at < text.size; at = text.next(at)) {
      out.put(text.charAt(at));
      at = text.next(at);
    }
  },
});

/** How many blanks are in front, and then how many characters follow up to a hyphen. */
const blanksAndWord = defineStringOp({
  name: "blanksAndWord",
  kind: "measure",
  row(text: View): i32 {
    let at = 0;
    let blanks = 0;
    while (at < text.size && text.charAt(at) === 0x20) {
      blanks++;
      at = text.next(at);
    }
    let count = 0;
    while (at < text.size && text.charAt(at) !== 0x2d) {
      count++;
      at = text.next(at);
    }
    return blanks * 100 + count;
  },
});

/** Starts in front of the text, where there is no character. */
const fromBefore = defineStringOp({
  name: "fromBefore",
  kind: "measure",
  row(text: View): i32 {
    let rounds = 0;
    for (let at = -1; at < text.size; at = text.next(at)) {
      rounds += text.charAt(at) === 0 ? 100 : 1;
    }
    return rounds;
  },
});

/** The view is another one inside, so that its size is not the one that was tested. */
const shrinking = defineStringOp({
  name: "shrinking",
  kind: "measure",
  row(text: View): i32 {
    let rest = text;
    let rounds = 0;
    for (let at = 0; at < rest.size; at = rest.next(at)) {
      rest = rest.sub(0, rest.size - 1);
      if (rest.charAt(at) !== 0x61) rounds++;
    }
    return rounds;
  },
});

Deno.test("walks through views give what their loops say", async () => {
  await forSeeds(20, (random) => {
    const text = randomTexts(random, 60);
    assertRows(untilHyphen, text, (chars) => chars.join("").split("-")[0]!.replaceAll(" ", ""));
    assertRows(everyOther, text, (chars) => chars.filter((_, i) => i % 2 === 0).join(""));
    assertRows(blanksAndWord, text, (chars) => {
      const [, blanks = "", word = ""] = /^( *)([^-]*)/u.exec(chars.join("")) ?? [];
      return blanks.length * 100 + [...word].length;
    });
    assertRows(fromBefore, text, (chars) => 100 + chars.length);
    assertRows(pairs, text, (chars) => {
      const starts = chars.map((_, i) =>
        new TextEncoder().encode(chars.slice(0, i).join("")).length
      );
      const seen = chars.filter((_, i) => starts[i]! < 20);
      return chars.slice(1).flatMap((char) => seen.filter((other) => other === char)).length;
    });
  });
  const texts = ["", "a", "b", "aaaa", "bbbb", "abab"];
  assertEquals(evaluateExpr(shrinking(col("text")), { text: texts }), [0, 1, 1, 0, 2, 1]);
});

Deno.test("a walk through ASCII checks no position", () => {
  const text: Tree = { node: "column", index: 0, type: STRING };
  const { kernels } = partitionIntoKernels([STRING], [{
    label: "untilHyphen",
    tree: { node: "call", fn: untilHyphen.rowFunction("row"), text, args: [], type: STRING },
  }]);
  const lowered = lowerKernel(kernels[0]!, [STRING], { ascii: true, nullable: [false] });
  assertEquals(lowered.kernel === "row" && emitJavaScript(lowered).body.includes(">>>"), false);
});

function assertRows(
  op: StringOp,
  text: readonly (string | null)[],
  model: (chars: readonly string[]) => string | number,
): void {
  const expected = text.map((row) => row === null ? null : model([...row]));
  assertEquals(evaluateExpr(op(col("text")), { text }), expected, op.spec.name);
}

/** States count the letters a: 0 for three and more, which is final, then 0, 1 and 2 of them. */
const next = new Int32Array(4 * 256);
for (let state = 1; state < 4; state++) {
  next.fill(state * 256, state * 256, (state + 1) * 256);
  next[state * 256 + 0x61] = ((state + 1) % 4) * 256;
}

const follower = (table: Int32Array, start: number) =>
  defineStringOp({
    name: "countUpTo3",
    kind: "measure",
    consts: { table, start },
    row(text: View, c: { table: Table; start: i32 }): i32 {
      return c.table.follow(text, c.start) >> 8;
    },
  });

Deno.test("follow() gives the state after the bytes of a text, in columns and folded", () => {
  const count = follower(next, 256);
  const texts = ["", "b", "abca", "aaa", "é🙂a", `${"-".repeat(200)}aaa${"-".repeat(200)}`, null];
  const expected = [1, 1, 3, 0, 2, 0, null];
  assertEquals(evaluateExpr(count(col("name")), { name: texts }), expected);
  for (const [index, text] of texts.entries()) {
    if (text === null) continue;
    assertEquals(evaluateExpr(count(lit(text)), { name: ["x"] }), [expected[index]!]);
  }
});

Deno.test("follow() begins with state 0 where it is given none", () => {
  for (const start of [-256, 4 * 256, 1 << 30]) {
    assertEquals(evaluateExpr(follower(next, start)(col("name")), { name: ["b"] }), [0]);
  }
  const begin = defineStringOp({
    name: "begin",
    kind: "measure",
    args: { start: "i32" },
    consts: { next },
    row: (text: View, { start, next }: { start: i32; next: Table }): i32 =>
      next.follow(text, start),
  });
  const columns = { name: ["b", "b", "b"], start: [-1, 513, 1 << 20] };
  assertEquals(evaluateExpr(begin(col("name"), col("start")), columns), [0, 512, 0]);
});

Deno.test("follow() refuses a table that leads out of itself", () => {
  const wrong = [new Int32Array(100), next.with(7, 4 * 256), next.with(7, 255), next.with(7, -256)];
  for (const table of wrong) {
    assertThrows(
      () => evaluateExpr(follower(table, 0)(col("name")), { name: ["b"] }),
      Error,
      "table is not a table of states that bytes lead to",
    );
  }
});
