/** @module */

import { inFolder } from "../support/streams_samples.ts";
import type { FuzzCase } from "./fuzz_case.ts";
import { judgeCase, UNSUITED } from "./judge_case.ts";
import { Engines } from "./variants.ts";

/** Checks that a case gives what the model says on all of its variants. */
export async function assertCase(given: FuzzCase): Promise<void> {
  const engines = new Engines();
  try {
    await inFolder(async (folder) => {
      const failure = await judgeCase(given, { engines, folder });
      if (failure === UNSUITED) throw new Error("Nobody can say what the case should give");
      if (failure !== undefined) throw new Error(failure.message);
    });
  } finally {
    await engines.close();
  }
}
