import { assertEquals } from "@std/assert";
import { AwaitedAnswers } from "../../../../base/threads/awaited_answers.ts";

Deno.test("each job gets its first answer, in any order; what nobody awaits is ignored", async () => {
  const answers = new AwaitedAnswers<string>();
  const waiting = [answers.wait(1), answers.wait(2), answers.wait(3)];
  answers.answer(9, "of no job");
  for (
    const [job, answer] of [[3, "c"], [1, "a"], [1, "again"], [2, null], [2, "again"]] as const
  ) {
    answers.answer(job, answer);
  }
  assertEquals(await Promise.all(waiting), ["a", null, "c"]);
});

Deno.test("all that is awaited is lost with its thread, and may be awaited again", async () => {
  const answers = new AwaitedAnswers<string>();
  const patience = { ms: 3_600_000, isOnItsWay: () => false, onLate: () => {} };
  // The test would find a timer that is left.
  const waiting = [answers.wait(1, patience), answers.wait(2)];
  answers.lose();
  assertEquals(await Promise.all(waiting), [null, null]);
  const again = answers.wait(1);
  answers.answer(1, "a");
  assertEquals(await again, "a");
});

Deno.test("an answer that does not come in time is null, and late once, whatever comes later", async () => {
  const answers = new AwaitedAnswers<string>();
  let numLate = 0;
  const late = answers.wait(1, { ms: 1, isOnItsWay: () => false, onLate: () => numLate++ });
  assertEquals(await late, null);
  answers.answer(1, "too late");
  assertEquals(numLate, 1);
});

Deno.test("for one that is on its way there is more patience, but not without end", async () => {
  const answers = new AwaitedAnswers<string>();
  let numAsked = 0;
  const patience = (isOnItsWay: () => boolean) => ({ ms: 1, isOnItsWay, onLate: () => numLate++ });
  let numLate = 0;
  const inTime = answers.wait(
    1,
    patience(() => {
      if (++numAsked === 5) queueMicrotask(() => answers.answer(1, "a"));
      return true;
    }),
  );
  assertEquals([await inTime, numAsked, numLate], ["a", 5, 0]);
  numAsked = 0;
  const never = answers.wait(2, patience(() => ++numAsked > 0));
  assertEquals([await never, numAsked, numLate], [null, 21, 1]);
});
