import { assertEquals, assertRejects } from "@std/assert";
import { Int32, Table, tableFromArrays, vectorFromArray } from "apache-arrow";
import { writeNarrowPages, writePages } from "../../../examples/large_text.ts";
import { lateFlights } from "../../../examples/own_transform.ts";
import { sampleRows } from "../../../examples/sample_rows.ts";
import { fromBatches, read, regroup, StepError, toTable, write } from "../../../mod.ts";
import { SeededRandom } from "../../support/random/seeded_random.ts";
import { checkoutPath, inFolder } from "../../support/processes/sluice.ts";

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

Deno.test("examples/sample_rows.ts takes each row as often as any other, and none twice", () =>
  inFolder(async (folder) => {
    const [input, output] = [`${folder}/ten.arrow`, `${folder}/some.arrow`];
    const ten = tableFromArrays({ id: Int32Array.from({ length: 10 }, (_, row) => row) });
    await fromBatches(ten).pipeThrough(regroup({ rows: 4 })).pipeTo(write(input));
    const idsOf = async () => (await toTable(read(output))).toArray().map(({ id }) => id as number);
    const counts = new Array(10).fill(0);
    const random = new SeededRandom(13);
    for (let round = 0; round < 60; round++) {
      await sampleRows(input, 3, output, () => random.next());
      const ids = await idsOf();
      assertEquals(ids, [...new Set(ids)].sort());
      assertEquals(ids.length, 3);
      for (const id of ids) counts[id]++;
    }
    // Each is expected 18 times.
    assertEquals(counts.every((count) => count > 8 && count < 28), true, String(counts));
    await sampleRows(input, 100, output);
    assertEquals(await idsOf(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await Deno.writeTextFile(`${folder}/a.csv`, "id\n1\n");
    const sample = () => sampleRows(`${folder}/a.csv`, 1, output);
    await assertRejects(sample, TypeError, "a.csv does not say how many rows it has");
  }));
