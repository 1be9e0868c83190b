import { assertEquals } from "@std/assert";
import { Crew, type CrewMember, type CrewOptions } from "../../../../base/threads/crew.ts";

/** A thread that does what a test says. */
class Member implements CrewMember {
  isGone = false;
  isBroken = false;
  numCloses = 0;

  leave(): void {
    this.isGone = true;
  }

  break(): void {
    this.isGone = true;
    this.isBroken = true;
  }

  close(): void {
    this.isGone = true;
    this.numCloses++;
  }
}

function crewOf(options: Partial<CrewOptions<Member>> = {}) {
  const started: Member[] = [];
  const gone: Member[] = [];
  const crew = new Crew<Member>({
    start: () => {
      const member = new Member();
      started.push(member);
      return member;
    },
    most: 2,
    startMs: 10,
    maxStartMs: 30,
    onGone: (member) => gone.push(member),
    ...options,
  });
  return { crew, started, gone };
}

Deno.test("threads start one at a time, each after twice as much work as the one before", () => {
  const { crew, started } = crewOf({ most: 4 });
  const starts: number[] = [];
  for (let ms = 1; ms <= 100; ms++) {
    crew.noteWork(1);
    const before = started.length;
    crew.ready();
    if (started.length > before) starts.push(ms);
  }
  // 10, 20, 30 and 30 milliseconds of work.
  assertEquals(starts, [10, 30, 60, 90]);
});

Deno.test("a thread that is due or wanted always starts without any work, up to the most", () => {
  const { crew, started } = crewOf();
  assertEquals(crew.ready(), []);
  assertEquals(crew.ready(true), started);
  assertEquals([crew.ready().length, crew.ready(true).length, crew.ready(true).length], [1, 2, 2]);
  const always = crewOf({ always: true, most: 1 });
  assertEquals([always.crew.ready().length, always.crew.ready().length], [1, 1]);
});

Deno.test("what was useful lets the next thread start as soon as the first", () => {
  const { crew } = crewOf();
  crew.ready(true);
  crew.ready(true);
  crew.ready().forEach((member) => member.leave());
  crew.noteWork(10);
  assertEquals(crew.ready().length, 0);
  crew.noteUse();
  assertEquals(crew.ready().length, 1);
});

Deno.test("threads with work elsewhere are left out, and come back", () => {
  let numElsewhere = 0;
  const { crew, started } = crewOf({ always: true, numElsewhere: () => numElsewhere });
  crew.ready();
  assertEquals(crew.ready().length, 2);
  numElsewhere = 1;
  assertEquals(crew.ready(), [started[0]!]);
  numElsewhere = 5;
  assertEquals(crew.ready(), []);
  numElsewhere = 0;
  assertEquals([crew.ready().length, started.length], [2, 2]);
});

Deno.test("one that has left is closed once and replaced; three that broke are the last", () => {
  const { crew, started, gone } = crewOf({ always: true, most: 1 });
  for (let round = 1; round <= 10; round++) {
    crew.ready()[0]!.leave();
    assertEquals([started.length, gone.length], [round, round - 1]);
  }
  for (let round = 0; round < 10; round++) crew.ready()[0]?.break();
  assertEquals([started.length, gone.length], [13, 13]);
  assertEquals(started.map(({ numCloses }) => numCloses), started.map(() => 1));
  assertEquals(crew.members, []);
});

Deno.test("where a thread cannot start, it is tried once", () => {
  let numTries = 0;
  const { crew } = crewOf({
    always: true,
    start: () => {
      numTries++;
      throw new DOMException("Refused", "SecurityError");
    },
  });
  for (let round = 0; round < 5; round++) assertEquals(crew.ready(), []);
  assertEquals(numTries, 1);
});

Deno.test("a crew that is closed ends its threads and starts no more", () => {
  const { crew, started, gone } = crewOf({ always: true });
  crew.ready();
  crew.ready();
  crew.close();
  assertEquals([crew.ready(), crew.members, gone], [[], [], started]);
  assertEquals(started.map(({ numCloses }) => numCloses), [1, 1]);
});
