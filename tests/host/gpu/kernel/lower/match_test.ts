import { assertEquals } from "@std/assert";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { expr } from "../../../../../mod.ts";
import { evaluateExpr } from "../../../../support/expressions/evaluate_expr.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";

/** -1, 0 or 1: bytes, then sizes. */
function compare(left: string, right: string): number {
  const [a, b] = [left, right].map((text) => new TextEncoder().encode(text)) as [
    Uint8Array,
    Uint8Array,
  ];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

Deno.test("texts are compared up to the byte in which they differ, and not beyond their ends", () =>
  forSeeds(40, (random) => {
    const kernels = new HostKernels({ minWasmRows: 1 });
    const letters = random.pick(["ab", "aé", "é一🙂", "a"]);
    const text = (size: number) =>
      Array.from({ length: size }, () => random.pick([...letters])).join("");
    const a = Array.from({ length: 50 }, () => text(random.below(random.pick([3, 20, 50]))));
    const b = a.map((row) => {
      const chars = [...row];
      if (random.chance(0.3)) return row;
      if (random.chance(0.3)) return row + text(random.below(20));
      if (random.chance(0.3)) return chars.slice(0, random.below(chars.length + 1)).join("");
      if (chars.length > 0) chars[random.below(chars.length)] = random.pick(["b", "é", "~"]);
      return chars.join("");
    });
    const meanings: Record<string, (a: string, b: string) => unknown> = {
      "a == b": (a, b) => a === b,
      "a < b": (a, b) => compare(a, b) < 0,
      "a <= b": (a, b) => compare(a, b) <= 0,
      "a.startsWith(b)": (a, b) => a.startsWith(b),
      "a.contains(b)": (a, b) => a.includes(b),
      "a.slice(1) == b": (a, b) => [...a].slice(1).join("") === b,
      "a.slice(0, 9) == a": (a) => [...a].length <= 9,
    };
    for (const [text, meaning] of Object.entries(meanings)) {
      const wanted = a.map((row, i) => meaning(row, b[i]!));
      assertEquals(evaluateExpr(expr(text), { a, b }, { kernels }), wanted, text);
    }
  }));
