/**
 * The texts of `sluice help`.
 *
 * @module
 */

import { didYouMean } from "../ops/expr/nearest_name.ts";
import { CommandError } from "./command_error.ts";
import type { Verb } from "./verb.ts";

interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly details: string;
}

const commands: readonly Command[] = [
  {
    name: "doctor",
    usage: "",
    summary: "Tells which device runs the work and why, and what it can do",
    details: `  sluice doctor
  sluice --device gpu doctor`,
  },
  {
    name: "ops",
    usage: "[NAME...]",
    summary: "Lists the string operations of expressions, those of plugins too",
    details: `With names: only those, with examples.

  sluice ops splitPart
  sluice --plugin ./shout.ts ops shout`,
  },
  {
    name: "help",
    usage: "[VERB...]",
    summary: "Tells what a verb does",
    details: `  sluice help join`,
  },
];

/** The help on the command as a whole. */
export function commandHelp(verbs: readonly Verb[]): string {
  return `Usage: sluice [OPTIONS] VERB [ARGUMENTS] [then VERB [ARGUMENTS]]...

Streams tables through string expressions, joins and slices, on the GPU or the host.

  sluice read flights.parquet then with 'route = origin + " > " + destination' \\
    then join airports.csv --on origin=iata then slice -1000: then write last.arrow

Verbs:
${list(verbs)}

Alone:
${list(commands)}

Options, before the first verb:
  --device auto|gpu|cpu  what computes; auto takes a GPU where there is one
  --device check         both compute: where they differ, an error names step, column, row, kernel,
                         both values and the command that shows it again
  --memory SIZE          what batches in flight may take, such as 4GiB; 1MiB and more
  --threshold SIZE       text in a column of a batch from which its offsets have 64 bits
  --plugin SPEC          a module with operations or operators: a path, npm: or jsr:
  --stats                a summary on stderr at the end
  --progress             where stderr is no terminal: a line of progress every second
  --quiet                no progress line
  --version

An option is given once, but --plugin, --columns, --types and --on, which add up.

Environment: SLUICE_DEVICE stands for --device, SLUICE_LARGE_STRINGS_THRESHOLD for --threshold;
with SLUICE_LARGE_STRINGS_ENABLED=0 so much text in one column of a batch is an error.
SLUICE_THREADS is how many threads may compute where there is no GPU; 1 for one.
Exit status: 0; 1 when something failed; 2 for a mistake in the command; 130 after an interrupt.
`;
}

/** The help on one verb. */
export function verbHelp(name: string, verbs: readonly Verb[]): string {
  const all: readonly Command[] = [...verbs, ...commands];
  const command = all.find((known) => known.name === name);
  if (command === undefined) {
    const hint = didYouMean(name, all.map((known) => known.name));
    throw new CommandError(`Unknown verb ${JSON.stringify(name)}${hint}`);
  }
  const usage = `${command.name} ${command.usage}`.trim();
  return `${usage}\n\n${command.summary}.\n\n${command.details}\n`;
}

function list(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join("\n");
}
