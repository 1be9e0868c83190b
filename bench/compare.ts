/**
 * `deno task bench compare OLD [NAME...]` compares this checkout with a commit, `OLD..NEW` one commit with
 * another. Each side is a process with its own code, packages and settings. Both exist at the same time and run
 * in turn, so that a slow minute of the machine affects both.
 *
 * The names are kinds of text (`ascii`, `real`, `nulls`, `documents`), on which every string job runs; `start`,
 * processes that do little, from start to exit; and `flights`, a process that reads, joins and writes. Default:
 * `real` and `start`. `--rounds=N` is the number of pairs of runs that count (default: 11), `--rows=N` the number
 * of texts.
 *
 * @module
 */

import { createEngine, fromBatches, write } from "../mod.ts";
import { checkoutPath } from "../tests/support/processes/sluice.ts";
import { stringExpressions } from "./strings.ts";
import { fileJobs } from "./support/file_jobs.ts";
import { formatMarkdown } from "./support/judge.ts";
import { median } from "./support/measure.ts";
import { openTexts, type TextKindName, textKinds } from "./support/texts.ts";

/** The options of a comparison. */
interface CompareOptions {
  /** A commit, or two with `..` between. */
  readonly commits: string;
  /** Kinds of text, `start`, `flights`. */
  readonly names: readonly string[];
  /** Pairs of runs of each job. */
  readonly numPairs: number;
  /** The number of texts. Default: that of each kind. */
  readonly numRows: number | undefined;
  /** Called with each job before it runs. */
  readonly onJob?: (name: string) => void;
}

/** Runs once and returns the milliseconds. */
type Run = () => Promise<number>;

/** The file that processes write. */
const OUTPUT = "compared.arrow";

/** The first pairs of runs, which do not count. */
const WARM_UP_PAIRS = 3;

/** The names of the jobs. */
export const compareNames: readonly string[] = [...Object.keys(textKinds), "start", "flights"];

/** Compares, and returns the table. Throws an Error for an unknown commit. */
export async function compare(
  { commits, names, numPairs, numRows, onJob }: CompareOptions,
): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  const [old, now] = commits.split("..");
  await using sides = new AsyncDisposableStack();
  sides.defer(() => Deno.remove(folder, { recursive: true }));
  const oldFolder = sides.use(await Checkout.of(old!, `${folder}/old`));
  const nowFolder = now === undefined
    ? undefined
    : sides.use(await Checkout.of(now, `${folder}/now`));
  const paths = [oldFolder.path, nowFolder?.path ?? checkoutPath(".")] as const;
  const lines = [
    ["Job", `${old}, ms`, `${now ?? "this checkout"}, ms`, "Times as fast", "Half of the pairs"],
    ["---", "---:", "---:", "---:", "---"],
  ];
  const add = async (name: string, runs: readonly [Run, Run]) => {
    onJob?.(name);
    lines.push([name, ...await comparePair(runs, numPairs)]);
  };
  for (const text of Object.keys(textKinds) as TextKindName[]) {
    if (!names.includes(text)) continue;
    const file = `${folder}/${text}.arrow`;
    await writeTexts(text, numRows, file);
    await using processes = new AsyncDisposableStack();
    const [first, second] = paths.map((path) => processes.use(new Side(path)));
    for (const expression of stringExpressions) {
      const request = { file, expression };
      await add(`${textKinds[text].title}: ${expression}`, [
        () => first!.run(request),
        () => second!.run(request),
      ]);
    }
  }
  const commands = {
    ...(names.includes("start") ? starts(folder) : {}),
    ...(names.includes("flights") ? flights(folder) : {}),
  };
  for (const [name, args] of Object.entries(commands)) {
    await add(name, [() => timeProcess(paths[0], args), () => timeProcess(paths[1], args)]);
  }
  return formatMarkdown(lines);
}

/** Returns the cells of a job: both medians, then the median and the middle half of the ratios of pairs. */
async function comparePair(runs: readonly [Run, Run], numPairs: number): Promise<string[]> {
  const times: [number[], number[]] = [[], []];
  try {
    for (let pair = -WARM_UP_PAIRS; pair < numPairs; pair++) {
      // The order alternates, since the first run of a pair may have an advantage.
      for (const side of pair % 2 === 0 ? [0, 1] as const : [1, 0] as const) {
        const elapsedMs = await runs[side]();
        if (pair >= 0) times[side].push(elapsedMs);
      }
    }
  } catch (error) {
    return ["", "", "", (error as Error).message.split("\n")[0]!];
  }
  const medians = times.map(median);
  const ratios = times[0].map((old, pair) => old / times[1][pair]!).sort((a, b) => a - b);
  const at = (share: number) => ratios[Math.round(share * (ratios.length - 1))]!.toFixed(2);
  return [
    ...medians.map((ms) => ms.toFixed(1)),
    median(ratios).toFixed(2),
    `${at(0.25)} to ${at(0.75)}`,
  ];
}

/** A git worktree of a commit, until it is disposed. */
class Checkout implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async of(commit: string, path: string): Promise<Checkout> {
    await git("worktree", "add", "--detach", "--quiet", path, commit);
    const side = "bench/compare_side.ts";
    await Deno.mkdir(`${path}/bench`, { recursive: true });
    await Deno.copyFile(checkoutPath(side), `${path}/${side}`);
    return new Checkout(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await git("worktree", "remove", "--force", this.path);
  }
}

async function git(...args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("git", {
    args: ["-C", checkoutPath("."), ...args],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).trim());
}

/** A process that computes with the library of a folder. */
class Side implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #requests: WritableStreamDefaultWriter<Uint8Array>;
  readonly #answers: ReadableStreamDefaultReader<string>;

  constructor(cwd: string) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "-A", "--no-check", "bench/compare_side.ts"],
      cwd,
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#requests = this.#child.stdin.getWriter();
    this.#answers = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  async run(request: Readonly<Record<string, string>>): Promise<number> {
    await this.#requests.write(new TextEncoder().encode(JSON.stringify(request) + "\n"));
    const { value, done } = await this.#answers.read();
    if (done) throw new Error("the process ended");
    const { elapsedMs, error } = JSON.parse(value);
    if (error !== undefined) throw new Error(error);
    return elapsedMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#requests.close();
    await this.#answers.cancel();
    await this.#child.status;
  }
}

async function writeTexts(
  text: TextKindName,
  numRows: number | undefined,
  path: string,
): Promise<void> {
  const engine = createEngine({ device: "cpu" });
  await fromBatches(await openTexts(text, numRows), { engine }).pipeTo(write(path));
  await engine.close();
}

/** Returns the arguments of whole processes that do little. */
function starts(folder: string): Record<string, string[]> {
  const file = `${folder}/two.csv`;
  Deno.writeTextFileSync(file, "name\nana\nbob\n");
  return {
    "sluice help": ["help"],
    "a pipeline of two rows": ["read", file, "then", "with", "upper = name.upper()"],
  };
}

function flights(folder: string): Record<string, string[]> {
  const { words } = fileJobs.flights();
  return { "flights to Arrow": ["--quiet", ...words, "then", "write", `${folder}/${OUTPUT}`] };
}

async function timeProcess(cwd: string, args: readonly string[]): Promise<number> {
  // Otherwise the time would include replacing the old file.
  const output = args.find((arg) => arg.endsWith(OUTPUT));
  if (output !== undefined) await Deno.remove(output).catch(() => {});
  const start = performance.now();
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", "cli.ts", ...args],
    cwd,
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).trim());
  return performance.now() - start;
}
