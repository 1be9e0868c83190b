/**
 * Runs random cases one after the other, or one of a file, and says what it does line by line: the
 * fuzzer watches it, so that a case that hangs or brings the process down ends nothing else.
 *
 *     child.ts run SEED FIRST DEVICE_SHARE SECONDS
 *     child.ts show SEED INDEX DEVICE_SHARE
 *     child.ts replay FILE
 */

import { quietDrivers } from "../../scripts/quiet_drivers.ts";
import "../support/failed_parts.ts";
import { SeededRandom } from "../support/random/seeded_random.ts";
import { readCase } from "./assert_case.ts";
import { encodeCase, type FuzzCase } from "./fuzz_case.ts";
import type { Failure } from "./difference.ts";
import { type Court, judgeCase, UNSUITED } from "./judge_case.ts";
import { randomCase } from "./random_case.ts";
import { shrink } from "./shrink.ts";
import { Tally } from "./tally.ts";
import { Engines, needsAdapter, VARIANT_NAMES } from "./variants.ts";
import { peersHere } from "./zarr_files.ts";

/** A message of the child process. */
export type Message =
  /** The number of the case that it starts. */
  | { readonly at: number }
  /** A case that failed, as it is and shrunk. */
  | { readonly found: Failure; readonly json: string; readonly seconds: number }
  | { readonly shown: string }
  /** The end: what was drawn. */
  | {
    readonly drawn: readonly (readonly [string, number])[];
    readonly passed: number;
    readonly unsuited: number;
  };

/** Failures of one kind that are shrunk; more of them are the same again. */
const MOST_OF_A_KIND = 2;

function say(message: Message): void {
  console.log(JSON.stringify(message));
}

/** Who writes and reads arrays here. */
const peers = peersHere();

/** The case of a number. */
function caseOf(seed: number, index: number, deviceShare: number): FuzzCase {
  const random = new SeededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  return randomCase(random, { deviceShare, operation: index, peers });
}

/** As `judgeCase`; what it throws is a failure of the fuzzer itself. */
async function judged(
  given: FuzzCase,
  court: Court,
): Promise<Failure | undefined | typeof UNSUITED> {
  try {
    return await judgeCase(given, court);
  } catch (error) {
    const { name, message, stack } = error as Error;
    return {
      kind: `fuzzer ${name}`,
      message: `the fuzzer: ${message} ${stack?.split("\n")[1] ?? ""}`,
    };
  }
}

async function kindOf(given: FuzzCase, court: Court): Promise<string | undefined> {
  const failure = await judged(given, court);
  return failure === UNSUITED ? undefined : failure?.kind;
}

async function run(court: Court, [seed, first, deviceShare, seconds]: number[]): Promise<void> {
  const tally = new Tally();
  const found = new Map<string, number>();
  const end = performance.now() + seconds! * 1000;
  let [passed, unsuited] = [0, 0];
  for (let index = first!; performance.now() < end; index++) {
    const given = caseOf(seed!, index, deviceShare!);
    say({ at: index });
    const note = (outcome: string) => tally.add(`outcome ${outcome}`);
    const failure = await judged(given, { ...court, note });
    if (failure === UNSUITED) {
      unsuited++;
      continue;
    }
    tally.addCase(given);
    if (failure === undefined) {
      passed++;
      continue;
    }
    const count = (found.get(failure.kind) ?? 0) + 1;
    found.set(failure.kind, count);
    if (count > MOST_OF_A_KIND) continue;
    const small = await shrink(given, (next) => kindOf(next, court), beat);
    const last = await judged(small, court);
    const told = last === UNSUITED || last === undefined ? failure : last;
    const json = encodeCase({ ...small, about: told.message.slice(0, 500) });
    say({ found: told, json, seconds: (performance.now() - end) / 1000 + seconds! });
  }
  tally.add("outcome parts computed by workers", court.engines.numParts);
  tally.add("outcome batches probed by workers", court.engines.numProbed);
  say({ drawn: tally.counts, passed, unsuited });
}

/** Says that it is still there. */
function beat(): void {
  say({ at: -1 });
}

/** Runs a case on all variants. */
async function replay(court: Court, path: string): Promise<void> {
  const hasAdapter = await navigator.gpu?.requestAdapter() != null;
  const variants = VARIANT_NAMES.filter((name) => hasAdapter || !needsAdapter(name));
  const given = { ...readCase(path), variants };
  const failure = await judged(given, court);
  if (failure !== undefined && failure !== UNSUITED) {
    say({ found: failure, json: encodeCase(given), seconds: 0 });
  }
  say({ drawn: [], passed: failure === undefined ? 1 : 0, unsuited: 0 });
}

if (import.meta.main) {
  quietDrivers();
  const [verb, ...args] = Deno.args;
  const court = { engines: new Engines(), folder: await Deno.makeTempDir({ prefix: "fuzz_" }) };
  try {
    if (verb === "run") await run(court, args.map(Number));
    else if (verb === "replay") await replay(court, args[0]!);
    else {
      const [seed, index, deviceShare] = args.map(Number);
      say({ shown: encodeCase(caseOf(seed!, index!, deviceShare!)) });
    }
  } finally {
    await Deno.remove(court.folder, { recursive: true });
    await court.engines.close();
  }
  Deno.exit(0);
}
