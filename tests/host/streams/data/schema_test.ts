import { assertEquals } from "@std/assert";
import { type DataType, Field, Int32, Int64, List, Struct, Utf8 } from "apache-arrow";
import { sameType } from "../../../../streams/data/schema.ts";

const field = (name: string, type: DataType, nullable = true) => new Field(name, type, nullable);
const struct = (...fields: Field[]) => new Struct(fields);

/** Nested types that differ from each other in a child alone. */
const NESTED: Readonly<Record<string, DataType>> = {
  list: new List(field("item", new Int32())),
  "list of another type": new List(field("item", new Int64())),
  "list of lists": new List(field("item", new List(field("item", new Int32())))),
  struct: struct(field("a", new Int32()), field("b", new Utf8())),
  "struct of another type": struct(field("a", new Int32()), field("b", new Int32())),
  "struct of another name": struct(field("a", new Int32()), field("c", new Utf8())),
  "struct of another order": struct(field("b", new Utf8()), field("a", new Int32())),
  "struct of one": struct(field("a", new Int32())),
  "struct of three": struct(
    field("a", new Int32()),
    field("b", new Utf8()),
    field("c", new Utf8()),
  ),
  "struct of none": struct(),
};

Deno.test("nested types are the same only where all their children are", () => {
  for (const [one, left] of Object.entries(NESTED)) {
    for (const [other, right] of Object.entries(NESTED)) {
      assertEquals(sameType(left, right), one === other, `${one} and ${other}`);
    }
  }
  // Whether a child may be null does not count.
  assertEquals(sameType(new List(field("item", new Int32(), false)), NESTED["list"]!), true);
});
