/** Random joins as tests: DuckDB and Polars judge the model, the model judges every variant. */

import { assert, assertEquals } from "@std/assert";
import type { JoinHow } from "../../gpu/join_kind.ts";
import { Draws, forSeeds } from "../support/random/seeded_random.ts";
import { inCourt } from "./assert_case.ts";
import { type CaseTable, encodeCase, type JoinStep } from "./fuzz_case.ts";
import { drawJoin, JOIN_DRAWS } from "./join_draws.ts";
import { firstRepeated, joinedPairs, keyValues } from "./join_model.ts";
import { pairsOfDuckDb, pairsOfPolars, repeatedOfDuckDb } from "./join_peers.ts";
import { judgeCase, UNSUITED } from "./judge_case.ts";
import { modelTable } from "./model_table.ts";
import type { VariantName } from "./variants.ts";
import type { RowPair } from "../support/models/join_pairs.ts";

/**
 * Runs random joins of the kinds on each of the variants. Every kind has to be drawn, and be judged
 * by Polars too, and besides them all that is `wanted`.
 */
export async function assertRandomJoins(
  rounds: number,
  hows: readonly JoinHow[],
  variants: readonly VariantName[],
  wanted: readonly string[] = JOIN_DRAWS,
): Promise<void> {
  const byHow = hows.flatMap((how) => [`kind ${how}`, `${how} by Polars`]);
  const draws = new Draws([...wanted, ...byHow]);
  await inCourt(async (court) => {
    await forSeeds(rounds, async (random) => {
      const { given, step, draws: drawn } = drawJoin(random, hows, variants);
      if (!draws.needs([...drawn, `${step.how} by Polars`])) return;
      try {
        if (await judgeModel(given.table, step)) draws.add(`${step.how} by Polars`);
        const failure = await judgeCase(given, court);
        if (failure === UNSUITED) throw new Error("Nobody can say what the case should give");
        if (failure !== undefined) throw new Error(failure.message);
      } catch (error) {
        throw new Error(`${(error as Error).message}\n${encodeCase(given)}`, { cause: error });
      }
      for (const draw of drawn) draws.add(draw);
    }, draws);
    if (variants.includes("host, 2 threads")) assert(court.engines.numProbed > 0);
  });
}

/** Checks the rows that the model gives against the peers; gives whether Polars was among them. */
async function judgeModel(table: CaseTable, step: JoinStep): Promise<boolean> {
  const [left, right] = [modelTable(table), modelTable(step.table)];
  const ours = joinedPairs(left, right, step);
  assertEquals(linesOf(ours), linesOf(await pairsOfDuckDb(table, step)), "DuckDB");
  if (step.how !== "cross") {
    for (const [side, { numRows }] of [["left", left], ["right", right]] as const) {
      const row = firstRepeated(keyValues(left, right, step, side), numRows, step);
      assertEquals(row ?? null, await repeatedOfDuckDb(table, step, side), `DuckDB, ${side} keys`);
    }
  }
  const theirs = await pairsOfPolars(table, step);
  if (theirs !== undefined) assertEquals(linesOf(ours), linesOf(theirs), "Polars");
  return theirs !== undefined;
}

/** A line for each row: a difference in one of many is told in a line. */
function linesOf(pairs: readonly RowPair[]): string[] {
  return pairs.map(([left, right]) => `${left} ${right}`);
}
