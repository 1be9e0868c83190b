/**
 * Capital letters: 64 MB of short names.
 *
 * @module
 */

import { col, select, withColumns } from "../mod.ts";
import { onDevice } from "./support/batch_contenders.ts";
import type { Contest } from "./support/contest.ts";
import { openDevices } from "./support/devices.ts";
import { DuckDb } from "./support/duckdb.ts";
import { textBatches, textBytes, words } from "./support/names.ts";
import { duckDbContender, polarsContender } from "./support/peer_contenders.ts";
import { loadDataFrame, loadPolars } from "./support/polars.ts";

/** Rows whose names are 64 MB together: 13 bytes each, on average. */
const NUM_ROWS = 4_925_000;

/** The contest. */
export async function upperContest(): Promise<Contest> {
  const first = words(500, 1);
  const last = words(500, 2);
  const batches = textBatches(NUM_ROWS, {
    name: (random) => `${first[random() % 500]} ${last[random() % 500]}`,
  });
  const devices = await openDevices();
  const duckDb = await DuckDb.open();
  await duckDb.load("input", batches);
  const polars = await loadPolars();
  const frame = await loadDataFrame(polars.pl, batches);
  const ours = devices.map((device) =>
    onDevice(
      device,
      batches,
      "upper",
      (stream) =>
        stream.pipeThrough(withColumns({ upper: col("name").upper() }))
          .pipeThrough(select("upper")),
    )
  );
  return {
    name: "upper, 64 MB of short names",
    numRows: NUM_ROWS,
    numBytes: 2 * textBytes(batches, "name"),
    contenders: [
      ...ours,
      duckDbContender(duckDb, "upper(name)"),
      polarsContender(polars, frame, polars.pl.col("name").str.toUpperCase()),
    ],
    targets: [{ against: "the faster peer", factor: 4 }],
    async close() {
      for (const { engine } of devices) await engine.close();
      duckDb.close();
    },
  };
}
