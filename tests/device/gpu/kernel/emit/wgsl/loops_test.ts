/**
 * Values that come out of loops which rows leave in different rounds. A device that computes rows side by
 * side may give a row that has left a value of the rounds that others go on with.
 */

import type { Scalar, Stmt } from "../../../../../../gpu/kernel/ir/ir.ts";
import { deviceTest } from "../../../../../support/device/adapter.ts";
import { assertComputes } from "../../../../../support/device/device_kernels.ts";
import {
  binary,
  block,
  bool,
  byte,
  declare,
  increment,
  int,
  jump,
  local,
  loop,
  put,
  rowKernel,
  set,
  start,
  stop,
  STRING,
  textOf,
  when,
} from "../../../../../support/kernels/ir_builders.ts";
import { stringColumn } from "../../../../../support/values/host_columns.ts";

/** An a, some blanks, and a letter. */
const texts = Array.from({ length: 70 }, (_, row) => {
  return `a${" ".repeat(row * 7 % 13)}${String.fromCharCode(0x61 + row % 26)}`;
});

const x = local("x");
const z = local("z");
const byteAt = (at: Scalar) => byte(textOf(0), binary(start(0), "+", at));
const isOther = (value: Scalar) => binary(value, "!=", int(0x20));
const leave = (label: string) => jump("break", label);

/** Code that runs twice for a row, from the first blank on; the second time the place is there. */
function twice(...body: Stmt[]): Stmt[] {
  const runs = loop("twice", binary(local("run"), "<", int(2)), body, [increment("run")]);
  return [declare("x", int(1)), declare("run", int(0)), runs];
}

/** A loop to the next letter, where the row leaves it within a round. */
const toLetter = loop("rounds", bool(true), [
  when(isOther(byteAt(x)), [leave("rounds")]),
  increment("x"),
]);

/** Code that goes back over the blanks before each place of the text. */
function backward(behind: Stmt): Stmt[] {
  return [
    declare("at", start(0)),
    loop("all", binary(local("at"), "<", stop(0)), [
      declare("x", binary(local("at"), "-", start(0))),
      increment("at"),
      loop("rounds", binary(x, ">", int(0)), [
        declare("before", binary(x, "-", int(1))),
        when(isOther(byteAt(local("before"))), [leave("rounds")]),
        increment("x", -1),
      ]),
      behind,
    ]),
  ];
}

/** By what the row keeps. */
const CASES: Record<string, { body: readonly Stmt[]; expected: (text: string) => string }> = {
  "a local that its last round has set": {
    body: [
      declare("x", int(1)),
      declare("z", int(0)),
      loop("rounds", bool(true), [
        set("z", byteAt(x)),
        when(isOther(z), [leave("rounds")]),
        increment("x"),
      ]),
      put(z),
    ],
    expected: (text) => text.at(-1)!,
  },
  "a byte that it reads again": {
    body: twice(toLetter, put(byteAt(x))),
    expected: (text) => text.at(-1)!.repeat(2),
  },
  "a byte that the test of the loop has read": {
    body: twice(
      loop("rounds", binary(byteAt(x), "==", int(0x20)), [increment("x")]),
      put(byteAt(x)),
    ),
    expected: (text) => text.at(-1)!.repeat(2),
  },
  "a local of a loop from which it leaves an outer one": {
    body: [
      declare("x", int(1)),
      declare("z", int(0)),
      block("outside", [
        loop("outer", bool(true), [
          loop("rounds", bool(true), [
            set("z", byteAt(x)),
            when(isOther(z), [leave("outside")]),
            increment("x"),
            when(binary(binary(x, "%", int(3)), "==", int(0)), [jump("continue", "outer")]),
          ]),
        ]),
      ]),
      put(z),
    ],
    expected: (text) => text.at(-1)!,
  },
  "the answer to a test that it asks again": {
    body: backward(when(binary(x, ">", int(0)), [put(int(0x79))], [put(int(0x6e))])),
    expected: (text) => [...text].map((_, at) => at === 0 ? "n" : "y").join(""),
  },
};

for (const [what, { body, expected }] of Object.entries(CASES)) {
  deviceTest(`a row that has left a loop keeps ${what}`, async () => {
    const kernel = rowKernel([STRING], STRING, body);
    await assertComputes([{ kernel, expected: (row) => expected(texts[row]!) }], [
      stringColumn(texts),
    ]);
  });
}
