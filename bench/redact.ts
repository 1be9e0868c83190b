/**
 * Redaction of names: the first letter of the last name and the first name where the person is
 * public, else "X X". The example that GPU string libraries are shown with.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { redactByHand } from "./redact_by_hand.ts";
import { byHand, onDevice } from "./support/batch_contenders.ts";
import type { Contest } from "./support/contest.ts";
import { openDevices } from "./support/devices.ts";
import { DuckDb } from "./support/duckdb.ts";
import { textBatches, textBytes, words } from "./support/names.ts";
import { duckDbContender, polarsContender } from "./support/peer_contenders.ts";
import { loadDataFrame, loadPolars } from "./support/polars.ts";
import { expr, select, withColumns } from "../mod.ts";

const REDACTED = 'visibility == "public" ' +
  '? name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0) : "X X"';

// Of the ways to write it, the fastest of four: `split_part` takes longer.
const REDACTED_SQL = `case when visibility = 'public'
  then case when contains(name, ' ')
    then substr(name, instr(name, ' ') + 1, 1) || ' ' || substr(name, 1, instr(name, ' ') - 1) end
  else 'X X' end`;

/** The fastest of three ways: two regular expressions, or one replacement, take longer. */
// deno-lint-ignore no-explicit-any
function redactedPolars(pl: any): any {
  const parts = pl.col("name").str.split(" ");
  // Unlike `concatString`, a sum with null is null.
  const redacted = parts.lst.get(1).str.slice(0, 1).plus(pl.lit(" ")).plus(parts.lst.get(0));
  const isPublic = pl.col("visibility").eq(pl.lit("public"));
  return pl.when(isPublic).then(redacted).otherwise(pl.lit("X X"));
}

/** The contest over a number of rows. */
export async function redactContest(numRows: number): Promise<Contest> {
  const first = words(500, 1);
  const last = words(500, 2);
  const batches = textBatches(numRows, {
    // One name in a thousand has no blank, and so no last name: null.
    name: (random) => {
      const blank = random() % 1000 === 0 ? "" : " ";
      return `${first[random() % 500]}${blank}${last[random() % 500]}`;
    },
    visibility: (random) => random() % 2 === 0 ? "public" : "private",
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
      "redacted",
      (stream) =>
        stream.pipeThrough(withColumns({ redacted: expr(REDACTED) }))
          .pipeThrough(select("redacted")),
    )
  );
  const limit = byHand(batches, "redacted", redactByHand);
  return {
    name: `redact, ${numRows.toLocaleString("en")} rows`,
    numRows,
    numBytes: bytesIn(batches) + bytesIn(batches.map(redactByHand)),
    contenders: [
      ...ours,
      limit,
      duckDbContender(duckDb, REDACTED_SQL),
      polarsContender(polars, frame, redactedPolars(polars.pl)),
    ],
    targets: [
      { against: "the faster peer", factor: 2 },
      { against: limit.name, factor: 1 / 1.5 },
    ],
    async close() {
      for (const { engine } of devices) await engine.close();
      duckDb.close();
    },
  };
}

function bytesIn(batches: readonly RecordBatch[]): number {
  const names = batches[0]!.schema.fields.map(({ name }) => name);
  return names.reduce((sum, name) => sum + textBytes(batches, name), 0);
}
