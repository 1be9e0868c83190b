import { assertEquals, assertRejects } from "@std/assert";
import { Int32, Table, tableFromArrays, vectorFromArray } from "apache-arrow";
import { writeNarrowPages, writePages } from "../../../examples/large_text.ts";
import { lateFlights } from "../../../examples/own_transform.ts";
import { StepError } from "../../../mod.ts";
import { checkoutPath, inFolder } from "../../support/sluice.ts";

Deno.test("examples/redact.ts writes initials of the public and nothing of the others", async () => {
  const people = `name,visibility
Ada Lovelace,public
Alan Turing,private
Grace Hopper,
Łukasz Żak,public
Plato,public
,public
`;
  await inFolder({ "people.csv": people }, async (cwd) => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "-A", checkoutPath("examples/redact.ts"), "people.csv", "redacted.csv"],
      cwd,
      env: { SLUICE_DEVICE: "cpu" },
    }).output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
    assertEquals(
      await Deno.readTextFile(`${cwd}/redacted.csv`),
      `name,visibility
L Ada,public
X X,private
X X,
Ż Łukasz,public
,public
,public
`,
    );
  });
});

Deno.test("examples/large_text.ts has 64-bit offsets where it wants them, and 32-bit ones elsewhere", async () => {
  const titles = ["A", "B", "C", "D"];
  const bodies = ["a".repeat(50), "b".repeat(30), "", "d".repeat(20)];
  const books = tableFromArrays({ title: titles, body: bodies });
  const expected = titles.map((title, index) => `${title}: ${bodies[index]!.repeat(20)}`);
  const lines: string[] = [];
  const pages = await writePages(books, (line) => lines.push(line));
  const narrow = await writeNarrowPages(books);
  assertEquals([pages, narrow].map(pagesOf), [expected, expected]);
  assertEquals(lines, ["page: 64-bit offsets in 1 of 1 batches, up to 2012 bytes"]);
  assertEquals(narrow.batches.map(({ numRows }) => numRows), [1, 1, 1, 1]);
  assertEquals(String(narrow.schema.fields[2]!.type), "Utf8");
  const tooLong = tableFromArrays({ title: ["A"], body: ["a".repeat(60)] });
  await assertRejects(() => writeNarrowPages(tooLong), StepError, "at byte 1203 in row 0");
});

function pagesOf(table: Table): unknown[] {
  return table.toArray().map((row) => row.page);
}

Deno.test("examples/own_transform.ts sees every batch", async () => {
  const delay = [61, 3, null, 99, 60, 120, -5, 70];
  const counts: number[] = [];
  const late = await lateFlights(
    new Table({ delay: vectorFromArray(delay, new Int32()) }),
    (numRows) => counts.push(numRows),
  );
  assertEquals(late.toArray().map((row) => row.delay), [61, 99, 120, 70]);
  assertEquals(counts, [2, 2]);
});
