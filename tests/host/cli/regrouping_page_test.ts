/** The commands and the programs of docs/regrouping.md run, and answer what it says. */

import { tableFromArrays } from "apache-arrow";
import { fromBatches, regroup, write } from "../../../mod.ts";
import { testPage } from "../../support/pages/page_examples.ts";

testPage("docs/regrouping.md", async (folder, test) => {
  const id = Int32Array.from({ length: 1500 }, (_, row) => row);
  const origin = Array.from(id, (row) => ["LAX", "SFO", "JFK"][Math.floor(row / 500)]!);
  await fromBatches(tableFromArrays({ id, origin })).pipeThrough(regroup({ rows: 100 }))
    .pipeTo(write(`${folder}/flights.parquet`));
  await test();
});
