import { createEngine } from "../../mod.ts";
import { deviceTest } from "../support/adapter.ts";
import { checkAgainstPeers } from "../support/pipeline_peers.ts";

deviceTest(
  "on the device a pipeline gives the rows of DuckDB and of Polars, in order",
  async () => {
    const engine = createEngine({ device: "gpu" });
    await checkAgainstPeers(engine);
    await engine.close();
  },
);
