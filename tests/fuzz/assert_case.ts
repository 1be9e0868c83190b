/** Cases as tests: of seeds, and of the files of tests/corpus. */

import { fileURLToPath } from "node:url";
import { decodeCase, encodeCase, type FuzzCase } from "./fuzz_case.ts";
import { forSeeds } from "../support/random/seeded_random.ts";
import { inFolder } from "../support/values/streams_samples.ts";
import { type Court, judgeCase, UNSUITED } from "./judge_case.ts";
import { randomCase } from "./random_case.ts";
import { Engines, type VariantName } from "./variants.ts";
import { closing } from "../support/running/closing.ts";

const FOLDER = new URL("../corpus/", import.meta.url);

/** Paths of all files, from the root of the checkout. */
export function corpusFiles(): string[] {
  return [...Deno.readDirSync(FOLDER)].map(({ name }) => name)
    .filter((name) => name.endsWith(".json")).sort()
    .map((name) => `tests/corpus/${name}`);
}

/** The case of a file. */
export function readCase(path: string): FuzzCase {
  return decodeCase(Deno.readTextFileSync(path));
}

/** Keeps a case under a name that its kind and its content give; gives the path. */
export async function keepCase(given: FuzzCase, kind: string): Promise<string> {
  const json = encodeCase(given);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(json));
  const slug = kind.toLowerCase().replace(/\(.*/, "").replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const name = `${slug}-${new Uint8Array(digest).toHex().slice(0, 8)}.json`;
  Deno.mkdirSync(FOLDER, { recursive: true });
  await Deno.writeTextFile(fileURLToPath(new URL(name, FOLDER)), json);
  return `tests/corpus/${name}`;
}

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
  options: Parameters<typeof randomCase>[1],
): Promise<void> {
  await inCourt((court) =>
    forSeeds(rounds, async (random) => {
      const given = { ...randomCase(random, options), variants };
      const failure = await judgeCase(given, court);
      if (failure === UNSUITED || failure === undefined) return;
      throw new Error(`${failure.message}\n${encodeCase(given)}`);
    })
  );
}

/** Gives a court for as long as it is used. */
export async function inCourt(use: (court: Court) => Promise<void>): Promise<void> {
  await using engines = closing(new Engines());
  await inFolder((folder) => use({ engines, folder }));
}
