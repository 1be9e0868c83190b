/**
 * The words of a command: its options, and its verbs with their words.
 *
 * @module
 */

import { environmentVariable } from "../ops/engine/environment.ts";
import { CommandError } from "./command_error.ts";
import { type OptionNames, type ParsedOptions, parseOptions } from "./options.ts";
import { parseBytes } from "./quantities.ts";

/** The options before the first verb. */
export interface GlobalOptions {
  readonly device: "auto" | "gpu" | "cpu" | "check";
  /** Bytes that batches in flight may take. */
  readonly memory?: number;
  /** Bytes of text in a column of a batch from which its offsets have 64 bits. */
  readonly threshold?: number;
  readonly plugins: readonly string[];
  /** Whether a summary follows on stderr. */
  readonly stats: boolean;
  /** Whether a line on stderr tells how far the work is; undefined: where stderr is a terminal. */
  readonly progress: boolean | undefined;
}

/** One verb and what follows it. */
export interface StepWords {
  /** Its place in the command, from 1. */
  readonly number: number;
  readonly verb: string;
  readonly words: readonly string[];
}

/** A command, taken apart. */
export interface CommandLine {
  readonly options: GlobalOptions;
  readonly steps: readonly StepWords[];
  readonly help: boolean;
  readonly version: boolean;
}

/** The options before the first verb. */
export const globalOptions: OptionNames = {
  values: ["device", "memory", "threshold"],
  lists: ["plugin"],
  flags: ["stats", "quiet", "progress", "help", "version"],
  stopEarly: true,
};

/** Takes a command apart. Knows no verb: plugins may bring some. */
export function parseCommandLine(words: readonly string[]): CommandLine {
  const helped = words.map((word, i) => i === 0 && word === "-h" ? "--help" : word);
  const options = parseOptions(helped, globalOptions);
  const memory = options.value("memory");
  const threshold = options.value("threshold");
  return {
    options: {
      device: parseDevice(options.value("device"), environmentVariable("SLUICE_DEVICE")),
      ...(memory === undefined ? {} : { memory: parseMemory(memory) }),
      ...(threshold === undefined ? {} : { threshold: parseBytes(threshold, "--threshold") }),
      plugins: options.list("plugin"),
      stats: options.flag("stats"),
      progress: parseProgress(options),
    },
    steps: splitSteps(options.args),
    help: options.flag("help"),
    version: options.flag("version"),
  };
}

function parseProgress({ flag }: ParsedOptions): boolean | undefined {
  const [quiet, progress] = [flag("quiet"), flag("progress")];
  if (quiet && progress) throw new CommandError("--quiet and --progress exclude each other");
  return quiet ? false : progress || undefined;
}

/** What takes less than this is one batch at a time, whatever was meant: a missing unit, most often. */
const leastMemory = 1 << 20;

function parseMemory(text: string): number {
  const memory = parseBytes(text, "--memory");
  if (memory >= leastMemory) return memory;
  throw new CommandError(`--memory takes at least 1MiB, not ${JSON.stringify(text)}`);
}

function parseDevice(option: string | undefined, variable: string | undefined) {
  const device = option ?? variable ?? "auto";
  if (device === "auto" || device === "gpu" || device === "cpu" || device === "check") {
    return device;
  }
  const name = option === undefined ? "SLUICE_DEVICE" : "--device";
  throw new CommandError(`${name} is auto, gpu, cpu or check, not ${JSON.stringify(device)}`);
}

function splitSteps(words: readonly string[]): StepWords[] {
  if (words.length === 0) return [];
  const groups: string[][] = [[]];
  for (const word of words) {
    if (word === "then") groups.push([]);
    else groups.at(-1)!.push(word);
  }
  return groups.map(([verb, ...words], index) => {
    if (verb === undefined) throw new CommandError(`Step ${index + 1} is empty: a verb goes there`);
    return { number: index + 1, verb, words };
  });
}
