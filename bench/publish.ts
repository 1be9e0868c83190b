/**
 * `deno task bench publish`: measures what docs/speed.md shows, in less than 25 minutes on two cores
 * that are quiet, and writes `docs/bench/` (the results as JSON, charts, tables) and the marked parts of
 * docs/speed.md. With names, it measures only those; the rest is what the same code measured before.
 *
 * @module
 */

import { checkoutPath } from "../tests/support/processes/sluice.ts";
import { speedParts } from "./charts/speed_parts.ts";
import { report } from "./report.ts";
import { replaceParts } from "./support/marked_parts.ts";

/** What is measured; where time is short, what comes last is left out. */
const NAMES = [
  ...["strings/real", "strings/new", "strings/ascii", "strings/nulls", "strings/documents"],
  ...["strings/handed-on"],
  ...["processes", "flights", "stages", "redact", "growth", "join/int32", "strings/rows"],
  ...["regroup", "slices/arrow", "slices/parquet", "sizes", "memory"],
];

const ROUNDS = 2;
/** Nothing begins later. */
const LIMIT_MINUTES = 22;

/** How much is measured; for a try, fewer rows and minutes. */
interface PublishOptions {
  /** Default: all. */
  readonly names: readonly string[];
  readonly numRounds: number | undefined;
  readonly numRows: number | undefined;
  readonly numMinutes: number | undefined;
}

/** Measures and writes; gives what failed, and what there was no time for. */
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
