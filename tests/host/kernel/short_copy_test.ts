/**
 * Copies of which it is known how many bytes they have at most.
 */

import { assertEquals } from "@std/assert";
import { Int32, Utf8 } from "apache-arrow";
import { HostKernelCache } from "../../../gpu/host/kernels/kernel_cache.ts";
import { lowerKernel } from "../../../gpu/kernel/lower/lower.ts";
import { visit } from "../../../gpu/kernel/ir/visit.ts";
import { evaluateAround } from "../../support/evaluate_around.ts";
import { stringColumn, valuesOf } from "../../support/host_columns.ts";
import { compileProgram } from "../../support/programs.ts";

/** What is known of the copies that the kernel of an expression makes. */
function maxBytesOf(expr: string, ascii: boolean): (number | undefined)[] {
  const { program } = compileProgram([expr], { text: new Utf8(), count: new Int32() });
  const ir = lowerKernel(program.kernels[0]!, program.inputs, { ascii, nullable: [false, false] });
  if (ir.kernel !== "row") throw new Error(`${expr} maps bytes`);
  const found: (number | undefined)[] = [];
  visit(ir.body, {
    stmt: (stmt) => {
      if (stmt.do === "copy") found.push(stmt.maxBytes);
    },
  });
  return found;
}

const KNOWN: readonly (readonly [expr: string, ascii?: number, utf8?: number])[] = [
  ["text.slice(2, 8)", 6, 24],
  ["text.slice(0, 5)", 5, 20],
  ["text.left(3)", 3, 12],
  ["text.strip().slice(1, 5)", 4, 16],
  ["text.slice(1, 30).slice(0, 2)", 2, 8],
  ["text.left(2147483647)", 2147483647],
  ["text.left(536870911)", 536870911, 2147483644],
  ["text.left(0)", 0, 0],
  ["text.left(-2147483648)"],
  ["text.slice(3)"],
  ["text.slice(-3)"],
  ["text.slice(2, count)"],
  ["text.slice(count, 4)"],
];

for (const [expr, ascii, utf8] of KNOWN) {
  Deno.test(`of the bytes that ${expr} copies it is known that they are ${ascii ?? "any"}`, () => {
    assertEquals(maxBytesOf(expr, true), [ascii]);
    assertEquals(maxBytesOf(expr, false), [utf8]);
  });
}

Deno.test("parts of few characters are those of JavaScript, with WebAssembly and without", () => {
  const long = "0123456789abcdefghijklmnopqrstuvwxyz";
  const ascii = Array.from({ length: 38 }, (_, size) => long.slice(0, size));
  const other = ascii.map((text, row) => text.replaceAll(/[5-9]/g, row % 2 === 0 ? "é" : "😀"));
  for (const texts of [ascii, other]) {
    for (const start of [0, 1, 7, 20]) {
      for (const size of [0, 1, 2, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 2 ** 30]) {
        const expr = `text.slice(${start}, ${start + size}) + "|"`;
        const { program } = compileProgram([expr], { text: new Utf8() });
        const wanted = texts.map((text) => [...text].slice(start, start + size).join("") + "|");
        for (const minWasmRows of [1, Infinity]) {
          const kernels = new HostKernelCache({ minWasmRows });
          const columns = [stringColumn(texts)];
          const [result] = evaluateAround(program, columns, texts.length, kernels);
          assertEquals(valuesOf(result!), wanted, expr);
        }
      }
    }
  }
});
