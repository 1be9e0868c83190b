import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { orTrap, orTrapNow, TrapError } from "../../../streams/parquet/or_trap.ts";

const trap = () => {
  throw new WebAssembly.RuntimeError("unreachable");
};
const outOfBounds = () => {
  throw new WebAssembly.RuntimeError("memory access out of bounds");
};

Deno.test("a trap is an error that does not speak of itself, at once and later", async () => {
  const problem = "is corrupt, or holds what cannot be decoded";
  assertEquals(assertThrows(() => orTrapNow(trap), TrapError).message, problem);
  assertEquals(assertThrows(() => orTrapNow(outOfBounds), TrapError).message, problem);
  assertEquals((await assertRejects(() => orTrap(trap), TrapError)).message, problem);
  // The promise stays pending, and the error comes to nobody.
  const later = () =>
    new Promise<never>(() => {
      queueMicrotask(trap);
    });
  assertEquals((await assertRejects(() => orTrap(later, "failed"), TrapError)).message, "failed");
  assertThrows(() => orTrapNow(() => JSON.parse("{")), SyntaxError);
});

Deno.test("a module that works no more says so, and blames no file", () => {
  for (let time = 0; time < 100; time++) assertThrows(() => orTrapNow(trap), TrapError);
  const error = assertThrows(() => orTrapNow(outOfBounds), TypeError);
  assertEquals(
    error.message,
    "cannot be read or written in this process: parquet-wasm works no more after so many files that " +
      "it could not decode",
  );
});
