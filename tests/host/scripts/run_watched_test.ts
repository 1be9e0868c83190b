import { assert, assertEquals } from "@std/assert";
import { runWatched } from "../../../scripts/run_watched.ts";
import { processTree } from "../../../scripts/process_tree.ts";

const LINUX = { ignore: Deno.build.os !== "linux" };
const evaluate = (code: string) => ["eval", "--no-lock", code];

Deno.test("a process that ends by itself gives its output and its status", async () => {
  const limits = { processorSeconds: 100, idleSeconds: 100 };
  const { output, end } = await runWatched(evaluate("console.log(1); Deno.exit(3);"), limits);
  assertEquals([output, end], ["1\n", 3]);
});

Deno.test("a process that computes for ever is ended", LINUX, async () => {
  const limits = { processorSeconds: 0.5, idleSeconds: 100 };
  const { end } = await runWatched(evaluate("for (;;);"), limits);
  assertEquals(end, "0.5 seconds of processor time");
});

Deno.test("a process that waits in vain is ended, and what it has started", LINUX, async () => {
  const limits = { processorSeconds: 100, idleSeconds: 1 };
  const { output, end } = await runWatched(
    evaluate(`
      const child = new Deno.Command("sleep", { args: ["1000"] }).spawn();
      console.log(child.pid);
      await child.status;
    `),
    limits,
  );
  assertEquals(end, "1 seconds without any work");
  const [pid] = /\d+/.exec(output) ?? [];
  const command = () => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/cmdline`);
    } catch {
      return "";
    }
  };
  assertEquals(command(), "");
});

Deno.test("the processor time of a process has that of its children in it", LINUX, () => {
  const { pids, seconds } = processTree(Deno.pid)!;
  assertEquals(pids.at(-1), Deno.pid);
  assert(seconds > 0);
});
