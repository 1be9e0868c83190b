/** Random pipelines whose reader leaves them in the middle. */

import { assertEquals } from "@std/assert";
import type { Engine } from "../../mod.ts";
import { TooLarge } from "../support/models/expr_model_types.ts";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import type { FuzzCase } from "./fuzz_case.ts";
import { randomCase } from "./random_case.ts";
import { inFolder } from "../support/files/folder.ts";
import { CaseRun } from "./run_case.ts";
import { modelCase } from "./step_model.ts";
import { WrittenFiles } from "./written_files.ts";

/** Draws a pipeline, reads a few batches of it on the engine, leaves, and wants all memory back. */
export async function leaveRandomCase(
  random: SeededRandom,
  engine: Engine,
  inUse: () => number | Promise<number>,
): Promise<void> {
  const given = randomCase(random, { deviceShare: 1 });
  if (!runsToEnd(given)) return;
  await using servers = new AsyncDisposableStack();
  await inFolder(async (folder) => {
    const files = new WrittenFiles(given, `${folder}/written`);
    const stream = await new CaseRun(given, folder).stream(engine, { servers, files });
    const reader = stream.getReader();
    for (let left = random.below(4); left > 0; left--) await reader.read();
    await reader.cancel();
    assertEquals(await files.abort("left"), undefined);
  });
  // Steps before a foreign stream learn of it later.
  for (let waits = 0; waits < 500 && await inUse() > 0; waits++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assertEquals(await inUse(), 0, JSON.stringify(given.steps.map((step) => step.do)));
}

/** Whether the case gives rows. A file in between would run what lies before it. */
function runsToEnd(given: FuzzCase): boolean {
  if (given.steps.some((step) => step.do === "file")) return false;
  try {
    return !("error" in modelCase(given));
  } catch (error) {
    if (error instanceof TooLarge) return false;
    throw error;
  }
}
