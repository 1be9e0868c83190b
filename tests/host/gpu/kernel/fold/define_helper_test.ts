import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { KernelError } from "../../../../../base/errors/expr_error.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { defineHelper } from "../../../../../gpu/kernel/fold/define_helper.ts";
import { emitJavaScript } from "../../../../../gpu/kernel/emit/javascript/emit.ts";
import { lowerKernel } from "../../../../../gpu/kernel/lower/lower.ts";
import { checkStringOp } from "../../../../../ops/plugin/check_string_op.ts";
import { defineStringOp } from "../../../../../ops/string/define/define_string_op.ts";
import { foldTree } from "../../../../../gpu/kernel/fold/fold_tree.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { parseRowFunction } from "../../../../../gpu/kernel/parse/parse_row_function.ts";
import type {
  Helper,
  i32,
  RowFunctionSpec,
  Sink,
  Table,
  View,
} from "../../../../../gpu/kernel/language/row_function.ts";
import { isLetter } from "../../../../support/kernels/helper_functions.ts";
import { column, INT32, literal, STRING } from "../../../../support/kernels/trees.ts";

/** A measure that calls helpers. */
function measure(
  consts: RowFunctionSpec["consts"],
  row: (text: View, c: never) => unknown,
): RowFunctionSpec {
  return { name: "op", kind: "measure", ...(consts && { consts }), row };
}

const half = defineHelper({
  args: ["i32"],
  returns: "i32",
  row: (value) => value / 2,
});

const putTwice = defineHelper({
  args: ["sink", "i32"],
  row(out, char) {
    out.put(char);
    out.put(char);
  },
});

interface Putting {
  putTwice: typeof putTwice;
}

const noNull = defineHelper({
  args: [],
  returns: "i32",
  // deno-lint-ignore no-explicit-any
  row: () => null as any,
});

const unfinished = defineHelper({
  args: ["i32"],
  returns: "i32",
  // deno-lint-ignore no-explicit-any
  row(value): any {
    if (value > 0) return 1;
  },
});

/** A mistake and the start of its message. */
const MISTAKES: [string, RowFunctionSpec, string][] = [
  [
    "no argument",
    measure({ half }, (_text: View, c: { half(): i32 }) => c.half()),
    "op: expected 1 arguments, found 0 (line 1, column",
  ],
  [
    "an argument of another type",
    measure({ half }, (text: View, c: { half(text: View): i32 }) => c.half(text)),
    "op: expected i32, found view",
  ],
  [
    "a helper as a value",
    measure({ half }, (_text: View, c: { half: i32 }) => c.half),
    "op: half is a helper; call it",
  ],
  [
    "a number that is called",
    measure({ limit: 3 }, (_text: View, c: { limit(): i32 }) => c.limit()),
    "op: limit is a number; it cannot be called",
  ],
  [
    "a table that is called",
    measure({ pairs: Int32Array.of(1) }, (_text: View, c: { pairs(): i32 }) => c.pairs()),
    "op: pairs is a table; read it with at",
  ],
  [
    "a captured helper",
    measure(undefined, (text: View) => half(text.size)),
    "op: only methods of the parameters can be called",
  ],
  [
    "a call as a statement",
    measure({ half }, (text: View, c: { half(value: i32): i32 }) => {
      c.half(1);
      return text.size;
    }),
    "op: the statement has no effect",
  ],
  [
    "null from a helper",
    measure({ noNull }, (_text: View, c: { noNull(): i32 }) => c.noNull()),
    "op: helper noNull: a helper cannot return null (line 1, column",
  ],
  [
    "an undefined value",
    measure({ unfinished }, (_text: View, c: { unfinished(value: i32): i32 }) => c.unfinished(1)),
    "op: helper unfinished: row must return a value on every path",
  ],
  [
    "what a helper writes as a value",
    {
      ...measure({ putTwice }, () => 1),
      kind: "emit",
      row: (out: Sink, _t: View, c: Putting) => out.put(c.putTwice(out, 1) as never),
    },
    "op: putTwice has no value; make it a statement",
  ],
  [
    "a helper that writes without its sink",
    measure({ putTwice }, (text: View, c: Putting) => c.putTwice(text as never, 1)),
    "op: putTwice has no value; make it a statement",
  ],
  [
    "another thing than the sink",
    {
      name: "op",
      kind: "emit",
      consts: { putTwice },
      row: (_out: Sink, text: View, c: Putting) => c.putTwice(text as never, 1),
    },
    "op: expected the sink of the function (line 1, column",
  ],
  [
    "a sink of numbers that is given to a helper",
    {
      name: "op",
      kind: "list",
      items: "i32",
      consts: { putTwice },
      row: (out: Sink, _text: View, c: Putting) => c.putTwice(out, 1),
    },
    "op: a helper cannot write to a sink that takes items alone",
  ],
  [
    "a sink that is not the first parameter",
    measure({ late: defineHelper({ args: ["i32", "sink"], row: () => {} }) }, () => 1),
    "op: helper late: only the first parameter of a helper can be a sink",
  ],
  [
    "a helper that writes and returns",
    measure({ both: defineHelper({ args: ["sink"], returns: "i32", row: () => 1 }) }, () => 1),
    "op: helper both: a helper that takes a sink returns nothing",
  ],
  [
    "a helper that gives nothing",
    measure({ idle: defineHelper({ args: ["i32"], row: () => {} }) }, () => 1),
    "op: helper idle: a helper without a sink must say what it returns",
  ],
  [
    "a value of a helper that writes",
    measure({ one: defineHelper({ args: ["sink"], row: () => 1 as never }) }, () => 1),
    "op: helper one: a helper that takes a sink returns nothing (line 1, column",
  ],
  [
    "a constant of another kind",
    // deno-lint-ignore no-explicit-any
    measure({ other: [1] as any }, (text: View) => text.size),
    "op: the constant other must be a number, a bigint of 64 bits, an Int32Array, a text, a helper, an intrinsic or scratch",
  ],
];

for (const [what, spec, message] of MISTAKES) {
  Deno.test(`parseRowFunction() names ${what} in the use of helpers`, () => {
    const error = assertThrows(() => parseRowFunction(spec), KernelError);
    assert(error.message.startsWith(message), error.message);
  });
}

Deno.test("a helper that comes to call itself is an error, each time", () => {
  const consts: Record<string, Helper<(value: i32) => i32>> = {};
  const spec = {
    args: ["i32"],
    returns: "i32",
    consts,
    row: (value: i32, c: { [name: string]: (value: i32) => i32 }) => c.other!(value),
  } as const;
  consts.other = defineHelper(spec);
  for (const _ of [1, 2]) {
    assertThrows(
      () => parseRowFunction(measure(consts, (text: View) => text.size)),
      KernelError,
      "op: helper other: helper other calls itself",
    );
  }
});

Deno.test("a helper is parsed once for all operations, under any name", () => {
  const first = parseRowFunction(
    measure({ half }, (text: View, c: { half(value: i32): i32 }) => c.half(text.size)),
  );
  const second = parseRowFunction(
    measure(
      { quarter: half },
      (text: View, c: { quarter(value: i32): i32 }) => c.quarter(text.size),
    ),
  );
  assert(typeof first.consts.half === "object");
  assertStrictEquals(first.consts.half, second.consts.quarter);
});

Deno.test("what a helper costs counts wherever it is called", () => {
  const weightOf = (row: (text: View, c: never) => unknown) =>
    (parseRowFunction(measure({ isLetter: half }, row)).body as { weight: number }).weight;
  const none = weightOf((text: View) => text.size);
  const one = weightOf((text: View, c: { isLetter(v: i32): i32 }) => c.isLetter(text.size));
  const two = weightOf((text: View, c: { isLetter(v: i32): i32 }) =>
    c.isLetter(c.isLetter(text.size))
  );
  assertEquals(two - one, one - none);
  assert(one - none > 3);
});

Deno.test("a helper called directly gives what the generated code gives", () => {
  assertEquals([7, -7, -0x80000000].map((value) => half(value)), [3, -3, -0x40000000]);
  for (let char = 0; char < 0x3000; char++) {
    assertEquals(isLetter(char), /[A-Za-z]/.test(String.fromCodePoint(char)), String(char));
  }
  const endless = defineHelper({
    args: [],
    returns: "i32",
    row() {
      let value = 0;
      while (value >= 0) value = 0;
      return value;
    },
  });
  assertThrows(() => endless(), RangeError, "takes too many steps");
  assertThrows(() => half("1" as unknown as number), TypeError, "wants i32 here");
});

Deno.test("a helper of several returns is an expression, without a jump or a variable", () => {
  const fn = parseRowFunction(
    measure(
      { isLetter },
      (text: View, c: { isLetter(char: i32): boolean }) => c.isLetter(text.byteAt(0)) ? 1 : 0,
    ),
  );
  const tree = { node: "call", fn, text: column(0), args: [], type: INT32 } as const;
  const [kernel] = partitionIntoKernels([STRING], [{ label: "test", tree }]).kernels;
  const ir = kernel && lowerKernel(kernel, [STRING], { ascii: true, nullable: [false] });
  if (ir?.kernel !== "row") throw new Error("A measure is a kernel of rows");
  const { body } = emitJavaScript(ir);
  const code = body.slice(body.indexOf("for (let $row"));
  assertEquals(code.match(/\blet \w|break|\$isLetter/g), null, body);
});

Deno.test("a helper writes where its caller does, also into an item of a list", () => {
  const putCaught = defineHelper({
    args: ["sink", "string"],
    consts: { putTwice },
    row(out, text, { putTwice }) {
      for (let at = 0; at < text.size; at = text.next(at)) {
        if (text.charAt(at) === 0x21) return;
        putTwice(out, text.charAt(at));
      }
    },
  });
  const stretched = defineStringOp({
    name: "stretched",
    kind: "emit",
    consts: { putCaught },
    examples: [{ input: "aé!b", result: "aaéé." }, { input: "", result: "." }],
    row(out, text, { putCaught }) {
      putCaught(out, text);
      out.put(0x2e);
    },
  });
  const both = defineStringOp({
    name: "both",
    kind: "list",
    consts: { putCaught },
    examples: [{ input: "ab!", result: ["aabb", "ab!"] }],
    row(out, text, { putCaught }) {
      putCaught(out, text);
      out.endItem();
      out.item(text);
    },
  });
  [stretched, both].forEach(checkStringOp);
  const tree: Tree = {
    node: "call",
    fn: stretched.rowFunction("row"),
    text: literal("aé!b"),
    args: [],
    type: STRING,
  };
  assertEquals(foldTree(tree), literal("aaéé."));
  assertThrows(() => putTwice(null as never, 1), TypeError, "Only a row function calls a helper");
});

Deno.test("a helper reads its own tables, not those of its caller", () => {
  const entry = defineHelper({
    args: ["i32"],
    returns: "i32",
    consts: { table: Int32Array.of(10, 20) },
    row: (at, { table }) => table.at(at) + table.size,
  });
  const table = Int32Array.of(1, 2, 3);
  assertEquals([entry(0), entry(1), entry(2), entry(-1)], [12, 22, 2, 2]);
  const spec = measure(
    { table, entry },
    (text: View, c: { table: Table; entry(at: i32): i32 }) =>
      c.entry(text.size) * 100 + c.table.at(text.size),
  );
  const fn = parseRowFunction(spec);
  assertEquals(Object.keys(fn.consts), ["table", "entry"]);
});
