/** @module */

import { forSeeds } from "../support/seeded_random.ts";
import { inFolder } from "../support/streams_samples.ts";
import { encodeCase, type FuzzCase } from "./fuzz_case.ts";
import { type Court, judgeCase, UNSUITED } from "./judge_case.ts";
import { randomCase } from "./random_case.ts";
import { Engines, type VariantName } from "./variants.ts";

/** Checks that a case gives what the model says on all of its variants. */
export async function assertCase(given: FuzzCase): Promise<void> {
  await inCourt(async (court) => {
    const failure = await judgeCase(given, court);
    if (failure === UNSUITED) throw new Error("Nobody can say what the case should give");
    if (failure !== undefined) throw new Error(failure.message);
  });
}

/** Checks random cases on some variants. */
export async function assertRandomCases(
  rounds: number,
  variants: readonly VariantName[],
  deviceShare: number,
): Promise<void> {
  await inCourt((court) =>
    forSeeds(rounds, async (random) => {
      const given = { ...randomCase(random, { deviceShare }), variants };
      const failure = await judgeCase(given, court);
      if (failure === UNSUITED || failure === undefined) return;
      throw new Error(`${failure.message}\n${encodeCase(given)}`);
    })
  );
}

async function inCourt(use: (court: Court) => Promise<void>): Promise<void> {
  const engines = new Engines();
  try {
    await inFolder((folder) => use({ engines, folder }));
  } finally {
    await engines.close();
  }
}
