import { assertEquals, assertThrows } from "@std/assert";
import { createEngine, expr, filter, fromBatches, toTable, withColumns } from "../../../mod.ts";
import { depthOf, MAX_DEPTH } from "../../../ops/expr/depth.ts";
import { col, type Expr, lit } from "../../../ops/expr/expr.ts";
import { tableFromArrays } from "apache-arrow";

const limit = "at most 1000 operations, and fewer parentheses, inside of each other";
const people = tableFromArrays({ name: ["ab"], n: Int32Array.of(1) });

/** Texts of about so many operations inside of each other, and what they give for `people`. */
const deep: Record<string, (depth: number) => readonly [text: string, gives: unknown]> = {
  calls: (depth) => ["name" + ".upper()".repeat(depth), "AB"],
  sums: (depth) => [Array(depth).fill("n").join(" + "), depth],
  texts: (depth) => [Array(depth).fill("name").join(" + "), "ab".repeat(depth)],
  conditions: (depth) => [Array.from({ length: depth }, (_, k) => `n == ${k}`).join(" || "), true],
  choices: (depth) => [
    Array.from({ length: depth }, (_, k) => `n == ${k} ? "${k}" : `).join("") + "name",
    "1",
  ],
  negations: (depth) => ["!".repeat(depth) + "(n > 1)", depth % 2 === 1],
};

async function valueOf(text: string, fuse: boolean): Promise<unknown> {
  const engine = createEngine({ device: "cpu", fuse });
  const stream = fromBatches(people, { engine }).pipeThrough(withColumns({ x: expr(text) }));
  return (await toTable(stream)).getChild("x")?.get(0);
}

for (const [what, make] of Object.entries(deep)) {
  Deno.test(`950 ${what} inside of each other are computed, 1,001 and more refused`, async () => {
    const [text, gives] = make(MAX_DEPTH - 50);
    assertEquals(await valueOf(text, true), gives);
    for (const depth of [MAX_DEPTH + 1, 2 * MAX_DEPTH, 5 * MAX_DEPTH, 50 * MAX_DEPTH]) {
      assertThrows(() => expr(make(depth)[0]), RangeError, limit);
    }
  });
}

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
  assertEquals((await toTable(stream)).getChild("n")?.get(0), 1201);
});
