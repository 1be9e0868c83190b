import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { KernelError } from "../../../gpu/errors.ts";
import { partitionIntoKernels } from "../../../gpu/kernel/partition/partition.ts";
import { defineHelper } from "../../../gpu/kernel/language/define_helper.ts";
import { emitJavaScript } from "../../../gpu/kernel/emit/javascript/emit.ts";
import type { Helper } from "../../../gpu/kernel/language/helper.ts";
import { lowerKernel } from "../../../gpu/kernel/lower/lower.ts";
import { parseRowFunction } from "../../../gpu/kernel/parse/parse_row_function.ts";
import type {
  i32,
  RowFunctionSpec,
  Table,
  View,
} from "../../../gpu/kernel/language/row_function.ts";
import { isLetter } from "../../support/helper_functions.ts";
import { column, INT32, STRING } from "../../support/trees.ts";

/** A measure that calls helpers. */
function measure(
  consts: RowFunctionSpec["consts"],
  row: (text: View, c: never) => unknown,
): RowFunctionSpec {
  return { name: "op", kind: "measure", ...(consts && { consts }), row };
}

const half: Helper<(value: i32) => i32> = defineHelper({
  args: { value: "i32" },
  returns: "i32",
  row: (value: i32) => value / 2,
});

const noNull = defineHelper({
  args: {},
  returns: "i32",
  // deno-lint-ignore no-explicit-any
  row: () => null as any,
});

const unfinished = defineHelper({
  args: { value: "i32" },
  returns: "i32",
  // deno-lint-ignore no-explicit-any
  row(value: i32): any {
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
    "a constant of another kind",
    // deno-lint-ignore no-explicit-any
    measure({ text: "ab" as any }, (text: View) => text.size),
    "op: the constant text must be a 32-bit integer, an Int32Array, a helper or scratch",
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
    args: { value: "i32" },
    returns: "i32",
    consts,
    row: (value: i32, c: { other(value: i32): i32 }) => c.other(value),
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
    args: {},
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

Deno.test("a helper reads its own tables, not those of its caller", () => {
  const entry: Helper<(at: i32) => i32> = defineHelper({
    args: { at: "i32" },
    returns: "i32",
    consts: { table: Int32Array.of(10, 20) },
    row: (at: i32, c: { table: Table }) => c.table.at(at) + c.table.size,
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
