/**
 * `deno task mutate`: plants faults in a copy of the last commit, one at a time, and counts those that the
 * tests find. A fault changes an operator, a bound or a constant, drops a statement, or swaps two arguments.
 * The tests find it if a test file fails that passes without it. Tests that time out are counted
 * separately. The tests that are nearest by imports and names run first.
 *
 * Options: `--count N` faults (200), `--seed S` (any), `--under PATHS` separated by commas
 * (gpu,ops,streams), `--seconds N` of processor time for the tests of one fault (600), `--fuzz-minutes N` for
 * faults that no test finds (0), `--jobs N` (1), `--out FILE`, from which an interrupted run resumes,
 * `--known FILE`: the file of an earlier run, whose passing tests are assumed to pass still, and
 * `--again FILE`: only the survivors in that file, in the present commit.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { prepareAdapter } from "./adapter.ts";
import { Copy, git } from "./mutate/copy.ts";
import { describeFault, drawFaults, type Fault, plantedText } from "./mutate/fault.ts";
import { judge } from "./mutate/judge.ts";
import { findImporters } from "./mutate/nearest_tests.ts";
import {
  type MutationRecord,
  type Planted,
  readRecord,
  summaryOf,
  writeRecord,
} from "./mutate/record.ts";
import { typescriptFaults } from "./mutate/typescript_faults.ts";
import { wgslFaults } from "./mutate/wgsl_faults.ts";
import { checkoutPath } from "../tests/support/processes/sluice.ts";
import { SeededRandom } from "../tests/support/random/seeded_random.ts";

const checkout = checkoutPath(".").replace(/\/$/, "");
const options = optionsOf(Deno.args);
const out = options.out ?? `${checkout}/.cache/mutate-${options.seed}.json`;
await Deno.mkdir(`${checkout}/.cache`, { recursive: true });
const record = await readRecord(out) ?? await newRecord();
console.log(
  `Seed ${record.seed}, ${record.faults.length} faults in ${record.under.join(", ")}; ${out}`,
);
const adapter = await prepareAdapter();
if (adapter.name === undefined) console.log("No WebGPU adapter: no fault of the device is seen");

const waiting = record.faults.filter(({ outcome }) => outcome === "waiting");
const work = async (job: number) => {
  const name = `sluice-mutate-${record.commit.slice(0, 8)}-${record.seed}-${job}`;
  await using copy = await Copy.make(checkout, record.commit, name);
  const importers = findImporters(copy.root);
  for (let planted = waiting.shift(); planted !== undefined; planted = waiting.shift()) {
    await plant(planted, copy, importers);
  }
};
await Promise.all(Array.from({ length: options.jobs }, (_, job) => work(job)));
const survivors = record.faults.filter(({ outcome }) => outcome === "survived");
if (survivors.length > 0) console.log("\n== What no test has seen");
for (const { about, kind, by } of survivors) console.log(`${about}\n  ${kind}, ${by}`);
console.log(`\n${summaryOf(record)}`);

async function plant(
  planted: Planted,
  copy: Copy,
  importers: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const { path } = planted;
  const text = await Deno.readTextFile(`${copy.root}/${path}`);
  const wrong = plantedText(text, planted);
  await copy.withText(
    path,
    wrong,
    () =>
      judge(planted, copy, record, importers, options, async (run) => {
        await copy.write(path, text);
        const result = await run();
        await copy.write(path, wrong);
        return result;
      }),
  );
  await writeRecord(out, record);
  const { outcome, about, by, how, seconds } = planted;
  const word = outcome === "survived" ? "SURVIVED" : outcome;
  console.log(`${word.padEnd(9)} ${about}\n  ${by}: ${how} (${seconds} s)`);
}

/** Creates the record of a new run, with faults that are drawn or that survived before. */
async function newRecord(): Promise<MutationRecord> {
  const { seed, under, count, again, known } = options;
  const commit = await git(checkout, ["rev-parse", "HEAD"]);
  const paths = (await git(checkout, ["ls-files", ...under])).split("\n");
  const texts = new Map<string, string>();
  for (const path of paths.filter((path) => /\.(ts|wgsl)$/.test(path))) {
    texts.set(path, await git(checkout, ["show", `${commit}:${path}`]));
  }
  const all = [...texts].flatMap(([path, text]) =>
    path.endsWith(".ts") ? typescriptFaults(path, text) : wgslFaults(path, text)
  );
  const aboutOf = (fault: Fault) => describeFault(texts.get(fault.path)!, fault);
  const drawn = again === undefined
    ? drawFaults(all, count, new SeededRandom(seed))
    : await findAgain(again, all, aboutOf);
  const faults = drawn.map((fault): Planted => ({
    ...fault,
    about: aboutOf(fault),
    outcome: "waiting",
  }));
  const earlier = known === undefined ? undefined : await readRecord(known);
  const sound = Object.entries(earlier?.sound ?? {}).filter(([, { passes }]) => passes);
  const seconds = { ...earlier?.seconds };
  return { commit, seed, under, faults, sound: Object.fromEntries(sound), seconds };
}

/** Returns the survivors in another record whose lines have not changed. */
async function findAgain(
  path: string,
  all: readonly Fault[],
  aboutOf: (fault: Fault) => string,
): Promise<Fault[]> {
  const before = await readRecord(path);
  if (before === undefined) return refuse(`There is no file ${path}`);
  const key = (about: string) => about.replace(/:\d+\n/, "\n");
  const survivors = before.faults.filter(({ outcome }) => outcome === "survived");
  const wanted = new Map(survivors.map((of) => [key(of.about), of]));
  const found = new Map<string, Fault>();
  for (const fault of all) {
    if (!survivors.some((of) => of.path === fault.path && of.planted === fault.planted)) continue;
    const about = key(aboutOf(fault));
    if (wanted.has(about)) found.set(about, fault);
  }
  if (found.size < wanted.size) {
    console.log(`${wanted.size - found.size} survivors lie in lines that have changed since`);
  }
  return [...found.values()];
}

function optionsOf(args: readonly string[]) {
  const option = { type: "string" } as const;
  const known = {
    ...{ count: option, seed: option, under: option, seconds: option, jobs: option },
    ...{ "fuzz-minutes": option, out: option, again: option },
    known: option,
  };
  let given: { [name in keyof typeof known]?: string };
  try {
    given = parseArgs({ args: [...args], options: known }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
  const number = (name: keyof typeof known, other: number): number => {
    const value = given[name] === undefined ? other : Number(given[name]);
    if (given[name]?.trim() === "" || !(value >= 0)) {
      return refuse(`--${name} is a number, not "${given[name]}"`);
    }
    return value;
  };
  return {
    count: number("count", 200),
    seed: number("seed", Math.floor(Math.random() * 2 ** 31)),
    seconds: number("seconds", 600),
    fuzzMinutes: number("fuzz-minutes", 0),
    jobs: Math.max(1, number("jobs", 1)),
    under: (given.under ?? "gpu,ops,streams").split(",").map((path) => path.replace(/\/*$/, "")),
    out: given.out,
    again: given.again,
    known: given.known,
  };
}

function refuse(problem: string): never {
  console.error(problem);
  console.error(
    "deno task mutate [--count N] [--seed S] [--under PATHS] [--seconds N] [--fuzz-minutes N] " +
      "[--jobs N] [--out FILE] [--known FILE] [--again FILE]",
  );
  Deno.exit(2);
}
