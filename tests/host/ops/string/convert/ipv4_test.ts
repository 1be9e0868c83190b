import { assertEquals } from "@std/assert";
import { col } from "../../../../../ops/expr/expr.ts";
import { evaluateExpr } from "../../../../support/expressions/evaluate_expr.ts";

Deno.test("every byte of an IPv4 address is written and read, in each place", () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const addresses = [0, 1, 2, 3].flatMap((place) =>
    bytes.map((byte) => [9, 10, 99, 100].with(place, byte))
  );
  const text = addresses.map((parts) => parts.join("."));
  const numbers = addresses.map((parts) =>
    parts.reduce((sum, part) => 256n * sum + BigInt(part), 0n)
  );
  assertEquals(evaluateExpr(col("text").ipv4ToInteger(), { text }), numbers);
  assertEquals(evaluateExpr(col("text").ipv4ToInteger().integerToIpv4(), { text }), text);
});
