import { assertEquals } from "@std/assert";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { asFourBytes, fourBytes } from "../../../../../gpu/kernel/ir/four_bytes.ts";
import type { Scalar } from "../../../../../gpu/kernel/ir/ir.ts";
import { binary, int } from "../../../../../gpu/kernel/ir/scalar.ts";
import { evaluateExpr } from "../../../../support/expressions/evaluate_expr.ts";
import { col, defineStringOp, lit } from "../../../../../mod.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";

const fourDigits = defineStringOp({
  name: "fourDigits",
  kind: "measure",
  args: { start: "i32", behind: "i32" },
  row: (text, { start, behind }) => text.fourDigits(start, behind),
});

/** The bytes of a word, by strings. */
function model(text: string, start: number, behind: number): number {
  const bytes = [...new TextEncoder().encode(text)];
  const first = Math.max(start, 0);
  const end = Math.max(bytes.length - Math.max(behind, 0), 0);
  const digits = [...Array(4).fill(0x30), ...bytes.slice(first, Math.max(end, first))].slice(-4);
  return digits.reduceRight((word, byte) => word << 8 | byte, 0);
}

Deno.test("four bytes are read from any place of a text, and zeros before it", () => {
  const draws = new Draws(["all", "some", "none", "far away"]);
  const kernels = [1, Infinity].map((minWasmRows) => new HostKernels({ minWasmRows }));
  return forSeeds(40, (random) => {
    const text = Array.from(
      { length: 40 },
      () =>
        Array.from({ length: random.below(14) }, () => random.pick(["1", "9", "-", "é"])).join(""),
    );
    const numbers = () =>
      text.map(() => random.pick([random.below(12), -1, 2 ** 31 - 1, -(2 ** 31)]));
    const start = numbers();
    const behind = numbers();
    text.forEach((row, at) => {
      const numBytes = new TextEncoder().encode(row).length;
      const count = numBytes - Math.max(behind[at]!, 0) - Math.max(start[at]!, 0);
      draws.add(behind[at]! > 100 ? "far away" : count > 3 ? "all" : count > 0 ? "some" : "none");
    });
    const [one, other] = [random.pick(start), random.pick([0, 4, 8, 64, 65, 2 ** 31 - 1])];
    for (const kernel of kernels) {
      assertEquals(
        evaluateExpr(
          fourDigits(col("text"), col("start"), col("behind")),
          { text, start, behind },
          {
            kernels: kernel,
          },
        ),
        text.map((row, at) => model(row, start[at]!, behind[at]!)),
      );
      assertEquals(
        evaluateExpr(fourDigits(col("text"), lit(one), lit(other)), { text }, { kernels: kernel }),
        text.map((row) => model(row, one, other)),
      );
    }
    const row = random.pick(text);
    assertEquals(evaluateExpr(fourDigits(lit(row), lit(one), lit(other)), {}), [
      model(row, one, other),
    ]);
  }, draws);
});

Deno.test("only four bytes that follow one another are one word", () => {
  const space = { space: "column", column: 0 } as const;
  const at: Scalar = { op: "start", type: "i32", column: 0 };
  const byteOf = (place: Scalar): Scalar => ({ op: "byte", type: "i32", space, at: place });
  const word = fourBytes(byteOf, at);
  assertEquals(asFourBytes(word), { space, at });
  const other = fourBytes((place) => byteOf(binary("-", int(9), place)), at);
  assertEquals(asFourBytes(other), null);
  assertEquals(asFourBytes(binary("|", word, binary("<<", byteOf(at), int(24)))), null);
  assertEquals(asFourBytes(byteOf(at)), null);
});
