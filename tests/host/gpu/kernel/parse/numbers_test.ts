import { assert, assertEquals, assertThrows } from "@std/assert";
import { KernelError } from "../../../../../base/errors/expr_error.ts";
import { numeric } from "../../../../../gpu/kernel/fold/numeric.ts";
import type {
  RowFunctionSpec,
  Sink,
  View,
} from "../../../../../gpu/kernel/language/row_function.ts";
import { parseRowFunction } from "../../../../../gpu/kernel/parse/parse_row_function.ts";
import { bodyOf, type RowExpr, type RowStmt } from "../../../../../gpu/kernel/parse/row_code.ts";

/** Makes a measure from the source of an expression or a block over x, y: i64; a: i32; f, g: f64. */
function measure(text: string, returns: string): RowFunctionSpec {
  const names = ["y", "a", "f", "g", ...Object.keys(numeric), "limit", "big", "third"];
  const spec = {
    name: "op",
    kind: "measure",
    subject: "i64",
    args: { y: "i64", a: "i32", f: "f64", g: "f64" },
    consts: { ...numeric, limit: 10, big: 2n ** 40n, third: 1 / 3 },
    row: new Function(`return (x, { ${names.join(", ")} }) => ${text}`)(),
  } as const;
  return { ...spec, returns: returns as "i64" };
}

/** A source, what it returns, and the message that it must give. */
const MISTAKES: [source: string, returns: string, message: string][] = [
  ["x + a", "i64", "i64 and i32 do not mix; write toI64(a)"],
  ["a * x", "i64", "i32 and i64 do not mix; write toI64(a)"],
  ["x + 1", "i64", "i64 and i32 do not mix; write 1n"],
  ["x + limit", "i64", "i64 and i32 do not mix; write 10n"],
  ["x < f", "bool", "i64 and f64 do not mix; write toF64(x)"],
  ["f + 2n", "f64", "f64 and i64 do not mix; write 2"],
  ["f + a", "f64", "f64 and i32 do not mix; write toF64(a)"],
  ["f + (a + 1)", "f64", "f64 and i32 do not mix; write toF64(a + 1)"],
  ["a + 1.5", "i32", "numbers must be integers beside an i32"],
  ["a & 0xffffffff", "i32", "the number does not fit into 32 bits"],
  ["x === 1", "bool", "i64 and i32 do not mix; write 1n"],
  ["true ? x : 1", "i64", "i64 and i32 do not mix; write 1n"],
  ["true === x", "bool", "expected bool, found i64"],
  ["x + true", "i64", "expected a number, found bool"],
  ["-(x > y)", "i64", "expected a number, found bool"],
  ["a", "i64", "expected i64, found i32; write toI64(a)"],
  ["5", "i64", "expected i64, found i32; write 5n"],
  ["f", "i64", "expected i64, found f64; write toI64(f)"],
  ["x", "i32", "expected i32, found i64; write toI32(x)"],
  ["a", "f64", "expected f64, found i32; write toF64(a)"],
  ["2n", "f64", "expected f64, found i64; write 2"],
  ["x", "bool", "expected bool, found i64 (line 1"],
  ["x >>> 1n", "i64", ">>> cannot be used on i64; write a >> b"],
  ["x >> 1", "i64", "i64 and i32 do not mix; write 1n"],
  ["x ** 2n", "i64", "** cannot be used; write pow(a, b)"],
  ["f & g", "f64", "& cannot be used on f64; write toI64(x) or toI32(x)"],
  ["~f", "f64", "~ cannot be used on f64"],
  ["f << 1", "f64", "<< cannot be used on f64"],
  ["x ? 1n : 2n", "i64", "i64 is not a condition; compare it with something"],
  ["addOverflows(x)", "bool", "expected 2 arguments, found 1"],
  ["addOverflows(x, a)", "bool", "addOverflows takes i64 and i64, not i64 and i32; write toI64(x)"],
  ["abs(x)", "f64", "abs takes f64, not i64; write toF64(x)"],
  ["toI64(x)", "i64", "toI64 takes i32 or f64, not i64"],
  ["toF64(x > y)", "f64", "toF64 takes i32 or i64, not bool"],
  ["abs", "f64", "abs is an intrinsic; call it"],
  ["abs.size", "f64", "abs is an intrinsic; call it"],
  ["abs(...f)", "f64", "... cannot be used"],
  ["BigInt(a)", "i64", "only methods of the parameters can be called; write toI64(x)"],
  ["Number(x)", "f64", "only methods of the parameters can be called; write toF64(x) or toI32(x)"],
  [
    "Math.sqrt(f)",
    "f64",
    "only methods of the parameters can be called; give functions of numbers",
  ],
  ["18446744073709551616n", "i64", "the number does not fit into 64 bits"],
  ["big(1n)", "i64", "big is a number; it cannot be called"],
  ["{ let s = 1n; s += 1; return s; }", "i64", "i64 and i32 do not mix; write 1n"],
  ["{ let s = 1n; s = a; return s; }", "i64", "expected i64, found i32; write toI64(a)"],
  ["{ let s = x > y; s += x; return x; }", "i64", "+= cannot be used on bool"],
  ["{ let s = x; s **= 2n; return s; }", "i64", "** cannot be used; write pow(a, b)"],
  ["{ let s = x > y; s++; return x; }", "i64", "expected a number, found bool"],
  ["{ let s = 0; s += f; return s + x; }", "f64", "f64 and i64 do not mix; write toF64(x)"],
  // A counter stays an integer, and the first mistake is told.
  [
    "{ let s = 0.5; for (let i = 0; i < a; i++) s += f * i; return s; }",
    "f64",
    "f64 and i32 do not mix; write toF64(i)",
  ],
];

for (const [source, returns, message] of MISTAKES) {
  Deno.test(`parseRowFunction() says what to write instead of ${source} for ${returns}`, () => {
    const error = assertThrows(() => parseRowFunction(measure(source, returns)), KernelError);
    assert(error.message.startsWith(`op: ${message}`), error.message);
    assert(/ \(line 1, column \d+: .+\)$/.test(error.message), error.message);
  });
}

/** Returns what a function returns in the end. */
function returned(source: string, returns: string): RowExpr {
  const last = bodyOf(parseRowFunction(measure(source, returns))).statements.at(-1);
  if (last?.do !== "return" || last.value === undefined) throw new Error("It does not return");
  return last.value;
}

Deno.test("an integer literal is what stands beside it", () => {
  const literals: [source: string, type: "i32" | "i64" | "f64", value: number | bigint][] = [
    ["3", "i32", 3],
    ["3", "f64", 3],
    ["-0", "f64", -0],
    ["1 / 2", "f64", 0.5],
    ["1 / 0", "f64", Infinity],
    ["-(3 % 2) * 2 + ~1", "f64", -4],
    ["4294967296", "f64", 4294967296],
    ["-2147483648", "i32", -(2 ** 31)],
    ["NaN", "f64", NaN],
    ["-Infinity", "f64", -Infinity],
    ["1.5 * 2 - third * 0", "f64", 3],
    ["5.5 % 2", "f64", 1.5],
    ["big", "i64", 2n ** 40n],
    ["-9223372036854775808n", "i64", -(2n ** 63n)],
    ["18446744073709551615n", "i64", -1n],
    ["~0n", "i64", -1n],
    ["limit", "f64", 10],
  ];
  for (const [source, type, value] of literals) {
    const expr = returned(source, type);
    assertEquals(expr, { op: "const", type, value } as RowExpr, source);
  }
  const { type } = returned("a > 0 ? 1 : 2.5", "f64");
  assertEquals(type, "f64");
});

Deno.test("a local that starts as an integer literal is a float if it is used with floats", () => {
  const sources: [source: string, returns: string][] = [
    ["{ let sum = 0; for (let i = 0; i < a; i++) sum += f; return sum; }", "f64"],
    ["{ let best = 0; if (f > best) best = f; return best; }", "f64"],
    ["{ let best = -1; if (a > 0) best = g; return best; }", "f64"],
    ["{ const half = 1 / 2; return half * f; }", "f64"],
    ["{ let count = 0; if (x > 0n) count++; return toF64(count); }", "f64"],
    ["{ let root = 2; return sqrt(root); }", "f64"],
    ["{ let value = limit; return value; }", "f64"],
  ];
  for (const [source, returns] of sources) parseRowFunction(measure(source, returns));
  const start = (source: string) =>
    (bodyOf(parseRowFunction(measure(source, "f64"))).statements[0] as RowStmt & { do: "let" })
      .value;
  assertEquals(start(sources[0]![0]), { op: "const", type: "f64", value: 0 });
  assertEquals(start(sources[3]![0]), { op: "const", type: "f64", value: 0.5 });
  assertEquals(start(sources[4]![0]), { op: "const", type: "i32", value: 0 });
});

Deno.test("only what computes with floats has to run on the host", () => {
  const COMPUTES = "it computes with floating-point numbers";
  const sources: [source: string, returns: string, reason: string | undefined][] = [
    ["f", "f64", undefined],
    ["x > y ? f : 1.5", "f64", undefined],
    ["x + y * 3n", "i64", undefined],
    ["addOverflows(x, y)", "bool", undefined],
    ["f + g", "f64", COMPUTES],
    ["f === g", "bool", COMPUTES],
    ["-f", "f64", COMPUTES],
    ["f % g", "f64", COMPUTES],
    ["toI64(f)", "i64", COMPUTES],
    ["toF64(x)", "f64", COMPUTES],
    ["exp(f)", "f64", COMPUTES],
    ["{ let s = f; s /= 2; return s; }", "f64", COMPUTES],
  ];
  for (const [source, returns, reason] of sources) {
    assertEquals(parseRowFunction(measure(source, returns)).hostOnly, reason, source);
  }
});

Deno.test("i64 and f64 are given to methods of text only after a conversion", () => {
  const spec = { name: "op", kind: "emit", args: { at: "i64" }, consts: { ...numeric } } as const;
  const wrong = (out: Sink, text: View, { at }: { at: bigint }) =>
    out.put(text.byteAt(at as never));
  assertThrows(
    () => parseRowFunction({ ...spec, row: wrong }),
    KernelError,
    "expected i32, found i64; write toI32(at)",
  );
  parseRowFunction({
    ...spec,
    row(out: Sink, text: View, { at, toI32, toF64 }: { at: bigint } & typeof numeric) {
      out.put(text.byteAt(toI32(at)));
      out.putFloat(toF64(at));
    },
  });
});

Deno.test("constants are numbers, bigints of 64 bits and intrinsics", () => {
  const withConst = (value: unknown) =>
    parseRowFunction({
      name: "op",
      kind: "measure",
      consts: { value: value as number },
      row: () => 1,
    });
  for (const value of [1.5, NaN, 2 ** 40, -0, 0n, 2n ** 64n - 1n, -(2n ** 63n), numeric.clz]) {
    withConst(value);
  }
  for (const value of [2n ** 64n, -(2n ** 63n) - 1n, Math.abs, {}, null, new BigInt64Array(1)]) {
    assertThrows(() => withConst(value), KernelError, "op: the constant value must be a number");
  }
});
