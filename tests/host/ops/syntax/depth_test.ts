import { assert, assertEquals, assertThrows } from "@std/assert";
import { createEngine, expr, filter, fromBatches, toTable, withColumns } from "../../../../mod.ts";
import { depthOf, MAX_DEPTH } from "../../../../ops/syntax/depth.ts";
import { col, type Expr, lit } from "../../../../ops/expr/expr.ts";
import { deep, people, valueOf } from "../../../support/expressions/deep_expressions.ts";

const limit = "at most 500 operations, and fewer parentheses, inside of each other";
for (const [what, make] of Object.entries(deep)) {
  Deno.test(`450 ${what} inside of each other are computed, 501 and more refused`, async () => {
    const [text, gives] = make(MAX_DEPTH - 50);
    assertEquals(await valueOf(text, true), gives);
    for (const depth of [MAX_DEPTH + 1, 2 * MAX_DEPTH, 5 * MAX_DEPTH, 50 * MAX_DEPTH]) {
      assertThrows(() => expr(make(depth)[0]), RangeError, limit);
    }
  });
}

Deno.test("six tenths of the usual stack are enough for 450 operations inside of each other", async () => {
  const script =
    new URL("../../../support/expressions/deep_expressions.ts", import.meta.url).pathname;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--lock=deno.dev.lock",
      "--frozen",
      "--v8-flags=--stack-size=600",
      script,
    ],
    cwd: new URL("../../../../", import.meta.url).pathname,
  }).output();
  assert(success, new TextDecoder().decode(stderr));
});

Deno.test("an expression that is built is refused where it becomes too deep", () => {
  let built: Expr = col("n");
  for (let depth = 1; depth < MAX_DEPTH; depth++) built = built.add(lit(1));
  assertEquals(depthOf(built.node), MAX_DEPTH);
  assertThrows(() => built.add(1), RangeError, limit);
  assertThrows(() => built.upper(), RangeError, limit);
});

Deno.test("parentheses are no operations, and the next step begins anew", async () => {
  const parentheses = (depth: number) => "(".repeat(depth) + "name" + ")".repeat(depth);
  assertEquals(depthOf(expr(parentheses(300)).node), 1);
  assertEquals(await valueOf(parentheses(300), false), "ab");
  assertThrows(() => expr(parentheses(100_000)), RangeError, limit);
  let stream = fromBatches(people, { engine: createEngine({ device: "cpu" }) });
  for (let step = 0; step < 30; step++) {
    const sum = "n" + " + 1".repeat(40);
    stream = stream.pipeThrough(withColumns({ n: expr(sum) }));
    stream = stream.pipeThrough(filter(expr("n > 0" + " && n > 0".repeat(40))));
  }
  assertEquals((await toTable(stream)).getChild("n")?.get(0), 1201n);
});
