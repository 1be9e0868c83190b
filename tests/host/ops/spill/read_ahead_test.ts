import { assertEquals, assertRejects } from "@std/assert";
import { drain, readAhead } from "../../../../ops/spill/read_ahead.ts";

/** Numbers from 1 on, which note that they were ended. */
async function* numbers(count: number, ended: string[], failsAt = Infinity) {
  try {
    for (let number = 1; number <= count; number++) {
      if (number === failsAt) throw new RangeError(`no ${number}`);
      yield await Promise.resolve(number);
    }
  } finally {
    ended.push("ended");
  }
}

Deno.test("readAhead() reads as long as items fit, and drain() yields all of them once", async () => {
  for (const [most, numAhead, hasRest] of [[100, 4, false], [6, 4, true], [0, 1, true]] as const) {
    const ended: string[] = [];
    let sum = 0;
    const ahead = await readAhead(numbers(4, ended), (number) => (sum += number) <= most);
    assertEquals(ahead.items.length, numAhead);
    assertEquals(ahead.rest !== undefined, hasRest);
    const all = [];
    for await (const number of drain(ahead)) {
      all.push(number);
      assertEquals(ahead.items.length, Math.max(0, numAhead - all.length));
    }
    assertEquals(all, [1, 2, 3, 4]);
    assertEquals(ended, ["ended"]);
  }
});

Deno.test("readAhead() of a source without items has no rest", async () => {
  const ahead = await readAhead(numbers(0, []), () => true);
  assertEquals(ahead, { items: [], rest: undefined });
});

Deno.test("a failure of the source or of the count ends the source", async () => {
  const ended: string[] = [];
  await assertRejects(() => readAhead(numbers(4, ended, 3), () => true), RangeError, "no 3");
  const fail = () => {
    throw new TypeError("too many");
  };
  await assertRejects(() => readAhead(numbers(4, ended), fail), TypeError, "too many");
  assertEquals(ended, ["ended", "ended"]);
});
