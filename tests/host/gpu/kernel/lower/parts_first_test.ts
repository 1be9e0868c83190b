/** Parts of texts whose bytes are mapped. */

import { assert, assertEquals } from "@std/assert";
import { Int32, Utf8 } from "apache-arrow";
import { lowerKernel } from "../../../../../gpu/kernel/lower/lower.ts";
import { isPositional } from "../../../../../gpu/kernel/lower/function_facts.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { numStatements } from "../../../../../gpu/kernel/ir/visit.ts";
import { parseExpr } from "../../../../../ops/expr/parse.ts";
import { evaluateExpr } from "../../../../support/expressions/evaluate_expr.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";

const TYPES = { text: new Utf8(), count: new Int32() };

function kernelOf(expr: string): Tree {
  const { program } = compileProgram([expr], TYPES);
  const [kernel] = program.kernels;
  if (kernel === undefined || program.kernels.length > 1) throw new Error(`${expr} is cut`);
  return kernel.tree;
}

/** Statements of the code for ASCII text. */
function numStatementsOf(expr: string): number {
  const tree = kernelOf(expr);
  const types = [{ kind: "string" }, { kind: "int", bits: 32, signed: true }] as const;
  const ir = lowerKernel({ label: "", tree, type: tree.type }, types, {
    ascii: true,
    nullable: [false, false],
  });
  if (ir.kernel !== "row") throw new Error(`${expr} maps bytes`);
  return numStatements(ir.body);
}

const SAME: readonly (readonly [expr: string, same: string])[] = [
  ["text.upper().slice(0, 20)", "text.slice(0, 20).upper()"],
  ["text.upper().left(3)", "text.left(3).upper()"],
  ["text.upper().get(3)", "text.get(3).upper()"],
  ["text.strip().lower().slice(2, 5)", "text.strip().slice(2, 5).lower()"],
];

for (const [expr, same] of SAME) {
  Deno.test(`${expr} is for ASCII text the code of ${same}`, () => {
    assertEquals(numStatementsOf(expr), numStatementsOf(same));
  });
}

Deno.test("operations that take a part by positions alone are told from others", () => {
  const isPart = (expr: string) => {
    const tree = kernelOf(expr);
    return tree.node === "call" && isPositional(tree.fn);
  };
  const parts = ["slice(2, 4)", "slice(-3)", "slice(count, 9)", "left(2)", "right(2)", "get(1)"];
  const others = ["strip()", "lstrip()", `removePrefix("a")`, `splitPart(" ", 1)`, "upper()"];
  for (const call of parts) assert(isPart(`text.${call}`), call);
  for (const call of others) assert(!isPart(`text.${call}`), call);
});

type Row = (text: string | null, count: number) => string | null | undefined;

/** What JavaScript does, by the expression. */
const ROWS: Readonly<Record<string, Row>> = {
  "text.upper().slice(0, 20)": (text) => text?.toUpperCase().slice(0, 20),
  "text.upper().slice(3)": (text) => text?.toUpperCase().slice(3),
  "text.lower().slice(2, 18)": (text) => text?.toLowerCase().slice(2, 18),
  'text.lower().replace("b", "-").slice(1, 5).slice(1)': (text) =>
    text?.toLowerCase().replaceAll("b", "-").slice(1, 5).slice(1),
  "text.upper().get(3)": (text) => text?.toUpperCase().slice(3, 4),
  'text.upper().left(17) + "," + text.slice(1)': (text) =>
    text === null ? null : text.toUpperCase().slice(0, 17) + "," + text.slice(1),
  '(count > 3 ? text : "é").upper().slice(0, 3)': (text, count) =>
    (count > 3 ? text : "é")?.toUpperCase().slice(0, 3),
  '(count > 3 ? text : "ab").upper().slice(1, 30)': (text, count) =>
    (count > 3 ? text : "ab")?.toUpperCase().slice(1, 30),
};

for (const [expr, row] of Object.entries(ROWS)) {
  Deno.test(`${expr} gives of ASCII text what JavaScript does, fused and not`, () =>
    forSeeds(4, (random) => {
      const text = Array.from({ length: 60 }, () => {
        if (random.chance(0.1)) return null;
        return "aBbzZ {".repeat(7).slice(random.below(7), random.below(49));
      });
      const count = text.map(() => random.below(8));
      const expected = text.map((value, index) => row(value, count[index]!) ?? null);
      for (const fuse of [true, false]) {
        assertEquals(evaluateExpr(parseExpr(expr), { text, count }, { fuse }), expected);
      }
    }));
}
