/**
 * Inner and left joins of ten million rows with build sides of ten thousand and a million rows. The result has the
 * key and a number of the probe side, and a number and a text of the build side.
 *
 * @module
 */

import { fromBatches, join } from "../mod.ts";
import { batchBytes } from "./support/columns.ts";
import type { Contest } from "./support/contest.ts";
import { openDevices } from "./support/devices.ts";
import { DuckDb } from "./support/duckdb.ts";
import { duckDbJoin, type JoinDigest, polarsJoin, sluiceJoin } from "./support/join_contenders.ts";
import { joinTables, type KeyKind, keyKinds } from "./support/join_tables.ts";
import { loadDataFrame, loadPolars } from "./support/polars.ts";
import { sampleRows } from "./support/sampled_text.ts";

/** The rows of the build sides, and our target as a multiple of the speed of the faster peer. */
const buildSides = [{ numRows: 10_000, factor: 2 }, { numRows: 1_000_000, factor: 1 }] as const;
const kinds = ["inner", "left"] as const;

/** Returns a maker of contests over shared tables for each kind of key and build side. */
export function joinContests(numRows: number): Record<string, () => Promise<Contest[]>> {
  const makers = keyKinds.flatMap((kind) =>
    buildSides.map((side) =>
      [`join/${kind}/${side.numRows}`, () => contestsOf(kind, numRows, side)] as const
    )
  );
  return Object.fromEntries(makers);
}

async function contestsOf(
  kind: KeyKind,
  numRows: number,
  side: (typeof buildSides)[number],
): Promise<Contest[]> {
  const { probe, build } = await joinTables(kind, numRows, side.numRows);
  const devices = await openDevices();
  const duckDb = await DuckDb.open();
  await duckDb.load("probe", probe);
  await duckDb.load("build", build);
  const polars = await loadPolars();
  const left = (await loadDataFrame(polars.pl, probe)).lazy();
  const right = (await loadDataFrame(polars.pl, build)).lazy();
  const sample = sampleRows(numRows);
  const digest: JoinDigest = { value: "value", number: "number", label: "label", sample };
  let numOpen = kinds.length;
  return kinds.map((how): Contest => ({
    name: `${how} join by ${kind}, ${side.numRows.toLocaleString("en")} keys`,
    numRows,
    // The input and the output, which has the payload about once more.
    numBytes: 2 * batchBytes(probe) + batchBytes(build) + numRows * 24,
    contenders: [
      ...devices.map((device) =>
        sluiceJoin(
          device,
          probe,
          (stream) =>
            stream.pipeThrough(
              join(fromBatches([...build], { engine: device.engine }), { on: "key", how }),
            ),
          digest,
        )
      ),
      duckDbJoin(duckDb, `select * from probe ${how} join build using (key)`, digest),
      polarsJoin(polars, left.join(right, { on: "key", how }), digest),
    ],
    targets: [{ against: "the faster peer", factor: side.factor }],
    async close() {
      if (--numOpen > 0) return;
      for (const { engine } of devices) await engine.close();
      duckDb.close();
    },
  }));
}
