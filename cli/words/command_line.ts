/**
 * Splits a command into global options and steps.
 *
 * @module
 */

import { environmentVariable } from "../../base/settings/environment.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { hasOption, type OptionNames, type ParsedOptions, parseOptions } from "./options.ts";
import { parseBytes } from "./quantities.ts";

/** The options before the first verb. */
export interface GlobalOptions {
  readonly device: "auto" | "gpu" | "cpu" | "check";
  /** Limit in bytes for batches in flight, and for the build side of a join. */
  readonly memory?: number;
  /** The folder for temporary files. */
  readonly temp?: string;
  /** Bytes of text in a column of a batch at which its offsets become 64-bit. */
  readonly threshold?: number;
  readonly plugins: readonly string[];
  /** Whether to print a summary to stderr. */
  readonly stats: boolean;
  /** Whether to show progress on stderr; undefined: only if stderr is a terminal. */
  readonly progress: boolean | undefined;
}

/** A verb and its words. */
export interface StepWords {
  /** Its position in the command, from 1. */
  readonly number: number;
  readonly verb: string;
  readonly words: readonly string[];
}

/** A parsed command. */
export interface CommandLine {
  readonly options: GlobalOptions;
  readonly steps: readonly StepWords[];
  readonly help: boolean;
  readonly version: boolean;
}

export const globalOptions: OptionNames = {
  values: ["device", "memory", "temp", "threshold"],
  lists: ["plugin"],
  flags: ["stats", "quiet", "progress", "help", "version"],
  stopEarly: true,
};

/**
 * Parses a command. Does not check the verbs, since plugins may add some. `known` has verbs whose options
 * errors can name if one is misplaced.
 */
export function parseCommandLine(
  words: readonly string[],
  known: readonly OptionOwner[] = [],
): CommandLine {
  const helped = words.map((word, i) => i === 0 && word === "-h" ? "--help" : word);
  const elsewhere = (name: string) => ownersOf(name, known);
  const options = parseOptions(helped, { ...globalOptions, elsewhere });
  const memory = options.value("memory");
  const temp = options.value("temp");
  const threshold = options.value("threshold");
  return {
    options: {
      device: parseDevice(options.value("device"), environmentVariable("SLUICE_DEVICE")),
      ...(memory === undefined ? {} : { memory: parseMemory(memory) }),
      ...(temp === undefined ? {} : { temp }),
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

/** The name and options of a verb. */
interface OptionOwner {
  readonly name: string;
  readonly options?: OptionNames;
}

/** Returns a text that names the verbs with an option; undefined if no verb has it. */
export function ownersOf(
  name: string,
  verbs: readonly OptionOwner[],
): string | undefined {
  const owners = verbs.filter(({ options = {} }) => hasOption(options, name));
  if (owners.length === 0) return undefined;
  const names = owners.map(({ name }) => name);
  return `it is an option of ${names.join(", ")} ; put it after that verb`;
}

function parseProgress({ flag }: ParsedOptions): boolean | undefined {
  const [quiet, progress] = [flag("quiet"), flag("progress")];
  if (quiet && progress) throw new CommandError("--quiet and --progress exclude each other");
  return quiet ? false : progress || undefined;
}

/** The least limit: a smaller number probably lacks its unit, and would allow only one batch at a time. */
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
  throw new CommandError(`${name} must be auto, gpu, cpu or check, not ${JSON.stringify(device)}`);
}

function splitSteps(words: readonly string[]): StepWords[] {
  if (words.length === 0) return [];
  const groups: string[][] = [[]];
  for (const word of words) {
    if (word === "then") groups.push([]);
    else groups.at(-1)!.push(word);
  }
  return groups.map(([verb, ...words], index) => {
    if (verb === undefined) throw new CommandError(`Step ${index + 1} is empty: it needs a verb`);
    return { number: index + 1, verb, words };
  });
}
