import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  canShareMemory,
  canStart,
  type Thread,
  threadStarter,
} from "../../../../base/threads/thread.ts";
import { checkoutPath, inFolder } from "../../../support/processes/sluice.ts";
import { turns, until } from "../../../support/running/until.ts";

/** A thread with what was heard of it. */
function startHeard(program: string | URL): {
  readonly thread: Thread<unknown>;
  readonly messages: unknown[];
  readonly losses: string[];
} {
  const messages: unknown[] = [];
  const losses: string[] = [];
  const thread = threadStarter<unknown, unknown>(program)({
    onMessage: (message) => messages.push(message),
    onLost: (reason) => losses.push(reason),
  });
  return { thread, messages, losses };
}

const ECHO = "onmessage = ({ data }) => postMessage(data);";

Deno.test("a thread answers, from text and from a module, and is not heard once it was ended", async () => {
  await inFolder({ "echo.js": ECHO }, async (folder) => {
    for (const program of [ECHO, new URL(`file://${folder}/echo.js`)]) {
      const { thread, messages, losses } = startHeard(program);
      thread.send("hello");
      await until(() => messages.length === 1, "it answers");
      thread.send("hello");
      thread.end();
      thread.end();
      thread.send("nobody");
      await turns(20);
      assertEquals([messages, losses], [["hello"], []]);
    }
  });
});

Deno.test("memory that is handed over is the thread's", async () => {
  const { thread, messages } = startHeard(ECHO);
  const memory = new ArrayBuffer(8);
  thread.send(memory, [memory]);
  assertEquals(memory.byteLength, 0);
  await until(() => messages.length === 1, "it answers");
  assertEquals((messages[0] as ArrayBuffer).byteLength, 8);
  thread.end();
});

const LOST: Readonly<Record<string, readonly [program: string | URL, reason: RegExp]>> = {
  "dies at its start": ["throw new Error('dead for the test');", /dead for the test/],
  "has a mistake in its program": ["const;", /Unexpected|SyntaxError|Expected/],
  "imports what is not there": ["import 'file:///nowhere.js';", /nowhere|checking/],
  "has no program": [new URL("file:///nowhere.js"), /nowhere|checking/],
  "dies with work": [
    "onmessage = () => { throw new Error('dead for the test'); };",
    /dead for the test/,
  ],
  "dies later": [
    "onmessage = () => setTimeout(() => { throw new Error('dead for the test'); });",
    /dead for the test/,
  ],
};

for (const [what, [program, reason]] of Object.entries(LOST)) {
  Deno.test(`a thread that ${what} is lost once, with the reason, and ends nothing else`, async () => {
    const { thread, messages, losses } = startHeard(program);
    thread.send("work");
    await until(() => losses.length > 0, "it is lost");
    thread.send("more work");
    await turns(20);
    thread.end();
    assertEquals([messages, losses.length], [[], 1]);
    assertMatch(losses[0]!, reason);
  });
}

Deno.test("a thread that never answers is ended by the one that started it", async () => {
  const { thread, messages, losses } = startHeard("for (;;);");
  thread.send("work");
  await turns(20);
  thread.end();
  assertEquals([messages, losses], [[], []]);
});

Deno.test("where there are no threads, a start throws, and none can be started", () => {
  const { Worker } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, "Worker");
    assertThrows(() => startHeard(ECHO));
    assertEquals([canStart(ECHO), canShareMemory()], [false, false]);
  } finally {
    globalThis.Worker = Worker;
  }
  assertEquals([canStart(ECHO), canShareMemory()], [true, true]);
});

Deno.test("a text needs no permission, a module that of reading, and is there", async () => {
  assertEquals(canStart(new URL("file:///nowhere.js")), false);
  const program = `
    const { canStart } = await import("./base/threads/thread.ts");
    const file = (path) => canStart(new URL(path, import.meta.url));
    console.log([canStart("text"), file("./cli.ts"), file("./none.ts"), file("https://a.b/c.ts")]);`;
  const wanted: Readonly<Record<string, string>> = {
    "": "[ true, false, false, false ]",
    "--allow-read=cli.ts": "[ true, false, false, false ]",
    "--allow-read=.": "[ true, true, false, false ]",
    "--allow-read --deny-read=gpu": "[ true, false, false, false ]",
    "--allow-import=a.b": "[ true, false, false, true ]",
  };
  for (const [permissions, answer] of Object.entries(wanted)) {
    const path = checkoutPath("zz_program_test.ts");
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--no-prompt", "--no-check", "--quiet", "--no-lock"],
        ...permissions.split(" ").filter((word) => word !== ""),
        `data:text/javascript,${
          encodeURIComponent(program.replaceAll("./", `file://${path}/../`))
        }`,
      ],
      cwd: checkoutPath("."),
      stdout: "piped",
      stderr: "piped",
      env: { NO_COLOR: "1" },
    }).output();
    const text = new TextDecoder();
    assertEquals([permissions, text.decode(stderr), text.decode(stdout).trim()], [
      permissions,
      "",
      answer,
    ]);
  }
});
