import { createEngine } from "../../../mod.ts";
import { checkAgainstPeers } from "../../support/pipeline_peers.ts";

Deno.test("a pipeline over 100,000 rows gives the rows of DuckDB and of Polars, in order", async () => {
  await checkAgainstPeers(createEngine({ device: "cpu" }));
});
