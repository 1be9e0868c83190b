/**
 * Measures a card in parts, each a process with a time limit. `run.sh` of `deno task pack` runs it on a machine
 * without a network.
 *
 * `--out=FOLDER` receives `results.jsonl`, a line for each step as it ends; `log.txt`, the output of the parts;
 * and `done.txt`, the finished parts, which a second call skips. `--limit=SECONDS` is for all parts together,
 * `--scale=0.01` measures fewer rows, `--only=A;B` and `--skip=A;B` choose parts by name; `tests` are all tests.
 * `--tests=FILE` lists the test files, one a line, and `--deno=ARGUMENTS` are the arguments of Deno to run a
 * module. `--host` measures only the parts that need no device.
 *
 * With `--part=NAME`, `--results=FILE` and `--seconds=N` it measures one part in this process.
 *
 * @module
 */

import { CUT_STATUS, runParts, type TimedPart } from "./support/run_parts.ts";
import { endWith, option } from "./support/arguments.ts";
import { Card } from "./gpu/card.ts";
import { CARD_PARTS, FIRST_TESTS } from "./gpu/card_parts.ts";
import { ALL_KERNELS } from "./gpu/gpu_results.ts";
import { quietDrivers } from "../scripts/quiet_drivers.ts";

const STRESS_SECONDS = 40;
const STRESS_ROWS = 300_007;
const TEST_SECONDS = 60;

/** The lines of results printed at the end, and the characters of each. */
const SHOWN_LINES = 55;
const SHOWN_CHARACTERS = 200;
const SHOWN_FAILURES = 15;
/** The parts whose results are shown. */
const SHOWN_PARTS = ["adapter", "latency", "redact", "batches", "joins", "link"];

quietDrivers();
const scale = number("scale", 1);
const partName = option("part");
if (partName === undefined) await measureAll();
else await measurePart(partName);

async function measurePart(name: string): Promise<never> {
  const part = CARD_PARTS[name];
  const results = option("results");
  if (part === undefined || results === undefined) endWith("--part=NAME --results=FILE");
  const card = new Card({ part: name, results, scale, seconds: number("seconds", part.seconds) });
  await part.measure(card);
  card.note({ step: "end" });
  // Some drivers abort a process that ends normally; everything is written.
  Deno.exit(card.isLate ? CUT_STATUS : 0);
}

async function measureAll(): Promise<never> {
  const folder = option("out") ?? "out";
  const results = `${folder}/results.jsonl`;
  const parts = await wantedParts(results);
  const say = (line: string) => console.log(line);
  const ran = await runParts(parts, { folder, limitSeconds: number("limit", 410), say });
  for (const line of await shownLines(results)) console.log(line);
  for (const [what, names] of Object.entries(ran)) {
    if (names.length > 0) console.log(`${what}: ${listed(names)}`);
  }
  Deno.exit(ran.failed.length === 0 ? 0 : 1);
}

async function wantedParts(results: string): Promise<TimedPart[]> {
  const [only, skip] = ["only", "skip"].map((name) => (option(name) ?? "").split(";"));
  const isOnHost = Deno.args.includes("--host");
  const all = [...measuredParts(results), ...await testParts()];
  return all.filter(({ name, kind, needsDevice }) => {
    const isNamed = (names: readonly string[]) => names.includes(name) || names.includes(kind);
    return !(isOnHost && needsDevice) && !isNamed(skip!) && (only![0] === "" || isNamed(only!));
  });
}

/** A part that options can choose. */
interface WantedPart extends TimedPart {
  readonly kind: "measured" | "stress" | "tests";
  readonly needsDevice: boolean;
}

function measuredParts(results: string): WantedPart[] {
  const shaders = Deno.makeTempDirSync({ prefix: "sluice-shaders-" });
  const parts = Object.entries(CARD_PARTS).map(([name, { seconds, isOnHost = false }]) => ({
    ...{ name, seconds, kind: "measured", needsDevice: !isOnHost } as const,
    args: [
      ...["run", ...denoArgs(), "bench/card.ts", `--part=${name}`, "--seconds={seconds}"],
      ...[`--results=${results}`, `--scale=${scale}`],
    ],
    // The folders in which drivers cache compiled kernels.
    env: {
      ...(name.startsWith("compile")
        ? { __GL_SHADER_DISK_CACHE_PATH: shaders, MESA_SHADER_CACHE_DIR: shaders }
        : {}),
      SLUICE_BENCH_SOFTWARE: "1",
    },
  }));
  const numRows = Math.max(5003, Math.round(STRESS_ROWS * scale));
  const stress: WantedPart = {
    ...{ name: "stress", kind: "stress", seconds: STRESS_SECONDS, needsDevice: true },
    args: ["run", ...denoArgs(), "scripts/stress.ts", `--rows=${numRows}`, "--rounds=1"],
    sign: /^[1-9]\d* runs, .*: 0 kinds were wrong$/m,
  };
  // The correctness of results is tested before most speeds.
  return [...parts.slice(0, 2), stress, ...parts.slice(2)];
}

async function testParts(): Promise<WantedPart[]> {
  const list = option("tests");
  if (list === undefined) return [];
  const files = (await Deno.readTextFile(list)).split("\n").filter((file) => file !== "");
  const placeOf = (file: string) => {
    const place = FIRST_TESTS.findIndex((name) => file.endsWith(`/${name}_test.ts`));
    return place < 0 ? FIRST_TESTS.length : place;
  };
  files.sort((left, right) => placeOf(left) - placeOf(right));
  const preload = "--preload=tests/support/failed_parts.ts";
  return files.map((file) => ({
    ...{ name: file, kind: "tests", seconds: TEST_SECONDS, needsDevice: true },
    args: ["test", ...denoArgs(), "--sanitize-ops", "--sanitize-resources", preload, file],
    sign: /^ok \| /m,
  }));
}

function denoArgs(): string[] {
  return (option("deno") ?? "-A --no-check --lock=deno.dev.lock --frozen").split(" ");
}

/** Returns the most important results, of whole works and by the host's clock, and the failures. */
async function shownLines(results: string): Promise<string[]> {
  const text = await Deno.readTextFile(results).catch(() => "");
  const lines = text.split("\n");
  const failures = lines.filter((line) => /"(failed|ended)":/.test(line));
  const shown = lines
    .filter((line) => SHOWN_PARTS.some((part) => line.startsWith(`{"part":"${part}"`)))
    .filter((line) => line.includes('"value":') || line.includes(`"kernel":"${ALL_KERNELS}"`));
  return [...shown, ...failures.slice(0, SHOWN_FAILURES)]
    .slice(-SHOWN_LINES)
    .map((line) => line.slice(0, SHOWN_CHARACTERS));
}

/** Lists the names of parts; many test files only as a count. */
function listed(names: readonly string[]): string {
  const tests = names.filter((name) => name.startsWith("tests/"));
  if (tests.length <= 5) return names.join("; ");
  const others = names.filter((name) => !tests.includes(name));
  return [...others, `${tests.length} files of tests`].join("; ");
}

function number(name: string, standard: number): number {
  const given = option(name);
  if (given === undefined) return standard;
  const value = Number(given);
  if (value > 0) return value;
  endWith(`--${name} must be a positive number, not "${given}"`);
}
