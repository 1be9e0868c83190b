import { assertEquals, assertThrows } from "@std/assert";
import { KernelError } from "../../../gpu/errors.ts";
import type { i32, Sink, View } from "../../../gpu/kernel/language/row_function.ts";
import { checkStringOp } from "../../../ops/string/check_string_op.ts";
import { defineStringOp, isStringOp } from "../../../ops/string/define_string_op.ts";
import * as stringOps from "../../../ops/string/operations.ts";

for (const op of Object.values(stringOps)) {
  Deno.test(`every row function of ${op.spec.name}() compiles for both targets`, () => {
    checkStringOp(op);
  });
}

Deno.test("checkStringOp() refuses what the language of row functions does not have", () => {
  const outer = 3;
  const captures = defineStringOp({
    name: "captures",
    kind: "measure",
    row(text: View): i32 {
      return text.size + outer;
    },
  });
  assertThrows(() => checkStringOp(captures), KernelError, "outer");
});

Deno.test("checkStringOp() refuses an example that does not hold", () => {
  const wrong = defineStringOp({
    name: "twice",
    kind: "map",
    examples: [{ input: "ab", result: "aabb" }, { input: "ab", result: "abab" }],
    row(out: Sink, char: i32) {
      out.put(char);
      out.put(char);
    },
  });
  assertThrows(
    () => checkStringOp(wrong),
    Error,
    '"ab".twice() gives "aabb", its example says "abab"',
  );
});

Deno.test("an operation without a row function is refused at once", () => {
  assertThrows(
    () => defineStringOp({ name: "none", args: {}, optional: [], overloads: {}, choose: () => "" }),
    TypeError,
    "none() has no row function",
  );
});

Deno.test("an operation is called on an expression and on nothing else", () => {
  // deno-lint-ignore no-explicit-any -- what a caller without types could write
  assertThrows(() => stringOps.upper("name" as any), TypeError, "takes an expression first");
});

Deno.test("isStringOp() tells operations from other exports of a plugin", () => {
  assertEquals(isStringOp(stringOps.upper), true);
  for (const other of [null, undefined, "upper", {}, () => 1, { spec: {} }]) {
    assertEquals(isStringOp(other), false);
  }
});
