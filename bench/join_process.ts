/**
 * Whole processes, from spawn to exit: ten million rows of a Parquet file meet a million rows of
 * another one and go to a file: Arrow, for DuckDB Parquet, which is what it writes.
 *
 * @module
 */

import { createEngine, fromBatches, read, write } from "../mod.ts";
import { checkoutPath } from "../tests/support/sluice.ts";
import type { Contender, Contest } from "./support/contest.ts";
import { digestJoin, type JoinDigest } from "./support/join_contenders.ts";
import { joinTables } from "./support/join_tables.ts";
import { sampleRows } from "./support/sampled_text.ts";

const NUM_BUILD_ROWS = 1_000_000;

/** The contest. */
export async function joinProcessContest(numRows: number): Promise<Contest> {
  const folder = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  const [probeFile, buildFile] = [`${folder}/probe.parquet`, `${folder}/build.parquet`];
  const { probe, build } = await joinTables("int32", numRows, NUM_BUILD_ROWS);
  await fromBatches([...probe]).pipeTo(write(probeFile, { compression: "none" }));
  await fromBatches([...build]).pipeTo(write(buildFile, { compression: "none" }));
  const digest: JoinDigest = {
    value: "value",
    number: "number",
    label: "label",
    sample: sampleRows(numRows),
  };
  const peers = ["duckdb", "polars"] as const;
  const files = { duckdb: `${folder}/duckdb.parquet`, polars: `${folder}/polars.arrow` };
  const output = `${folder}/ours.arrow`;
  const ours = ["-P=sluice", checkoutPath("cli.ts"), "--device", "cpu", "--quiet"];
  const verbs = ["read", probeFile, "then", "join", buildFile, "--on", "key", "then", "write"];
  return {
    name: `process: inner join of Parquet to a file, ${NUM_BUILD_ROWS.toLocaleString("en")} keys`,
    numRows,
    get numBytes() {
      return [probeFile, buildFile, output].reduce(
        (sum, path) => sum + Deno.statSync(path).size,
        0,
      );
    },
    contenders: [
      process("Sluice", "ours", [...ours, ...verbs, output], output, digest),
      ...peers.map((peer) =>
        process(
          peer === "duckdb" ? "DuckDB" : "Polars",
          "peer",
          [
            ...["-A", "--no-check", `--lock=${checkoutPath("deno.dev.lock")}`, "--frozen"],
            ...[checkoutPath("bench/join_process_job.ts"), peer, probeFile, buildFile],
            files[peer],
          ],
          files[peer],
          digest,
        )
      ),
    ],
    targets: [{ against: "the faster peer", factor: 1 }],
    close: () => Deno.remove(folder, { recursive: true }),
  };
}

/** A process of Deno, which writes a file. */
function process(
  name: string,
  role: "ours" | "peer",
  args: readonly string[],
  output: string,
  columns: JoinDigest,
): Contender {
  return {
    name,
    role,
    device: "host",
    // A file in the place of an old one would be measured with the removal of the old one.
    async prepare() {
      await Deno.remove(output).catch(() => {});
    },
    async run() {
      const { success } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-q", ...args],
        cwd: checkoutPath("."),
        stderr: "inherit",
      }).output();
      if (!success) throw new Error(`${name} failed`);
    },
    digest: () => digestJoin(read(output, { engine: createEngine({ device: "cpu" }) }), columns),
  };
}
