import { assertEquals } from "@std/assert";
import { Int32, Table, vectorFromArray } from "apache-arrow";
import { lateFlights } from "../../../examples/own_transform.ts";
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
