/** The commands and the programs of docs/slicing.md run, and answer what it says. */

import { assert, assertEquals } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { fromBatches, regroup, write } from "../../../mod.ts";
import { testPage } from "../../support/pages/page_examples.ts";
import { RangeServer } from "../../support/files/range_server.ts";
import { checkoutPath } from "../../support/processes/sluice.ts";

// Beside the files that the page names runs a server that has them too.
testPage("docs/slicing.md", async (folder, test) => {
  await Deno.writeTextFile(`${folder}/log.csv`, "time,level\n" + "12:00,info\n".repeat(200));
  const id = Int32Array.from({ length: 1500 }, (_, row) => row);
  const origin = Array.from(id, (row) => ["LAX", "SFO", "JFK"][row % 3]!);
  const delay = id.map((row) => row % 100);
  const flights = tableFromArrays({ id, origin, delay });
  for (const name of ["flights.arrow", "flights.parquet"]) {
    await fromBatches(flights).pipeThrough(regroup({ rows: 100 }))
      .pipeTo(write(`${folder}/${name}`));
  }
  await using server = new RangeServer({
    "flights.arrow": await Deno.readFile(`${folder}/flights.arrow`),
    "flights.parquet": await Deno.readFile(`${folder}/flights.parquet`),
  });
  await test(server.url("").replace(/\/$/, ""));
});

const page = await Deno.readTextFile(checkoutPath("docs/slicing.md"));

Deno.test("the table of docs/slicing.md is what Python's rules give", () => {
  const [, positions] = /^## Positions$([^]*?)^## /m.exec(page)!;
  const rows = [...positions!.matchAll(/^\| (`[^|]*`) +\| ([^|]*?) +\|$/gm)];
  assert(rows.length > 8);
  for (const [, slices, given] of rows) {
    for (const [, slice] of slices!.matchAll(/`([^`]*)`/g)) {
      assertEquals([slice, pythonRows(slice!)], [slice, given === "none" ? "" : given]);
    }
  }
});

/** The rows that a slice takes of ten, by the definition of Python's slices. */
function pythonRows(slice: string): string {
  const [start, stop, step = 1] = slice.split(":").map((text) => text === "" ? undefined : +text);
  const [least, most] = step > 0 ? [0, 10] : [-1, 9];
  const adjusted = (bound: number) => Math.min(most, Math.max(least, bound + (bound < 0 ? 10 : 0)));
  const from = start === undefined ? (step > 0 ? least : most) : adjusted(start);
  const to = stop === undefined ? (step > 0 ? most : least) : adjusted(stop);
  const rows: number[] = [];
  for (let row = from; step > 0 ? row < to : row > to; row += step) rows.push(row);
  return rows.join(", ");
}
