import { assert, assertEquals, assertRejects } from "@std/assert";
import { compare } from "../../../bench/compare.ts";
import { stringExpressions } from "../../../bench/strings.ts";
import { checkoutPath } from "../../support/processes/sluice.ts";

/** The worktrees of benches; undefined where this checkout has no history, as in a package. */
async function worktrees(): Promise<string[] | undefined> {
  const args = ["-C", checkoutPath("."), "worktree", "list"];
  const output = await new Deno.Command("git", { args }).output().catch(() => undefined);
  if (!output?.success) return undefined;
  return new TextDecoder().decode(output.stdout).split("\n").filter((line) =>
    line.includes("sluice-bench-")
  );
}

const before = await worktrees();

Deno.test({
  name: "compare runs every job on both commits, and takes their files away",
  ignore: before === undefined,
  async fn() {
    const table = await compare({ commits: "HEAD", names: ["nulls"], numPairs: 1, numRows: 100 });
    const [head, , ...rows] = table.split("\n").map((line) => line.split(" | "));
    assert(head![1]!.includes("HEAD") && head![2]!.includes("this checkout"), `${head}`);
    assertEquals(rows.length, stringExpressions.length);
    for (const [job, old, now, ratio] of rows) {
      for (const number of [old, now, ratio]) assert(Number(number) > 0, `${job}: ${number}`);
    }
    assertEquals(await worktrees(), before);
  },
});

Deno.test({
  name: "compare names a commit that there is not",
  ignore: before === undefined,
  async fn() {
    const options = { names: [], numPairs: 1, numRows: 1 };
    await assertRejects(() => compare({ ...options, commits: "no-such" }), Error, "no-such");
    await assertRejects(() => compare({ ...options, commits: "HEAD..no-such" }), Error, "no-such");
    assertEquals(await worktrees(), before);
  },
});
