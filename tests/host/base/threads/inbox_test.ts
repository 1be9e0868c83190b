import { assertEquals, assertRejects } from "@std/assert";
import { Inbox } from "../../../../base/threads/inbox.ts";

Deno.test("messages are read in order, whether they are there or come later", async () => {
  const inbox = new Inbox<string>();
  assertEquals(inbox.poll(), undefined);
  inbox.put("a");
  inbox.put("b");
  inbox.put("c");
  assertEquals([await inbox.next(), inbox.poll()], ["a", "b"]);
  assertEquals(await inbox.next(), "c");
  const later = inbox.next();
  inbox.put("d");
  assertEquals([await later, inbox.poll()], ["d", undefined]);
});

Deno.test("what came before a failure is read, and then the first failure, by whoever waits too", async () => {
  const inbox = new Inbox<string>();
  inbox.put("a");
  inbox.fail(new Error("lost"));
  inbox.fail(new Error("lost again"));
  assertEquals(await inbox.next(), "a");
  await assertRejects(() => inbox.next(), Error, "lost");
  await assertRejects(() => inbox.next(), Error, "lost");
  const other = new Inbox<string>();
  const waiting = other.next();
  other.fail(new Error("lost"));
  await assertRejects(() => waiting, Error, "lost");
});
