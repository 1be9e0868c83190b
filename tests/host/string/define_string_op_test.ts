import { assertThrows } from "@std/assert";
import { defineStringOp, type StringOpSpec } from "../../../ops/string/define_string_op.ts";
import type { View } from "../../../gpu/kernel/language/row_function.ts";

const spec = {
  name: "same",
  kind: "view",
  summary: "The text",
  row: (text: View) => text,
} as const;

Deno.test("defineStringOp() refuses a name that cannot be called, and an unknown kind", () => {
  const broken: [Record<string, unknown>, string][] = [
    [{ name: undefined }, "A string operation needs a name"],
    [{ name: "a b" }, 'not "a b"'],
    [{ kind: "zap" }, 'not "zap"'],
  ];
  for (const [change, message] of broken) {
    const made = { ...spec, ...change } as unknown as StringOpSpec;
    assertThrows(() => defineStringOp(made), TypeError, message);
  }
});
