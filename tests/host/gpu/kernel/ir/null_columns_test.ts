import { assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { nullColumnsOf } from "../../../../../gpu/kernel/ir/null_columns.ts";
import type { Stmt } from "../../../../../gpu/kernel/ir/ir.ts";
import { expr } from "../../../../../mod.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import { evaluateExpr } from "../../../../support/expressions/evaluate_expr.ts";
import { columnOf, type Value, valuesOf } from "../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { instantiateHelpers } from "../../../../support/kernels/wasm_functions.ts";

Deno.test("the columns that say which rows are null are those asked for at the top", () => {
  const end: Stmt = { do: "null" };
  const ask = (column: number): Stmt => ({
    do: "if",
    test: {
      op: "unary",
      type: "bool",
      fn: "!",
      value: { op: "valid", type: "bool", column },
    },
    then: [end],
    else: [],
  });
  const put: Stmt = { do: "put", byte: { op: "const", type: "i32", value: 33 } };
  assertEquals(nullColumnsOf([ask(0), put, ask(2)]), [0, 2]);
  assertEquals(nullColumnsOf([put]), null);
  assertEquals(nullColumnsOf([ask(0), end]), null);
  assertEquals(nullColumnsOf([ask(0), { do: "block", label: "a", body: [ask(1)] }]), null);
});

Deno.test("bits are cleared where another bitmap has none, and those behind them stay", () => {
  const { andBits, countUnset, bytes } = instantiateHelpers(["andBits", "countUnset"]);
  return forSeeds(200, (random) => {
    for (let i = 0; i < 3000; i++) bytes[i] = random.below(256);
    const count = random.below(random.pick([20, 400, 4000]));
    const [to, from] = [1000 + random.below(9), 2000 + random.below(9)];
    const bit = (of: Uint8Array, place: number, at: number) =>
      of[place + (at >> 3)]! >> (at & 7) & 1;
    const before = bytes.slice();
    andBits!(to, from, count);
    for (let at = -64; at < count + 200; at++) {
      const wanted = bit(before, to, at) & (at >= 0 && at < count ? bit(before, from, at) : 1);
      assertEquals(bit(bytes, to, at), wanted, `bit ${at} of ${count}`);
    }
    const first = random.below(count + 1);
    const stop = first + random.below(count - first + 1);
    let unset = 0;
    for (let at = first; at < stop; at++) unset += 1 - bit(bytes, to, at);
    assertEquals(countUnset!(to, first, stop), unset, `${first} to ${stop}`);
  });
});

Deno.test("rows are null where a column is, whatever lies below the nulls", () =>
  forSeeds(20, (random) => {
    const size = random.below(200);
    const texts = () =>
      Array.from(
        { length: size },
        () => random.chance(0.3) ? null : "anbé ".slice(random.below(5)).repeat(random.below(9)),
      );
    const [a, b] = [texts(), texts()];
    const kernels = new HostKernels({ minWasmRows: 1 });
    const ofA: Record<string, (a: string) => Value> = {
      'a.contains("an")': (a) => a.includes("an"),
      "a.length()": (a) => [...a].length,
      "a.slice(1, 3)": (a) => [...a].slice(1, 3).join(""),
    };
    for (const [text, meaning] of Object.entries(ofA)) {
      const wanted = a.map((row) => row === null ? null : meaning(row));
      assertEquals(evaluateExpr(expr(text), { a, b }, { kernels }), wanted, text);
    }
    const ofBoth: Record<string, (a: string, b: string) => Value> = {
      'a + "-" + b': (a, b) => `${a}-${b}`,
      "a == b": (a, b) => a === b,
      "a.contains(b)": (a, b) => a.includes(b),
    };
    for (const [text, meaning] of Object.entries(ofBoth)) {
      const wanted = a.map((row, i) => row === null || b[i] == null ? null : meaning(row, b[i]));
      assertEquals(evaluateExpr(expr(text), { a, b }, { kernels }), wanted, text);
    }
    // One side that is false decides.
    const either = 'a.contains("an") && b.contains("é")';
    const wanted = a.map((row, i) => {
      const [left, right] = [row?.includes("an"), b[i]?.includes("é")];
      return left === false || right === false
        ? false
        : left === undefined || right === undefined
        ? null
        : true;
    });
    assertEquals(evaluateExpr(expr(either), { a, b }, { kernels }), wanted);
  }));

Deno.test("rows that are passed over, rows that are computed and nulls each get their own bit", () => {
  const { program } = compileProgram(['a.contains("an")'], { a: new Utf8() });
  const kernels = new HostKernels({ minWasmRows: 1 });
  return forSeeds(40, (random) => {
    // Here many are true and there few, so that passing over begins and ends within bytes of bits.
    let rate = 0;
    const rows = Array.from({ length: random.below(400) }, () => {
      if (random.chance(0.03)) rate = random.pick([0, 0.02, 0.1, 0.5, 1]);
      if (random.chance(0.1)) return null;
      const long = random.chance(0.1) ? "é-".repeat(random.below(40)) : "";
      return long + (random.chance(rate) ? random.pick(["an", "San", "mañana an"]) : "a n");
    });
    const column = columnOf({ kind: "string" }, rows, { random, place: random.below(8) });
    const [result] = evaluateAround(program, [column], rows.length, kernels);
    const wanted = rows.map((row) => row === null ? null : row.includes("an"));
    assertEquals(valuesOf(result!), wanted);
    const { data } = result!;
    const bits = rows.map((_, row) => (data[row >> 3]! >> (row & 7) & 1) === 1);
    assertEquals(bits, wanted.map((value) => value === true), "bits, those of nulls too");
  });
});
