/** The rules by which devices compute in other than the usual way. */

import { assert, assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import {
  CARD_RULES,
  describeRules,
  GL_RULES,
  ruleFor,
  SOFTWARE_RULES,
  textWork,
  type Work,
} from "../../../../../../gpu/kernel/emit/wgsl/strategy_rules.ts";
import { lowerKernel } from "../../../../../../gpu/kernel/lower/lower.ts";
import { compileProgram } from "../../../../../support/kernels/programs.ts";

const WORKS: Work[] = ["pieces", "loops", "filter", "gather", "marks", "copies"];

Deno.test("a rule holds from its fewest rows on, between its bytes", () => {
  const all = [CARD_RULES, SOFTWARE_RULES].flatMap((rules) =>
    rules.map((rule) => ({ rule, rules }))
  );
  for (const { rule, rules } of all) {
    const { work, fewestRows, fewestBytes, mostBytes } = rule;
    const at = (rows: number, rowBytes: number) => ruleFor(rules, { work, rows, rowBytes });
    assertEquals(at(fewestRows, fewestBytes), rule);
    assertEquals(at(fewestRows, mostBytes), rule);
    assertEquals(at(100 * fewestRows, mostBytes + 0.9), rule);
    for (const rowBytes of [fewestBytes, mostBytes]) {
      assert(at(fewestRows - 1, rowBytes) !== rule, `${work} of fewer rows`);
    }
    assert(at(fewestRows, fewestBytes - 0.1) !== rule, `${work} of shorter rows`);
    assert(at(fewestRows, mostBytes + 1) !== rule, `${work} of longer rows`);
  }
});

Deno.test("what no rule is about is done in the usual way", () => {
  assertEquals(GL_RULES, []);
  assertEquals(ruleFor(SOFTWARE_RULES, { work: "pieces", rows: 2 ** 24, rowBytes: 16 }), null);
  assertEquals(ruleFor(SOFTWARE_RULES, { work: "marks", rows: 2 ** 14, rowBytes: 2048 }), null);
  assertEquals(ruleFor(CARD_RULES, { work: "loops", rows: 2 ** 24, rowBytes: 16 }), null);
  assertEquals(ruleFor(CARD_RULES, { work: "marks", rows: 2 ** 24, rowBytes: 16 }), null);
});

Deno.test("the rules cannot be changed", () => {
  for (const rules of [CARD_RULES, SOFTWARE_RULES, GL_RULES]) {
    assert(Object.isFrozen(rules) && rules.every((rule) => Object.isFrozen(rule)));
  }
});

Deno.test("what is shown of a kind of work has all of its rules", () => {
  for (const work of WORKS) {
    const own = [...CARD_RULES, ...SOFTWARE_RULES].filter((rule) => rule.work === work);
    const text = describeRules(work);
    assertEquals(text === null, own.length === 0);
    for (const { fewestRows, mostBytes } of own) {
      assert(text!.includes(`${fewestRows} rows`) && text!.includes(`${mostBytes} bytes`), text!);
    }
  }
});

Deno.test("text is work of pieces unless a loop makes it", () => {
  const workOf = (expression: string) => {
    const { program } = compileProgram([expression], { text: new Utf8(), other: new Utf8() });
    const variant = { ascii: false, nullable: program.inputs.map(() => true) };
    const ir = lowerKernel(program.kernels[0]!, program.inputs, variant);
    if (ir.kernel !== "row") throw new Error(`${ir.label} has no rows`);
    return textWork(ir);
  };
  const pieces = ['text + "-" + other', 'text.splitPart(" ", 1)', 'text.contains("a") ? text : ""'];
  const loops = ['text.replace("a", "b")', "text.title()", 'text + other.replace("a", "b")'];
  assertEquals(pieces.map(workOf), pieces.map(() => "pieces"));
  assertEquals(loops.map(workOf), loops.map(() => "loops"));
});
