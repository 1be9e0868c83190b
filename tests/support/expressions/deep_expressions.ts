/**
 * Expressions of many nested operations. As a program it computes the deepest of each
 * kind, so that a test can run it with less stack than usual.
 */

import { assertEquals } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { createEngine, expr, fromBatches, toTable, withColumns } from "../../../mod.ts";
import { MAX_DEPTH } from "../../../ops/syntax/depth.ts";

/** One row. */
export const people = tableFromArrays({ name: ["ab"], n: Int32Array.of(1) });

/** Texts of nested operations, about as many as stated, and their results for `people`. */
export const deep: Record<string, (depth: number) => readonly [text: string, gives: unknown]> = {
  calls: (depth) => ["name" + ".upper()".repeat(depth), "AB"],
  sums: (depth) => [Array(depth).fill("n").join(" + "), BigInt(depth)],
  texts: (depth) => [Array(depth).fill("name").join(" + "), "ab".repeat(depth)],
  conditions: (depth) => [Array.from({ length: depth }, (_, k) => `n == ${k}`).join(" || "), true],
  choices: (depth) => [
    Array.from({ length: depth }, (_, k) => `n == ${k} ? "${k}" : `).join("") + "name",
    "1",
  ],
  negations: (depth) => ["!".repeat(depth) + "(n > 1)", depth % 2 === 1],
};

/** Returns the result of an expression for `people`. */
export async function valueOf(text: string, fuse: boolean): Promise<unknown> {
  const engine = createEngine({ device: "cpu", fuse });
  const stream = fromBatches(people, { engine }).pipeThrough(withColumns({ x: expr(text) }));
  return (await toTable(stream)).getChild("x")?.get(0);
}

if (import.meta.main) {
  for (const [what, make] of Object.entries(deep)) {
    const [text, gives] = make(MAX_DEPTH - 50);
    assertEquals(await valueOf(text, true), gives, what);
  }
}
