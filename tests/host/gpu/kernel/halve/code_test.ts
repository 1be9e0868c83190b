/** The code that halves make: its size, its order, and what it leaves alone. */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import type { ColumnType } from "../../../../../gpu/column/column.ts";
import { halve } from "../../../../../gpu/kernel/halve/halve.ts";
import type { Scalar, ScalarType, Stmt } from "../../../../../gpu/kernel/ir/ir.ts";
import { binary, bool, convert, int, long, select } from "../../../../../gpu/kernel/ir/scalar.ts";
import { numStatements, someStatement, visit } from "../../../../../gpu/kernel/ir/visit.ts";
import {
  block,
  BOOL,
  declare,
  INT32,
  jump,
  loop,
  result,
  rowKernel,
  set,
  when,
  word,
} from "../../../../support/kernels/ir_builders.ts";
import { runJavaScript } from "../../../../support/kernels/run_javascript.ts";

const INT64: ColumnType = { kind: "int", bits: 64, signed: true };
const TARGETS = [{ hasFloats: true }, { hasFloats: false }];

const [x, y]: Scalar[] = [0, 1].map((column) => ({ op: "long", type: "i64", column }));

function local(name: string, type: ScalarType = "i64"): Scalar {
  return { op: "local", type, name };
}

function longKernel(body: readonly Stmt[]) {
  return rowKernel([INT64, INT64], INT64, body);
}

/** The results of a body over pairs, as both targets compute them. */
function run(body: readonly Stmt[], rows: readonly (readonly bigint[])[]): bigint[][] {
  const columns = [0, 1].map((side) => BigInt64Array.from(rows, (row) => row[side]!));
  return TARGETS.map((target) => [
    ...runJavaScript(
      halve(longKernel(body), target),
      columns,
      rows.length,
      new BigInt64Array(rows.length),
    ),
  ]);
}

function assertRuns(
  body: readonly Stmt[],
  rows: readonly (readonly bigint[])[],
  expected: (x: bigint, y: bigint) => bigint,
): void {
  for (const actual of run(body, rows)) {
    assertEquals(actual, rows.map(([a, b]) => BigInt.asIntN(64, expected(a!, b!))));
  }
}

const ROWS = [[5n, 3n], [-7n, 2n ** 33n], [2n ** 62n, 9n], [0n, -1n], [12n, 0n], [-1n, -1n]];

Deno.test("a kernel without i64 stays the same object", () => {
  const kernel = rowKernel([INT32], INT32, [result(binary("+", word(0), int(1)))]);
  for (const target of TARGETS) assertStrictEquals(halve(kernel, target), kernel);
});

Deno.test("no i64 is left, and a kernel is halved once", () => {
  const body = [
    declare("sum", binary("+", x!, y!)),
    when(binary("+overflows", x!, y!), [{ do: "null" }]),
    result(binary("*", local("sum"), long(10n))),
  ];
  for (const target of TARGETS) {
    const kernel = longKernel(body);
    const halved = halve(kernel, target);
    visit(halved.body, {
      stmt: (stmt) => assert(stmt.do !== "let" || stmt.type !== "i64"),
      scalar: ({ type }) => assert(type !== "i64"),
    });
    assertStrictEquals(halve(kernel, target), halved);
  }
});

Deno.test("code grows by a few statements with each operation, even if its value is used twice", () => {
  const chain = (length: number) => {
    let value: Scalar = x!;
    for (let k = 0; k < length; k++) value = binary("+", value, binary("^", value, y!));
    return longKernel([result(value)]);
  };
  for (const target of TARGETS) {
    const sizes = [20, 40].map((length) => numStatements(halve(chain(length), target).body));
    assert(sizes[0]! <= 20 * 6, `${sizes}`);
    assertEquals(sizes[1], 2 * sizes[0]! - 1);
  }
});

Deno.test("a product and its overflow are computed from the same halves", () => {
  const body = [
    when(binary("*overflows", x!, y!), [{ do: "null" }]),
    result(binary("*", x!, y!)),
  ];
  const [withFloats] = TARGETS.map((target) => halve(longKernel(body), target));
  let products = 0;
  visit(withFloats!.body, {
    scalar: (scalar) => {
      if (scalar.op === "binary" && scalar.fn === "*" && scalar.type === "i32") products++;
    },
  });
  assertEquals(products, 3);
});

Deno.test("a variable of a loop keeps both halves, also when they change places", () => {
  const swapped = binary(
    "join",
    convert("high", "i32", local("v")),
    convert("low", "i32", local("v")),
  );
  assertRuns(
    [declare("v", x!), set("v", swapped), result(local("v"))],
    ROWS,
    (a) => BigInt.asUintN(32, a >> 32n) | a << 32n,
  );
});

Deno.test("a declared value stays what it was when the variable it came from changes", () => {
  assertRuns(
    [
      declare("v", x!),
      declare("before", local("v")),
      set("v", binary("+", local("v"), y!)),
      set("v", binary("+", local("v"), y!)),
      result(binary("-", local("v"), local("before"))),
    ],
    ROWS,
    (_, b) => 2n * b,
  );
});

Deno.test("a test that needs statements is made before each round, also after continue", () => {
  // The sum of the odd numbers up to 7 and below x, in steps of y where y is 1.
  const body = [
    declare("i", long(0n)),
    declare("sum", long(0n)),
    loop(
      "rounds",
      binary("<", binary("*", local("i"), local("i")), binary("+", x!, long(1n))),
      [
        when(binary("==", binary("&", local("i"), long(1n)), long(0n)), [
          jump("continue", "rounds"),
        ]),
        set("sum", binary("+", local("sum"), local("i"))),
        when(binary("==", local("i"), long(7n)), [jump("break", "rounds")]),
      ],
      [set("i", binary("+", local("i"), long(1n)))],
    ),
    result(local("sum")),
  ];
  assertRuns(body, [[0n, 0n], [30n, 0n], [200n, 0n], [-5n, 0n], [49n, 0n], [48n, 0n]], (a) => {
    let sum = 0n;
    for (let i = 0n; i * i < a + 1n && i <= 7n; i++) if (i % 2n === 1n) sum += i;
    return sum;
  });
});

Deno.test("an idiom stays with its loop if its scalars need no statements", () => {
  const at = local("at", "i32");
  const count = (stop: Scalar) => {
    const counting = loop("count", binary("<", at, stop), [
      set("at", binary("+", at, int(1))),
    ]) as Stmt & { do: "loop" };
    const idiom = { does: "count", total: "total", at: "at", stop, column: 0 } as const;
    return longKernel([
      declare("at", int(0)),
      declare("total", int(0)),
      { ...counting, idiom },
      result(convert("extend", "i64", local("total", "i32"))),
    ]);
  };
  const idiomOf = (stop: Scalar) => {
    const stmt = halve(count(stop), { hasFloats: true }).body.find((stmt) => stmt.do === "loop");
    return stmt?.do === "loop" ? stmt.idiom : undefined;
  };
  assertEquals(idiomOf(int(9)), {
    does: "count",
    total: "total",
    at: "at",
    stop: int(9),
    column: 0,
  });
  assertEquals(idiomOf(convert("low", "i32", x!)) !== undefined, true);
  assertEquals(idiomOf(convert("low", "i32", binary("+", x!, y!))), undefined);
});

Deno.test("what takes a loop stays behind its test, in && || and choices", () => {
  const divides = binary("==", binary("%", x!, y!), long(0n));
  const tests: [Scalar, (a: bigint, b: bigint) => boolean][] = [
    [binary("&&", binary("!=", y!, long(0n)), divides), (a, b) => b !== 0n && a % b === 0n],
    [binary("||", binary("==", y!, long(0n)), divides), (a, b) => b === 0n || a % b === 0n],
    [
      select(binary("<", x!, y!), divides, bool(false)),
      (a, b) => a < b && b !== 0n && a % b === 0n,
    ],
  ];
  for (const [test, expected] of tests) {
    const kernel = rowKernel([INT64, INT64], BOOL, [result(test)]);
    for (const target of TARGETS) {
      const halved = halve(kernel, target);
      assert(halved.body.every((stmt) => stmt.do !== "loop"));
      const rows = ROWS.filter(([, b]) => b !== 0n);
      const columns = [0, 1].map((side) => BigInt64Array.from(rows, (row) => row[side]!));
      const actual = runJavaScript(halved, columns, rows.length, new Int32Array(rows.length));
      assertEquals([...actual].map(Boolean), rows.map(([a, b]) => expected(a!, b!)));
    }
  }
  assertRuns(
    [result(select(binary("<", x!, y!), binary("/", y!, x!), binary("/", x!, y!)))],
    ROWS,
    (a, b) => a < b ? (a === 0n ? 0n : b / a) : b === 0n ? 0n : a / b,
  );
});

Deno.test("what was computed behind a test is computed again where it is needed elsewhere", () => {
  const rest = binary("%", x!, y!);
  const isOdd = binary("&&", binary("<", y!, x!), binary("==", rest, long(1n)));
  assertRuns(
    [result(select(isOdd, rest, binary("+", rest, long(100n))))],
    ROWS,
    (a, b) => {
      const rest = b === 0n ? 0n : a % b;
      return b < a && rest === 1n ? rest : rest + 100n;
    },
  );
});

Deno.test("a value of a branch is not taken for computed after it", () => {
  const sum = binary("+", x!, y!);
  assertRuns(
    [
      declare("v", long(0n)),
      block("either", [
        when(binary("<", x!, long(0n)), [set("v", sum), jump("break", "either")]),
        set("v", binary("+", sum, long(1n))),
      ]),
      result(local("v")),
    ],
    ROWS,
    (a, b) => a < 0n ? a + b : a + b + 1n,
  );
});

Deno.test("a division by a constant has no loop if its factors are small", () => {
  const hasLoop = (divisor: bigint) =>
    someStatement(
      halve(longKernel([result(binary("/", x!, long(divisor)))]), { hasFloats: false }).body,
      (stmt) => stmt.do === "loop",
    );
  assertEquals([1000n, 86_400_000_000n, 2n ** 40n, -7n, 65_537n].map(hasLoop), [
    ...[false, false, false, false],
    true,
  ]);
});
