/**
 * The texts of `sluice help` and `sluice --version`.
 *
 * @module
 */

import manifest from "../deno.json" with { type: "json" };
import { CommandError } from "../base/errors/command_error.ts";
import type { Verb } from "./session/verb.ts";
import { didYouMean } from "../base/nearest_name.ts";

interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly details: string;
}

const commands: readonly Command[] = [
  {
    name: "rechunk",
    usage: "plan|run ...",
    summary: "Changes the chunks of Zarr arrays within a memory limit",
    details: `  rechunk run IN.zarr OUT.zarr --to A,B --max-mem SIZE
  rechunk plan IN.zarr --to A,B --max-mem SIZE
  rechunk plan --shape A,B --from A,B --to A,B --itemsize N --max-mem SIZE

run writes OUT.zarr from an array or a group: arrays that --to applies to get other chunks, and
everything else is copied as it is. plan prints what would be read, stored in between and written,
with the number of operations.

  --to A,B        items of a chunk along each axis, for arrays with that many axes; -1: a whole axis
  --to x=A,y=B    the same by dimension names, for arrays that have all of them
  --max-mem SIZE  the memory for chunks and codecs, such as 500MB or 2GiB
  --min-mem SIZE  the least size of intermediate chunks, for arrays of at least that size
  --stages K      the number of intermediate stores; by default, the number that costs least

plan:
  --json          the plan as JSON; for a group, the plans by array name
  --svg FILE      a picture of the plan of one array
  --shape A,B     the items of an array along each axis, instead of IN.zarr
  --from A,B      its chunks
  --itemsize N    the bytes of an item

run:
  --temp DIR      the folder for intermediate stores; OUT.zarr.partial by default
  --resume        resumes an interrupted run from OUT.zarr.partial
  --explain       prints the plans and does nothing else

  sluice rechunk run air.zarr series.zarr --to time=-1,lat=10,lon=10 --max-mem 500MB
  sluice rechunk plan --shape 350640,721,1440 --from 31,721,1440 --to 350640,10,10 \\
    --itemsize 4 --min-mem 10MB --max-mem 500MB`,
  },
  {
    name: "doctor",
    usage: "",
    summary: "Shows which device runs the work, why, and what it can do",
    details: `  sluice doctor
  sluice --device gpu doctor`,
  },
  {
    name: "ops",
    usage: "[NAME...]",
    summary: "Lists the operations of expressions, including those of plugins",
    details: `With names, lists only those, with examples.

  sluice ops splitPart
  sluice --plugin ./shout.ts ops shout`,
  },
  {
    name: "help",
    usage: "[VERB...]",
    summary: "Explains a verb",
    details: `  sluice help join`,
  },
];

/** Returns the text of `sluice help`. */
export function commandHelp(verbs: readonly Verb[]): string {
  return `Usage: sluice [OPTIONS] VERB [ARGUMENTS] [then VERB [ARGUMENTS]]...

Streams tables through expressions, joins and slices, on the GPU or the host.

  sluice read flights.parquet then with 'route = origin + " > " + destination' \\
    then join airports.csv --on origin=iata then slice -1000: then write last.arrow

Verbs:
${list(verbs)}

Standalone:
${list(commands)}

Options, before the first verb:
  --device auto|gpu|cpu  where to compute; auto takes a GPU if there is one
  --device check         computes on both; a difference is an error that names the step, column, row
                         and kernel, both values, and a command that reproduces it
  --memory SIZE          limit for batches in flight, and for one row of text, such as 4GiB; at
                         least 1MiB. A join whose FILE exceeds it writes temporary files
  --temp DIR             the folder for temporary files; by default TMPDIR, or the system's
  --threshold SIZE       a column with this much text in a batch gets 64-bit offsets
  --plugin SPEC          a module with operations or operators: a path, or npm:NAME of a package that
                         \`npm install\` has put into node_modules here; it needs no other packages,
                         and imports "@sluice/sluice"
  --stats                prints a summary to stderr at the end
  --progress             shows progress even if stderr is not a terminal or stdout is a pipe
  --quiet                shows no progress
  --version              prints the version

Only --plugin, --columns, --types, --on and --by may be repeated.

Environment: SLUICE_DEVICE sets --device, SLUICE_LARGE_STRINGS_THRESHOLD sets --threshold;
SLUICE_LARGE_STRINGS_ENABLED=0 makes that much text in one column of a batch an error.
SLUICE_THREADS limits the threads that compute on the host, and those of rechunk.
SLUICE_BUNDLE=0 ignores the bundle of a checkout and runs its modules.
Exit status: 0 for success; 1 for a failure; 2 for a mistake in the command; 130 after an interrupt.
`;
}

/** Returns the text of `sluice help VERB`. */
export function verbHelp(name: string, verbs: readonly Verb[]): string {
  const all: readonly Command[] = [...verbs, ...commands];
  // `rechunk` is both a step and a standalone command.
  const found = all.filter((known) => known.name === name);
  if (found.length === 0) {
    const hint = didYouMean(name, all.map((known) => known.name));
    throw new CommandError(`Unknown verb ${JSON.stringify(name)}${hint}`);
  }
  return found.map(({ usage, summary, details }) =>
    `${`${name} ${usage}`.trim()}\n\n${summary}.\n\n${details}\n`
  ).join("\n");
}

function list(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join("\n");
}

/** The version in `deno.json`. */
export const version: string = manifest.version;
