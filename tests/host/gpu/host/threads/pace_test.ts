import { assertEquals } from "@std/assert";
import { Pace } from "../../../../../gpu/host/threads/pace.ts";

const ROWS = 1000;

/** Runs batches as a pace wants them; gives how each was computed, `a` or `t`, and the time of all. */
function simulate(
  numBatches: number,
  aloneMs: (batch: number) => number,
  togetherMs: (batch: number) => number,
  numCold = 0,
): { how: string; ms: number } {
  const pace = new Pace();
  let how = "";
  let ms = 0;
  let cold = numCold;
  for (let batch = 0; batch < numBatches; batch++) {
    const isAlone = pace.how === "alone";
    const took = isAlone ? aloneMs(batch) : togetherMs(batch);
    if (isAlone) pace.noteAlone(took, ROWS);
    else pace.noteTogether(took, ROWS, cold-- <= 0);
    how += isAlone ? "a" : "t";
    ms += took;
  }
  return { how, ms };
}

const share = (how: string) => how.replaceAll("a", "").length / how.length;

Deno.test("a pace begins alone, and goes on with workers that help", () => {
  const { how } = simulate(1000, () => 2, () => 1.3);
  assertEquals(how.slice(0, 12), "aaaatttttttt");
  assertEquals(share(how) > 0.95, true, how);
});

Deno.test("a pace gives up workers that do not help, and tries them ever more rarely", () => {
  for (const together of [2, 2.2, 4, 20]) {
    const { how, ms } = simulate(1000, () => 2, () => together);
    assertEquals(share(how) < 0.04, true, how);
    assertEquals(ms < 2 * 1000 * 1.1, true, `${ms} ms`);
  }
});

Deno.test("a pace waits for workers that are cold, but not for ever", () => {
  assertEquals(share(simulate(1000, () => 2, () => 1.3, 6).how) > 0.9, true);
  assertEquals(share(simulate(1000, () => 2, () => 1.3, Infinity).how) < 0.15, true);
});

Deno.test("a pace notices that a machine gets busy, and that it is free again", () => {
  const isBusy = (batch: number) => batch >= 300 && batch < 600;
  const { how } = simulate(2000, () => 2, (batch) => isBusy(batch) ? 3 : 1.3);
  assertEquals(share(how.slice(200, 300)) > 0.9, true, how);
  assertEquals(share(how.slice(330, 600)) < 0.1, true, how);
  assertEquals(share(how.slice(1000)) > 0.9, true, how);
});

Deno.test("one long batch alone or together changes nothing", () => {
  const long = (batch: number) => batch % 29 === 7 ? 30 : 0;
  assertEquals(share(simulate(1000, (batch) => 2 + long(batch), () => 2.1).how) < 0.05, true);
  assertEquals(share(simulate(1000, () => 2, (batch) => 1.3 + long(batch)).how) > 0.5, true);
});

Deno.test("a pace knows what rows take alone from the median of the latest batches", () => {
  const pace = new Pace();
  assertEquals(pace.expectedMs(10), undefined);
  for (const ms of [3, 1, 100, 2]) pace.noteAlone(ms, 1);
  assertEquals(pace.expectedMs(10), 20);
});
