/**
 * `deno task bench publish`: measures the numbers of docs/speed.md, in less than 25 minutes on two quiet cores, and
 * writes `docs/bench/` (the results as JSON, charts, tables) and the marked parts of docs/speed.md. With names, it
 * measures only those, and keeps earlier results of the same code.
 *
 * @module
 */

import { checkoutPath } from "../tests/support/processes/sluice.ts";
import { speedParts } from "./charts/speed_parts.ts";
import { report } from "./report.ts";
import { replaceParts } from "./support/marked_parts.ts";

/** The names to measure; if time is short, the last ones are left out. */
const NAMES = [
  ...["strings/real", "strings/new", "strings/ascii", "strings/nulls", "strings/documents"],
  ...["strings/handed-on"],
  ...["processes", "flights", "stages", "redact", "growth", "join/int32", "strings/rows"],
  ...["regroup", "slices/arrow", "slices/parquet", "sizes", "memory"],
];

const ROUNDS = 2;
/** The time after which nothing new begins. */
const LIMIT_MINUTES = 22;

/** The amount to measure; a trial uses fewer rows and minutes. */
interface PublishOptions {
  /** Default: all. */
  readonly names: readonly string[];
  readonly numRounds: number | undefined;
  readonly numRows: number | undefined;
  readonly numMinutes: number | undefined;
}

/** Measures and writes. Returns the failures, and the names for which there was no time. */
export async function publish(
  { names, numRounds = ROUNDS, numRows, numMinutes = LIMIT_MINUTES }: PublishOptions,
): Promise<readonly string[]> {
  const { results, failures } = await report({
    names: names.length === 0 ? NAMES : names,
    numRounds,
    numRows,
    folder: checkoutPath("docs/bench"),
    limitMs: 60_000 * numMinutes,
  });
  const path = checkoutPath("docs/speed.md");
  const page = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, replaceParts(page, speedParts(results)));
  const { success } = await new Deno.Command(Deno.execPath(), { args: ["fmt", "-q", path] })
    .output();
  return success ? failures : [...failures, "docs/speed.md cannot be formatted"];
}
