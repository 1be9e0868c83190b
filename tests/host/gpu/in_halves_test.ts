import { assertEquals, assertThrows } from "@std/assert";
import { OverflowError } from "../../../gpu/errors.ts";
import { inHalves } from "../../../gpu/host/in_halves.ts";

/** A range, unless it has more rows than fit. */
function ranges(most: number): (start: number, stop: number) => [number, number] {
  return (start, stop) => {
    if (stop - start > most) throw new OverflowError("Too large", start, 0);
    return [start, stop];
  };
}

Deno.test("a range that fits is made in one piece", () => {
  assertEquals([...inHalves(3, 10, ranges(7))], [[3, 10]]);
  assertEquals([...inHalves(3, 3, ranges(0))], [[3, 3]]);
});

Deno.test("a range that overflows is halved until its parts fit, in order", () => {
  assertEquals([...inHalves(0, 10, ranges(3))], [[0, 2], [2, 5], [5, 7], [7, 10]]);
});

Deno.test("one row that overflows is an error, and so is any other failure", () => {
  assertThrows(() => [...inHalves(4, 6, ranges(0))], OverflowError, "Too large");
  assertThrows(
    () => [
      ...inHalves(0, 2, () => {
        throw new TypeError("Wrong");
      }),
    ],
    TypeError,
    "Wrong",
  );
});
