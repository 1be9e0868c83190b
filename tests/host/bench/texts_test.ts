import { type RecordBatch, tableFromArrays, Utf8, vectorFromArray } from "apache-arrow";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { digestText } from "../../../bench/support/digest_text.ts";
import { unseen } from "../../../bench/support/names.ts";
import { openTexts, type TextKindName } from "../../../bench/support/texts.ts";

const NUM_ROWS = 100_000;

/** A column as values of JavaScript. */
function valuesOf(batches: readonly RecordBatch[], column: string): (string | null)[] {
  return batches.flatMap((batch) => [...batch.getChild(column)!]);
}

const open = (kind: TextKindName) => openTexts(kind, NUM_ROWS);
const names = async (kind: TextKindName) => valuesOf(await open(kind), "name");
// deno-lint-ignore no-control-regex
const isAscii = (text: string | null) => /^[\x00-\x7f]*$/.test(text ?? "");

Deno.test("ASCII names are ASCII, and of real names a fifth is not", async () => {
  assert((await names("ascii")).every((name) => name !== null && isAscii(name)));
  const real = await names("real");
  assert(real.every((name) => name !== null && name.length > 0));
  const share = real.filter((name) => !isAscii(name)).length / NUM_ROWS;
  assert(share > 0.18 && share < 0.21, `${share} of the rows`);
});

Deno.test("a tenth of the names is null, and also with blanks around", async () => {
  const batches = await open("nulls");
  for (const column of ["name", "spaced"]) {
    const share = valuesOf(batches, column).filter((text) => text === null).length / NUM_ROWS;
    assert(share > 0.095 && share < 0.105, `${share} of ${column}`);
  }
});

Deno.test("documents of every size have about as many bytes together", async () => {
  const sizes = (await names("documents")).map((text) => new TextEncoder().encode(text!).length);
  assert(Math.min(...sizes) >= 20 && Math.max(...sizes) < 110_000);
  const total = sizes.reduce((sum, size) => sum + size);
  for (const least of [20, 200, 2000]) {
    const sum = sizes.filter((size) => size >= least && size < 10 * least)
      .reduce((sum, size) => sum + size, 0);
    // A decade out of 3.7.
    assert(sum / total > 0.2 && sum / total < 0.35, `${sum / total} of the bytes from ${least}`);
  }
});

Deno.test("spaced text has blanks around, at most three on either side", async () => {
  const spaced = valuesOf(await open("real"), "spaced") as string[];
  const blanks = new Set(spaced.map((text) => /^ */.exec(text)![0].length));
  assertEquals([...blanks].sort(), [0, 1, 2, 3]);
});

Deno.test("batches that were not seen before have the same rows and nulls", async () => {
  const batches = await open("nulls");
  assertEquals(valuesOf(unseen(batches), "name"), valuesOf(batches, "name"));
  assert(unseen(batches)[0]!.data.children[0] !== batches[0]!.data.children[0]);
});

Deno.test("a digest knows rows, their order, and nulls, whatever the batches and types", () => {
  const digest = (...columns: readonly (readonly (string | null)[])[]) =>
    digestText(
      columns.flatMap((values) =>
        tableFromArrays({ text: vectorFromArray(values, new Utf8()) as never }).batches
      ),
      "text",
    );
  const same = digest(["a", "bc", null, "é"]);
  assertEquals(digest(["a", "bc"], [null, "é"]), same);
  for (
    const other of [["bc", "a", null, "é"], ["ab", "c", null, "é"], ["a", "bc", "", "é"], ["a"]]
  ) {
    assertNotEquals(digest(other), same);
  }
  const numbers = tableFromArrays({ text: Int32Array.of(1, 23) }).batches;
  assertEquals(digestText(numbers, "text"), digest(["1", "23"]));
  assertEquals(
    digestText(numbers, "text", (row) => row === 0).split(",")[2],
    digest(["1"]).split(",")[2],
  );
});
