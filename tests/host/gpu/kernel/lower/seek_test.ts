import { assertEquals } from "@std/assert";
import { Int32, Utf8 } from "apache-arrow";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import type { i32, View } from "../../../../../gpu/kernel/language/row_function.ts";
import type { LoopIdiom, Scalar, Stmt } from "../../../../../gpu/kernel/ir/ir.ts";
import { visit } from "../../../../../gpu/kernel/ir/visit.ts";
import { withIdioms } from "../../../../../gpu/kernel/lower/loop_idioms.ts";
import { lowerKernel } from "../../../../../gpu/kernel/lower/lower.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import {
  columnOf,
  sliceText,
  stringColumn,
  valuesOf,
} from "../../../../support/values/host_columns.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { testFunction } from "../../../../support/kernels/test_function.ts";
import { column, INT32, literal, STRING } from "../../../../support/kernels/trees.ts";
import {
  binary,
  byte,
  increment,
  int,
  jump,
  local,
  loop,
  put,
  set,
  start,
  stop,
  textOf,
  when,
} from "../../../../support/kernels/ir_builders.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

/** Searches to and fro: from each of some places, the last one first, then from the first on. */
const toAndFro = testFunction({
  name: "toAndFro",
  kind: "measure",
  returns: "i32",
  args: { needle: "string" },
  row(text: View, { needle }: { needle: View }): i32 {
    let sum = text.find(needle, text.size >> 1);
    for (let i = 9; i >= 0; i--) {
      sum = 31 * sum + text.find(needle, 3 * i);
      sum = 31 * sum + text.find(needle, 2);
    }
    let at = text.find(needle, 0);
    while (at >= 0) {
      sum = 31 * sum + at;
      at = text.find(needle, at + 1);
    }
    return sum;
  },
}, (text, needle: string) => {
  const hash = (sum: number, value: number) => (Math.imul(31, sum) + value) | 0;
  let sum = text.indexOf(needle, text.length >> 1);
  for (let i = 9; i >= 0; i--) {
    // A start behind the text finds nothing, as the needles are not empty.
    sum = hash(sum, text.indexOf(needle, 3 * i));
    sum = hash(sum, text.indexOf(needle, 2));
  }
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    sum = hash(sum, at);
  }
  return sum;
});

/** Rows of a few letters, some long, many without the rarer letters. */
function randomRows(random: SeededRandom): string[] {
  return Array.from({ length: 1 + random.below(40) }, () => {
    const letters = random.pick(["a", "ab", "abc", "aaaaaaaaab", `${"a".repeat(50)}b`]);
    const size = random.chance(0.1) ? random.below(9000) : random.below(12);
    return Array.from({ length: size }, () => random.pick([...letters])).join("");
  });
}

Deno.test("a search that goes on from row to row finds what a search in each row finds", () =>
  forSeeds(fewOr(15, 60), (random) => {
    const rows = randomRows(random);
    const start = random.below(rows.length);
    const stop = start + random.below(rows.length - start + 1);
    const run = "a".repeat(1 + random.below(75));
    const needle = random.pick(["b", "c", "ab", "ba", "bc", "abb", run, `${run}b`, `b${run}`]);
    const { fn, meaning } = toAndFro;
    const tree = {
      node: "call",
      fn,
      text: column(0),
      args: [literal(needle)],
      type: INT32,
    } as const;
    const program = partitionIntoKernels([STRING], [{ label: "search", tree }]);
    const input = sliceText(columnOf(STRING, rows), start, stop);
    const wanted = rows.slice(start, stop).map((text) => meaning(text, needle as never));
    for (const minWasmRows of [1, Infinity]) {
      const kernels = new HostKernels({ minWasmRows });
      const [result] = evaluateAround(program, [input], input.length, kernels);
      assertEquals(result && valuesOf(result), wanted);
    }
  }));

/** Where a needle first stands, where next, and where last. */
const ends = testFunction({
  name: "ends",
  kind: "measure",
  returns: "i32",
  args: { needle: "string" },
  row(text: View, { needle }: { needle: View }): i32 {
    const first = text.find(needle, 0);
    const next = text.find(needle, first + 1);
    return (first * 31 + next) * 31 + text.rfind(needle);
  },
}, (text, needle: string) => {
  const first = text.indexOf(needle);
  const next = text.indexOf(needle, first + 1);
  return (Math.imul(Math.imul(first, 31) + next, 31) + text.lastIndexOf(needle)) | 0;
});

/** A long text that repeats itself but for a few places, and a part of it that is changed or not. */
function repetitive(random: SeededRandom): { text: string; needle: string } {
  const letters = () => Array.from({ length: 1 + random.below(6) }, () => random.pick(["a", "b"]));
  const unit = letters().join("");
  const parts = Array.from({ length: 8 }, () =>
    unit.repeat(random.below(3000 / unit.length)) +
    (random.chance(0.5) ? letters().join("") : ""));
  const text = parts.join("");
  const start = random.below(text.length + 1);
  const part = text.slice(start, start + random.below(random.pick([80, 400, 2000])));
  const end = random.pick(["", "", "a", "b", "c"]);
  return { text, needle: `${random.chance(0.2) ? "b" : ""}${part}${end}` || "a" };
}

Deno.test("searches that go on in linear time find what others find", async () => {
  let lookedAt = 0;
  await forSeeds(fewOr(40, 150), (random) => {
    const samples = Array.from({ length: 3 }, () => repetitive(random));
    const [texts, needles] = [samples.map(({ text }) => text), samples.map(({ needle }) => needle)];
    const { fn, meaning } = ends;
    const isLiteral = random.chance(0.4);
    const wanted = texts.map((text, row) => meaning(text, needles[isLiteral ? 0 : row]! as never));
    const needle = isLiteral ? literal(needles[0]!) : column(1);
    const tree = { node: "call", fn, text: column(0), args: [needle], type: INT32 } as const;
    const program = partitionIntoKernels([STRING, STRING], [{ label: "search", tree }]);
    const inputs = [columnOf(STRING, texts), columnOf(STRING, needles)].slice(
      0,
      program.inputs.length,
    );
    for (const minWasmRows of [1, Infinity]) {
      const kernels = new HostKernels({ minWasmRows });
      const [result] = evaluateAround(program, inputs, texts.length, kernels);
      assertEquals(result && valuesOf(result), wanted);
      lookedAt++;
    }
  });
  assertEquals(lookedAt, fewOr(80, 300));
});

/** The idioms of all loops of an expression over columns of text. */
function idiomsOf(text: string, ascii = true): LoopIdiom["does"][] {
  const { program } = compileProgram([text], { a: new Utf8(), b: new Utf8() });
  const types = [...program.inputs, ...program.kernels.map(({ type }) => type)];
  return program.kernels.flatMap((kernel) => {
    const ir = lowerKernel(kernel, types, { ascii, nullable: types.map(() => false) });
    const found: LoopIdiom["does"][] = [];
    if (ir.kernel === "byteMap") return found;
    visit(ir.body, {
      stmt: (stmt) => {
        if (stmt.do === "loop" && stmt.idiom !== undefined) found.push(stmt.idiom.does);
      },
    });
    return found;
  });
}

Deno.test("loops of the string operations carry what they do", () => {
  assertEquals(idiomsOf('a.contains("needle")'), ["seek"]);
  assertEquals(idiomsOf("a.contains(b)").slice(0, 2), ["seek", "match"]);
  assertEquals(idiomsOf("a.length()", false), ["count"]);
  assertEquals(idiomsOf("a == b"), ["match"]);
  assertEquals(idiomsOf("a.matches(/(?:[ab]c+)*d/)"), ["follow"]);
  assertEquals(idiomsOf("a.strip().lower()"), ["skip", "skip", "map"]);
});

Deno.test("a loop has an idiom only where it does nothing else", () => {
  const at = local("at");
  const byteAt = (place: Scalar) => byte(textOf(0), place);
  const isBefore = binary(at, "<", stop(0));
  const found = (stmt: Stmt) => {
    const [same] = withIdioms([stmt]);
    return same?.do === "loop" ? same.idiom?.does : undefined;
  };
  const mapped = (value: Scalar) => loop("map", isBefore, [put(value)], [increment("at")]);
  assertEquals(found(mapped(binary(byteAt(at), "|", int(0x20)))), "map");
  // Of another place, of two bytes, of something else besides.
  assertEquals(found(mapped(byteAt(binary(at, "+", int(1))))), undefined);
  assertEquals(found(mapped(binary(byteAt(at), "+", byteAt(start(0))))), undefined);
  assertEquals(found(mapped(binary(byteAt(at), "+", local("other")))), undefined);
  const skipped = (stops: Scalar) =>
    loop("skip", isBefore, [when(stops, [jump("break", "skip")]), increment("at")]);
  const place = binary(start(0), "+", at);
  assertEquals(found(skipped(binary(byteAt(place), "!=", int(0x20)))), "skip");
  assertEquals(found(skipped(binary(byteAt(place), "!=", local("other")))), undefined);
  assertEquals(found(skipped(binary(byteAt(start(0)), "!=", int(0x20)))), undefined);
  // Of another step, another test, or an end that moves.
  const maps = (test: Scalar, step: Stmt) => found(loop("map", test, [put(byteAt(at))], [step]));
  const skips = (test: Scalar, step: Stmt) => {
    const stops = binary(byteAt(place), "!=", int(0x20));
    return found(loop("skip", test, [when(stops, [jump("break", "skip")]), step]));
  };
  for (const [name, idiomOf] of [["map", maps], ["skip", skips]] as const) {
    assertEquals(idiomOf(isBefore, increment("at")), name);
    assertEquals(idiomOf(isBefore, increment("at", 2)), undefined);
    assertEquals(idiomOf(isBefore, set("at", binary(at, "-", int(1)))), undefined);
    assertEquals(idiomOf(isBefore, set("at", binary(local("other"), "+", int(1)))), undefined);
    assertEquals(idiomOf(binary(at, "<=", stop(0)), increment("at")), undefined);
    assertEquals(idiomOf(binary(at, "!=", stop(0)), increment("at")), undefined);
    assertEquals(idiomOf(binary(stop(0), "<", at), increment("at")), undefined);
    assertEquals(idiomOf(binary(local("other"), "<", stop(0)), increment("at")), undefined);
    assertEquals(idiomOf(binary(at, "<", binary(at, "+", int(1))), increment("at")), undefined);
  }
});

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
          const kernels = new HostKernels({ minWasmRows });
          const columns = [stringColumn(texts)];
          const [result] = evaluateAround(program, columns, texts.length, kernels);
          assertEquals(valuesOf(result!), wanted, expr);
        }
      }
    }
  }
});
