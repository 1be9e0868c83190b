import { assertEquals, assertRejects } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { createEngine, fromBatches, select, toTable } from "../../../../mod.ts";
import { checkedAs, type NodeKind, nodeOf } from "../../../../ops/engine/node.ts";
import { operatorOf } from "../../../../ops/engine/operator_of.ts";

/** A node that keeps its rows, and notes when it is checked and compiled. */
function notedKind(notes: string[]): NodeKind<string> {
  return {
    name: "noted",
    rows: "same",
    boundaries: "ignored",
    summary: (name) => name,
    needs: (_, wanted) => wanted,
    check(name, schema) {
      notes.push(`check ${name}`);
      if (name === "wrong") throw new TypeError("This step is wrong");
      const { compile } = checkedAs({
        schema,
        async *run(input) {
          yield* input;
        },
      });
      return {
        schema,
        compile() {
          notes.push(`compile ${name}`);
          return compile();
        },
      };
    },
  };
}

/** A stream with two such steps, and what they note. */
function noted(...names: readonly string[]) {
  const notes: string[] = [];
  const kind = notedKind(notes);
  const engine = createEngine({ device: "cpu" });
  const start = fromBatches(tableFromArrays({ id: [1, 2], name: ["a", "b"] }), { engine });
  const stream = names.reduce(
    (stream, name) => stream.pipeThrough(operatorOf(nodeOf(kind, name))),
    start,
  );
  return { stream, notes, engine };
}

Deno.test("a plan is checked once and compiled once for its schema and its run together", async () => {
  const { stream, notes, engine } = noted("a", "b");
  await stream.schema();
  assertEquals(notes, ["check a", "check b"]);
  await stream.schema();
  await toTable(stream);
  assertEquals(notes, ["check a", "check b", "compile a", "compile b"]);
  await engine.close();
});

Deno.test("steps whose input the rewrites change are checked again, and nothing is compiled twice", async () => {
  const { stream, notes, engine } = noted("a", "b");
  await toTable(stream.pipeThrough(select("id")));
  const checks = ["check a", "check b"];
  assertEquals(notes, [...checks, ...checks, "compile a", "compile b"]);
  await engine.close();
});

Deno.test("a plan that fails its check compiles nothing, and fails again", async () => {
  const { stream, notes, engine } = noted("a", "wrong");
  for (let time = 0; time < 2; time++) {
    await assertRejects(() => stream.schema(), Error, "step 3, noted: This step is wrong");
  }
  await assertRejects(() => toTable(stream), Error, "This step is wrong");
  assertEquals(notes.filter((note) => note.startsWith("compile")), []);
  await engine.close();
});
