/**
 * The command `sluice rechunk run`: writes a store with other chunks.
 *
 * @module
 */

import { commandMessage } from "../../base/errors/option_text.ts";
import { resolve } from "node:path";
import { chooseThreads } from "../../base/settings/settings.ts";
import { OutputFolder } from "../../streams/sink/output_folder.ts";
import { localPath } from "../../base/url.ts";
import { expectArgs } from "../words/arguments.ts";
import type { GlobalOptions } from "../words/command_line.ts";
import { exitOnInterrupt } from "../exit/early_exit.ts";
import { type ParsedOptions, parseOptions } from "../words/options.ts";
import { canDraw, showLines } from "../print/progress.ts";
import { formatElapsed } from "../print/quantities.ts";
import { formatBytes } from "../../base/quantities.ts";
import { peakBytes, summaryLine } from "../print/summary.ts";
import { print, printError } from "../print/terminal.ts";
import { checkPlaces, folderOf } from "./check_places.ts";
import { counted } from "./grid_rows.ts";
import { asMistakes, limitOptions, parseLimits, parseTarget } from "./limits.ts";
import { builtAt, partialOf, PartialStore, type RunWords } from "./partial_store.ts";
import { planText } from "./plan_text.ts";
import { RechunkPace } from "./rechunk_progress.ts";
import { type CopiedArray, copiedArrays, runBytes, runStore, type StoreRun } from "./run_store.ts";
import { planStore, type StorePlan } from "./store_plan.ts";

const usage = "rechunk run IN.zarr OUT.zarr --to A,B --max-mem SIZE";

/** The cleanup of an early exit. */
interface Ending {
  cleanUp(): void;
}

/** Runs the command. */
export async function runCommand(
  args: readonly string[],
  global: GlobalOptions,
  ending: Ending,
): Promise<void> {
  // Mistakes in the environment are reported before anything is created.
  asMistakes(() => chooseThreads());
  const options = parseOptions(args, {
    values: [...limitOptions, "temp"],
    flags: ["resume", "explain"],
  });
  expectArgs(options.args, usage, 2);
  const [input, output] = options.args.map(folderOf) as [string, string];
  const to = parseTarget(options);
  const limits = parseLimits(options);
  const folder = options.value("temp") ?? global.temp;
  const temp = folder === undefined ? undefined : localPath(folder);
  await checkPlaces({ input, output, temp });
  const [words, resume] = [runWords(input, options), options.flag("resume")];
  if (!options.flag("explain")) {
    const isSwept = PartialStore.sweep(output, { words, resume });
    if (isSwept) {
      printError([`sluice: removed ${partialOf(output)}, left by the run that wrote ${output}`]);
      if (resume) return;
    }
    await OutputFolder.check(output);
  }
  const plan = await planStore({ path: input, output: builtAt(output), to, limits });
  printError(plan.warnings.map((warning) => `sluice: warning: ${warning}`));
  if (options.flag("explain")) return print(explained(plan));
  const goOn = `${partialOf(output)} keeps the finished part; continue with --resume`;
  let isBegun = false;
  exitOnInterrupt(() => {
    ending.cleanUp();
    printError([isBegun ? `sluice: interrupted; ${goOn}` : "sluice: interrupted"]);
  });
  const planned = plan.rechunked.filter(({ itemType, plan }) =>
    itemType === undefined || plan.stages.length > 0
  );
  const bound = planned.map(({ path }) => path);
  const copied = await copiedArrays(input, plan);
  using store = PartialStore.begin(output, { words, temp, resume, bound });
  isBegun = true;
  printError(store.findings.map((finding) => `sluice: ${finding}`));
  try {
    const run = { input, plan, store, maxMem: limits.maxMem };
    await complete(run, copied, { progress: global.progress, ending });
  } catch (error) {
    // An array is bound to its limits until it is complete.
    const isBound = error instanceof RangeError && !bound.every((path) => store.isDone(path));
    const cure = isBound ? `remove ${partialOf(output)} to begin again with more` : goOn;
    throw new Error(`${commandMessage(error as Error)}; ${cure}`, { cause: error });
  }
  if (global.stats) printError(statsLines(output, plan));
}

/** Runs the plan and shows its progress. */
async function complete(
  run: StoreRun,
  copied: readonly CopiedArray[],
  { progress, ending }: Pick<GlobalOptions, "progress"> & { readonly ending: Ending },
): Promise<void> {
  const pace = new RechunkPace(runBytes(run.plan, copied));
  const lines = progress ?? canDraw()
    ? showLines((elapsedMs) => {
      pace.add(elapsedMs);
      return (columns) => pace.line(elapsedMs, columns);
    })
    : undefined;
  ending.cleanUp = () => lines?.stop();
  try {
    await runStore(run, copied, pace);
  } finally {
    lines?.stop();
  }
}

/** Returns the options that a resumed run must repeat, since its plans depend on them. */
function runWords(input: string, options: ParsedOptions): RunWords {
  const given = limitOptions.filter((name) => options.given.includes(name));
  return {
    // Absolute, since another folder may be the working folder of a resumed run.
    IN: resolve(input),
    ...Object.fromEntries(given.map((name) => [`--${name}`, options.value(name)!])),
  };
}

function explained({ rechunked, copied }: StorePlan): string {
  const kept = copied.length === 0 ? [] : [`copied as they are: ${copied.join(", ")}\n`];
  return [...rechunked.map(planText), ...kept].join("\n");
}

function statsLines(output: string, { rechunked, copied }: StorePlan): string[] {
  const stores = rechunked.map(({ name, plan, reader }) => {
    const passes = counted(plan.stages.length + 1, "pass", "passes");
    return summaryLine("rechunked", `${name}, ${passes}, ${formatBytes(reader.bytesRead)} read`);
  });
  return [
    ...stores,
    ...copied.map((path) => summaryLine("copied", path)),
    summaryLine("written", output),
    summaryLine("elapsed", formatElapsed(performance.now())),
    summaryLine("peak memory", formatBytes(peakBytes())),
  ];
}
