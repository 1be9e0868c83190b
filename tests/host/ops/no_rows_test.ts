import { assertEquals } from "@std/assert";
import {
  Bool,
  Field,
  Int32,
  Int8,
  List,
  Schema,
  Struct,
  Table,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { createEngine, expr, filter, fromBatches, head, regroup, toTable } from "../../../mod.ts";

const engine = createEngine({ device: "cpu" });

Deno.test("Columns of no rows may come without buffers", async () => {
  const none = new Table({
    a: vectorFromArray([], new Int8()),
    b: vectorFromArray([], new Bool()),
  });
  const kept = await toTable(
    fromBatches(none, { engine }).pipeThrough(filter(expr("a > 1 || b"))).pipeThrough(
      regroup({ rows: 2 }),
    ),
  );
  assertEquals(kept.numRows, 0);
});

Deno.test("A result without rows has the children of nested columns", async () => {
  const item = new Field("item", new Utf8(), true);
  const schema = new Schema([
    new Field("list", new List(item), true),
    new Field("struct", new Struct([new Field("a", new Int32(), true), item]), true),
  ]);
  const table = await toTable(fromBatches([], { schema, engine }).pipeThrough(head(1)));
  assertEquals(table.numRows, 0);
  const [list, struct] = table.batches[0]!.data.children;
  assertEquals(list!.children.length, 1);
  assertEquals(struct!.children.length, 2);
});
