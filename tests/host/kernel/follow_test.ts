import { assertEquals, assertThrows } from "@std/assert";
import { col, defineStringOp, lit } from "../../../mod.ts";
import type { i32, Table, View } from "../../../gpu/kernel/language/row_function.ts";
import { evaluateExpr } from "../../support/evaluate_expr.ts";

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
