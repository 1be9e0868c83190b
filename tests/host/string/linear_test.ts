import { countedKernels, stepsOf } from "../../support/kernel_steps.ts";
import { assert } from "@std/assert";
import { expr } from "../../../mod.ts";
import { evaluateExpr } from "../../support/evaluate_expr.ts";

/** A text of about `size` bytes and a needle of a part of them, which many places nearly have. */
const pairs: Readonly<Record<string, (size: number) => { text: string; needle: string }>> = {
  "the needle ends otherwise": (size) => ({
    text: "a".repeat(size),
    needle: `${"a".repeat(size >> 4)}b`,
  }),
  "the needle begins otherwise": (size) => ({
    text: "a".repeat(size),
    needle: `b${"a".repeat(size >> 4)}`,
  }),
  "the needle is other in the middle": (size) => ({
    text: `${"a".repeat(size >> 4)}c`.repeat(16),
    needle: `${"a".repeat(size >> 5)}b${"a".repeat(size >> 5)}`,
  }),
  "two bytes repeat": (size) => ({
    text: "ab".repeat(size >> 1),
    needle: `${"ab".repeat(size >> 5)}b`,
  }),
  "the needle stands everywhere": (size) => ({
    text: "a".repeat(size),
    needle: "a".repeat(size >> 8),
  }),
  "words of Fibonacci": (size) => {
    let [shorter, text] = ["a", "ab"];
    while (text.length < size) [shorter, text] = [text, text + shorter];
    return { text: text.slice(0, size), needle: `${text.slice(1, size >> 4)}aaa` };
  },
};

const searches = [
  "text.find(needle)",
  "text.rfind(needle)",
  "text.contains(needle)",
  "text.count(needle)",
  'text.replace(needle, "x")',
  "text.split(needle)",
  "text.splitPart(needle, 1)",
  "text.splitPart(needle, -1)",
  "text.removePrefix(needle)",
  "text.removeSuffix(needle)",
  "text.startsWith(needle)",
];

const size = 1 << 14;
/** Twice the bytes may take twice the steps, and a little more. */
const maxRatio = 2.4;
const maxSteps = 40;

function check(what: string, steps: (size: number) => number): void {
  const [once, twice] = [steps(size), steps(2 * size)];
  assert(once > 0, `${what}: no step was counted`);
  assert(twice <= maxRatio * once + 5000, `${what}: ${once} steps, then ${twice}`);
  assert(twice <= maxSteps * 2 * size, `${what}: ${twice} steps for ${2 * size} bytes`);
}

for (const [kind, pair] of Object.entries(pairs)) {
  Deno.test(`searches take linear time: ${kind}`, () => {
    for (const search of searches) {
      check(`${search}, a column`, (size) => {
        const { text, needle } = pair(size);
        const columns = { text: [text], needle: [needle] };
        return stepsOf(() => evaluateExpr(expr(search), columns, { kernels: countedKernels() }));
      });
      check(`${search}, a literal`, (size) => {
        const { text, needle } = pair(size);
        const literal = expr(search.replace("needle", JSON.stringify(needle)));
        return stepsOf(() =>
          evaluateExpr(literal, { text: [text] }, { kernels: countedKernels() })
        );
      });
    }
  });
}

const many = Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");

/** Operations, each with a text that makes one that goes back do much. */
const operations: Readonly<Record<string, (size: number) => string>> = {
  'text.like("%aaaa%aaaa%b")': (size) => "a".repeat(size),
  'text.like("%a_a_a_a_b%")': (size) => "a".repeat(size),
  'text.replaceMany(["aaaab", "aaab", "aab", "ab"], "x")': (size) => "a".repeat(size),
  'text.replaceRe("a+b", "x")': (size) => "a".repeat(size),
  'text.replaceRe("(a+)+$", "x")': (size) => `${"a".repeat(size)}b`,
  'text.splitRe("a+b")': (size) => "a".repeat(size),
  'text.countRe("a+b")': (size) => "a".repeat(size),
  'text.findAll("a+b")': (size) => "a".repeat(size),
  [`text.strip("${many}")`]: (size) => "丁".repeat(size >> 2),
  'text.strip("ab")': (size) => "ab".repeat(size >> 1),
  "text.wrap(20)": (size) => "a".repeat(size),
  "text.wrap(30)": (size) => "a ".repeat(size >> 1),
  "text.collapseSpace()": (size) => " ".repeat(size),
  'text.split("aa")': (size) => "a".repeat(size),
  'text.splitPart("a", -3)': (size) => "a".repeat(size),
  "text.title()": (size) => "a ".repeat(size >> 1),
  "text.reverse()": (size) => "e\u0301".repeat(size >> 2),
  "text.slice(-5, -2)": (size) => "é".repeat(size >> 1),
};

for (const [text, sample] of Object.entries(operations)) {
  Deno.test(`${text.length < 70 ? text : `${text.slice(0, 20)}...`} takes linear time`, () => {
    check(text, (size) => {
      const columns = { text: [sample(size)] };
      return stepsOf(() => evaluateExpr(expr(text), columns, { kernels: countedKernels() }));
    });
  });
}
