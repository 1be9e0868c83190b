import { assertEquals } from "@std/assert";
import { ByteBudget } from "../../../../base/threads/byte_budget.ts";

Deno.test("a byte budget lets any batch pass when it is free, and others once half of it is", async () => {
  const budget = new ByteBudget(10);
  await budget.take(50);
  let isFree = false;
  const waiting = budget.take(4).then(() => isFree = true);
  budget.free(44);
  await Promise.resolve();
  assertEquals(isFree, false);
  budget.free(1);
  await waiting;
  assertEquals(isFree, true);
  await budget.take(1);
});
