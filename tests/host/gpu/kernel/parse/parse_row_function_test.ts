import { assert, assertEquals, assertThrows } from "@std/assert";
import { KernelError } from "../../../../../base/errors/expr_error.ts";
import { parseRowFunction } from "../../../../../gpu/kernel/parse/parse_row_function.ts";
import type { RowBody } from "../../../../../gpu/kernel/parse/row_code.ts";
import type {
  RowFunctionSpec,
  Sink,
  Table,
  View,
} from "../../../../../gpu/kernel/language/row_function.ts";

const captured = 3;

/** A source and the start of the message that it must give. */
const MISTAKES: [string, Partial<RowFunctionSpec>, string][] = [
  ["a closure", { row: (out: Sink) => [1].forEach((char) => out.put(char)) }, "an array cannot"],
  ["a local closure", {
    row(out: Sink) {
      const one = () => 1;
      out.put(one());
    },
  }, "a closure cannot be used (line 2, column 21: ()=>1)"],
  ["a captured name", { row: (out: Sink) => out.put(captured) }, "captured is not a parameter"],
  ["a global", { row: (out: Sink, c: number) => out.put(Math.abs(c)) }, "only methods of the"],
  ["an unknown method", {
    kind: "measure",
    // deno-lint-ignore no-explicit-any
    row: (text: any) => text.trim(),
  }, "view has no method trim"],
  ["truthiness", {
    kind: "measure",
    row: (text: View) => text.size ? 1 : 0,
  }, "i32 is not a condition; compare it with something (line 1, column"],
  ["a statement by ??", {
    row(out: Sink, char: number) {
      char ?? out.put(1);
    },
  }, "?? cannot be used"],
  ["a value by ??", { row: (out: Sink, char: number) => out.put(char ?? 1) }, "?? cannot be used"],
  ["a default value", { row: (out: Sink, char = 1) => out.put(char) }, "a default value cannot"],
  ["a pattern", { row: ({ put }: Sink) => put(1) }, "a parameter must be a plain name"],
  ["a missing initialiser", {
    row(out: Sink) {
      // deno-lint-ignore prefer-const
      let char;
      char = 1;
      out.put(char);
    },
  }, "char needs an initialiser"],
  ["state that is not declared", {
    state: { count: 0 },
    row(out: Sink, char: number, { state: s }: { state: { count: number; other?: number } }) {
      s.other = char;
      out.put(char);
    },
  }, "state has no other (line 2, column"],
  ["the state as a value", {
    state: { count: 0 },
    row(out: Sink, _char: number, { state: s }: { state: { count: number } }) {
      out.put(s as unknown as number);
    },
  }, "s is not a value"],
  ["an end without state", { row: (out: Sink) => out.end() }, "only a map with state can end"],
  ["an end with arguments", {
    state: { count: 0 },
    // deno-lint-ignore no-explicit-any
    row: (out: any) => out.end(1),
  }, "expected 0 arguments, found 1"],
  ["a label", {
    row(out: Sink) {
      // deno-lint-ignore no-unused-labels
      outer: for (;;) break;
      out.put(1);
    },
  }, "a label cannot be used"],
  ["async", {
    // deno-lint-ignore require-await
    async row(out: Sink) {
      out.put(1);
    },
  }, "row must be a plain function"],
  ["a fraction", { row: (out: Sink) => out.put(1.5) }, "numbers must be integers"],
  ["a large number", { row: (out: Sink) => out.put(0x80000000) }, "the number does not fit"],
  ["a long text", {
    kind: "measure",
    // deno-lint-ignore no-explicit-any
    row: (text: View) => text.byteAt(0) === ("ab" as any) ? 1 : 0,
  }, "a text literal must be one character"],
  ["a comparison of views", {
    kind: "measure",
    returns: "bool",
    row: (text: View) => text === text,
  }, "=== cannot compare views; use equals"],
  ["a path without a value", {
    kind: "measure",
    row(text: View) {
      if (text.size > 1) return 1;
    },
  }, "row must return a value on every path"],
  ["another type", {
    kind: "measure",
    returns: "bool",
    row: (text: View) => text.size,
  }, "expected bool, found i32"],
  ["a part of an argument", {
    kind: "view",
    args: { other: "string" },
    row: (_text: View, { other }: { other: View }) => other,
  }, "a view must return a part of its text"],
  ["an assigned constant", {
    row(out: Sink) {
      const char = 1;
      // @ts-expect-error: this is the mistake
      // deno-lint-ignore no-const-assign
      char = 2;
      out.put(char);
    },
  }, "char is a constant"],
  ["too many parameters", { row: (_o: Sink, _c: number, _x: number) => {} }, "row has more"],
  ["a parameter for each argument", {
    args: { from: "i32", to: "i32" },
    row: (_out: Sink, _char: number, _from: number, _to: number) => {},
  }, "row has more parameters than the operation passes; the last one holds { from, to }"],
  ["an argument that is not taken by name", {
    args: { limit: "i32" },
    row: (out: Sink, _char: number, limit: number) => out.put(limit),
  }, "limit is not a value; it holds { limit }"],
  ["a state that is not taken by name", {
    state: { count: 0 },
    row: (out: Sink, _char: number, s: { count: number }) => out.put(s.count),
  }, "the spec has no count; take { state } and write state.count"],
  ["an unknown constant", {
    consts: { limit: 1 },
    // deno-lint-ignore no-explicit-any
    row: (out: Sink, _char: number, c: any) => out.put(c.size),
  }, "the spec has no size"],
  ["a name that the spec does not have", {
    args: { limit: "i32" },
    row: (out: Sink, _char: number, { most }: { most: number }) => out.put(most),
  }, "the spec has no most"],
  ["a default of what is given", {
    args: { limit: "i32" },
    row: (out: Sink, _char: number, { limit = 1 }: { limit?: number }) => out.put(limit),
  }, "only names can be taken from the last parameter"],
  ["the rest of what is given", {
    consts: { limit: 1 },
    row: (out: Sink, _char: number, { ...rest }: { limit: number }) => out.put(rest.limit),
  }, "only names can be taken from the last parameter"],
  ["half of 64 bits", {
    kind: "measure",
    returns: "words",
    row: (text: View) => text.size,
  }, "words are returned as [low, high]"],
  ["a number in the place of a float", {
    kind: "emit",
    row: (out: Sink, text: View) => out.putFloat(text.size),
  }, "expected f64, found i32"],
  ["null from a map", {
    row: () => null,
  }, "a map cannot return null"],
];

for (const [what, spec, message] of MISTAKES) {
  Deno.test(`parseRowFunction() names ${what} and its place`, () => {
    const row = spec.row ?? (() => {});
    const error = assertThrows(
      () => parseRowFunction({ name: "shout", kind: "map", ...spec, row }),
      KernelError,
    );
    assert(error.message.startsWith(`shout: ${message}`), error.message);
    assert(/\(line \d+, column \d+: .+\)$/.test(error.message), error.message);
    assertEquals(error.message.split("\n").length, 1);
  });
}

Deno.test("parseRowFunction() refuses functions whose source cannot be read", () => {
  const bound = ((out: Sink) => out.put(1)).bind(null);
  for (const row of [bound, Math.max]) {
    const error = assertThrows(
      () => parseRowFunction({ name: "shout", kind: "map", row }),
      KernelError,
    );
    assertEquals(error.message, "shout: the source of a bound or native function cannot be read");
  }
});

Deno.test("parseRowFunction() reads methods, functions and arrow functions alike", () => {
  const specs: RowFunctionSpec[] = [
    { name: "size", kind: "measure", row: (text: View) => text.size },
    {
      name: "size",
      kind: "measure",
      row(text: View) {
        return text.size;
      },
    },
    {
      name: "size",
      kind: "measure",
      row: function (text: View) {
        return text.size;
      },
    },
  ];
  for (const spec of specs) {
    const { returns, body } = parseRowFunction(spec);
    assertEquals(returns, "i32");
    const { statements } = body as { statements: unknown[] };
    assertEquals(JSON.stringify(statements).includes(`"method":"size"`), true);
  }
});

Deno.test("what a row function is given is found by its name, in any order and under any other", () => {
  const spec = {
    name: "padded",
    kind: "map",
    args: { left: "string", right: "string" },
    consts: { limit: 7, pairs: Int32Array.of(1) },
    state: { position: 0 },
  } as const;
  const { body } = parseRowFunction({
    ...spec,
    row(
      out: Sink,
      char: number,
      { state: s, pairs, right: end, limit }: {
        state: { position: number };
        pairs: Table;
        right: View;
        limit: number;
      },
    ) {
      if (s.position === limit) out.copy(end);
      s.position += pairs.at(0) + pairs.size;
      out.put(char);
    },
  });
  const { params, statements } = body as RowBody;
  assertEquals(params, [null, "end"]);
  assertEquals(statements.map((statement) => statement.do), ["if", "set", "put"]);
});

Deno.test("parseRowFunction() copies tables, so that they cannot change later", () => {
  const table = Int32Array.of(1);
  const { consts } = parseRowFunction({
    name: "one",
    kind: "map",
    consts: { table },
    row(out: Sink, _char: number, c: { table: { at(index: number): number } }) {
      out.put(c.table.at(0));
    },
  });
  table[0] = 2;
  assertEquals(consts["table"], Int32Array.of(1));
});

Deno.test("parseRowFunction() says that only the host runs what reads or writes floats", () => {
  const spec = { name: "half", kind: "measure", returns: "f64" } as const;
  const { hostOnly } = parseRowFunction({ ...spec, row: (text: View) => text.toFloat() });
  assertEquals(hostOnly, "it reads or writes floating-point numbers");
});

Deno.test("parseRowFunction() lets only an emit or a measure work on a number", () => {
  const error = assertThrows(
    () =>
      parseRowFunction({
        name: "half",
        kind: "map",
        subject: "i32",
        row: (out: Sink) => out.put(1),
      }),
    KernelError,
  );
  assertEquals(error.message, "half: only an emit or a measure works on i32");
});
