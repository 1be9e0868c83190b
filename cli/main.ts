/**
 * The command line as a function.
 *
 * @module
 */

import {
  type CommandLine,
  type GlobalOptions,
  parseCommandLine,
  type StepWords,
} from "./words/command_line.ts";
import { CommandError } from "../base/errors/command_error.ts";
import { expectArgs } from "./words/arguments.ts";
import { commandHelp, verbHelp, version } from "./help.ts";
import { exitAfter, exitOnInterrupt, exitOnUncaught } from "./exit/early_exit.ts";
import type { InterruptWatch } from "./exit/interrupt_watch.ts";
import { library } from "./library/library.ts";
import { parseOptions } from "./words/options.ts";
import { parseSteps, type PlacedStep, runPipeline } from "./pipeline.ts";
import { loadPlugins, type Plugins } from "./session/plugins.ts";
import { pluginVerb } from "./verbs/plugin_verb.ts";
import { canDraw, isShownUnasked, showProgress } from "./print/progress.ts";
import { repeatLines, reportError } from "./print/report.ts";
import { openSession, type Session } from "./session/session.ts";
import { print, printError } from "./print/terminal.ts";
import type { Verb } from "./session/verb.ts";
import { verbs } from "./verbs/verbs.ts";

/**
 * Runs a command and returns its exit status; errors go to stderr and are not thrown.
 *
 * @example
 * ```ts
 * import { main } from "../cli.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await main(["read", "missing.csv", "then", "count"]), 1);
 * ```
 */
export async function main(words: readonly string[]): Promise<number> {
  try {
    await runCommand(words);
    return 0;
  } catch (error) {
    const { lines, status } = reportError(error);
    printError([...lines, ...repeatLines(words, error)]);
    return status;
  }
}

async function runCommand(words: readonly string[]): Promise<void> {
  const command = parseCommandLine(words, verbs);
  const { options, steps } = command;
  if (command.version) return print(`sluice ${version}\n`);
  if (command.help || steps.length === 0) return print(commandHelp(verbs));
  const [first] = steps as [typeof steps[number]];
  const asked = steps.find(({ words }) => words.includes("--help") || words.includes("-h"));
  if (asked !== undefined) return print(await helpOn([asked.verb], options.plugins));
  if (first.verb === "help") {
    return print(await helpOn(parseOptions(first.words, {}).args, options.plugins));
  }
  const ending: Ending = { cleanUp() {} };
  exitOnUncaught(() => ending.cleanUp());
  if (first.verb === "doctor" || first.verb === "ops" || first.verb === "rechunk") {
    if (steps.length > 1) {
      throw new CommandError(`sluice ${first.verb} cannot be part of a pipeline`);
    }
    return await runAlone(first, options, ending);
  }
  await runSteps(command, ending);
}

/** Runs a standalone verb, which is not a step of a pipeline. */
async function runAlone(
  { verb, words }: StepWords,
  options: GlobalOptions,
  ending: Ending,
): Promise<void> {
  if (verb === "rechunk") {
    return await (await import("./rechunk/rechunk.ts")).rechunk(words, options, ending);
  }
  const { args } = parseOptions(words, {});
  if (verb === "ops") return print(await (await import("./ops.ts")).listOperations(options, args));
  expectArgs(args, "doctor", 0);
  print(await (await import("./doctor.ts")).doctor(options));
}

/** Cleanup before an early exit. */
interface Ending {
  cleanUp(): void;
}

async function runSteps({ options, steps }: CommandLine, ending: Ending): Promise<void> {
  // Without plugins, which may add verbs, mistakes are reported before the library loads.
  const early = options.plugins.length > 0 ? undefined : parseSteps(steps, verbs);
  const plugins: Plugins = await loadPlugins(options.plugins);
  const placed = early ?? parseSteps(steps, verbsWith(plugins));
  const { startWorkersFor, endIdleWorkers, mayTakeLong } = await import("./start_workers.ts");
  startWorkersFor(placed);
  // The code of a plugin may never return. The thread starts while the library loads.
  const isLong = options.plugins.length > 0 || mayTakeLong(placed);
  using watch = isLong ? await watchInterrupts(options, ending) : undefined;
  try {
    await runPlaced(placed, await openSession(options, plugins), { options, ending, watch });
  } catch (error) {
    const signal = watch?.signal;
    throw signal === undefined ? error : exitAfter(signal, () => ending.cleanUp());
  } finally {
    endIdleWorkers();
  }
}

/** The context of a run. */
interface RunNeeds {
  readonly options: GlobalOptions;
  readonly ending: Ending;
  /** Waits for signals if the main thread may be busy for a long time. */
  readonly watch: InterruptWatch | undefined;
}

async function runPlaced(
  placed: readonly PlacedStep[],
  session: Session,
  { options, ending, watch }: RunNeeds,
): Promise<void> {
  const removePartialOutputs = await library.removePartialOutputs();
  const progress = options.progress ?? await isShownUnasked()
    ? showProgress(session.runs)
    : undefined;
  ending.cleanUp = () => {
    progress?.stop();
    removePartialOutputs();
  };
  if (!await watch?.isListening) exitOnInterrupt(() => ending.cleanUp());
  try {
    await runPipeline(placed, session);
  } finally {
    progress?.stop();
  }
  if (!options.stats) return;
  const { formatSummary } = await import("./print/summary.ts");
  printError(await formatSummary(session));
}

/** Starts a thread that waits for signals. */
async function watchInterrupts(
  { progress }: GlobalOptions,
  ending: Ending,
): Promise<InterruptWatch> {
  const { InterruptWatch } = await import("./exit/interrupt_watch.ts");
  const isDrawn = canDraw() && (progress ?? await isShownUnasked());
  const cleanUp = () => ending.cleanUp();
  return new InterruptWatch(isDrawn, (signal) => exitAfter(signal, cleanUp));
}

function verbsWith({ operators }: Plugins): Verb[] {
  return [...verbs, ...operators.map(pluginVerb)];
}

/** Returns the help on verbs. Loads the library only if plugins may add verbs. */
async function helpOn(words: readonly string[], plugins: readonly string[]): Promise<string> {
  const known = plugins.length === 0 ? verbs : verbsWith(await loadPlugins(plugins));
  if (words.length === 0) return commandHelp(known);
  return words.map((word) => verbHelp(word, known)).join("\n");
}
