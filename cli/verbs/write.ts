/**
 * The verb `write`.
 *
 * @module
 */

import { isDescriptor, isStdout } from "../library/known_words.ts";
import type { WriteOptions } from "../../mod.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { expectArgs } from "../words/arguments.ts";
import { library } from "../library/library.ts";
import {
  delimiterHints,
  delimiterOption,
  formatList,
  formatOption,
} from "../words/source_options.ts";
import { didYouMean } from "../../base/nearest_name.ts";
import { parseBytes, parseInteger } from "../words/quantities.ts";
import { localPath } from "../../base/url.ts";
import { statusLine } from "../print/terminal.ts";
import type { Verb, WriteStep } from "../session/verb.ts";

const choices = {
  compression: ["none", "zstd", "lz4", "snappy", "gzip"],
  offsets: ["split", "large", "error"],
} as const;

export const write: Verb = {
  name: "write",
  usage:
    "FILE [--format FORMAT] [--delimiter CHAR] [--compression CODEC] [--offsets split|large|error]",
  summary: "Writes a file; it appears under its name only when it is complete",
  details:
    `The suffix decides the format, as for \`read\`; \`-\` and \`/dev/stdout\` write to stdout: an Arrow
stream, or the format that --format names. A file: URL names a local file. Pipes and devices receive
the rows directly. A new file takes the owner, group and mode of the one it replaces; links are
followed. Verbs after a write to a file receive the same rows; all files of a command appear
together, at its end. A Zarr array (a folder) is written from the chunks of one array, as read
returns them; an existing array is not replaced.

  --format FORMAT       ${formatList}, regardless of the suffix
  --delimiter CHAR      the character between the fields of CSV: ';' or '|' or tab, and so on
  --compression CODEC   none, zstd or lz4 for Arrow; for Parquet also snappy or gzip
  --offsets POLICY      for 2 GiB of text or more in a batch of an Arrow or Parquet file: split (the
                        default) cuts the batch by rows, so that columns stay Utf8; large makes
                        them LargeUtf8 from the first batch; error refuses it
  --row-group-rows N    Parquet: the most rows of a row group (262144)
  --row-group-bytes SIZE  Parquet: the approximate size of a row group in the file (64MiB)

  sluice read flights.parquet then head 100 then write first.csv then show`,
  options: {
    values: ["format", "delimiter", "compression", "offsets", "row-group-rows", "row-group-bytes"],
    hints: delimiterHints,
  },
  wantsAll: true,
  parse(options): WriteStep {
    expectArgs(options.args, `write ${this.usage}`, 1);
    const [file] = options.args.map(localPath) as [string];
    const format = formatOption(options.value("format"));
    const [rows, bytes] = [options.value("row-group-rows"), options.value("row-group-bytes")];
    return writeStep(file, {
      ...format,
      ...(rows === undefined ? {} : { rowGroupRows: parseInteger(rows, "--row-group-rows", 1) }),
      ...(bytes === undefined ? {} : { rowGroupBytes: parseBytes(bytes, "--row-group-bytes") }),
      ...delimiterOption(options.value("delimiter")),
      ...choice("compression", options.value("compression")),
      ...choice("offsets", options.value("offsets")),
    });
  },
};

/** Returns the step that writes a file, or an Arrow stream to stdout. */
export function writeStep(file: string, options: WriteOptions = {}): WriteStep {
  return {
    role: "sink",
    writes: file,
    get last() {
      return whyLast(file);
    },
    async openSink(session) {
      const sink = (await library.write())(file, options);
      session.outputs.push(sink);
      if (mayBeTerminal(file)) statusLine.close();
      return sink;
    },
  };
}

/** Returns the reason why no verb may follow; undefined if one may. */
function whyLast(file: string): string | undefined {
  if (isStdout(file)) return `write ${file} writes to stdout`;
  if (!isDescriptor(file)) {
    const info = statOf(file);
    // A Zarr array is a folder.
    if (info === undefined || info.isFile || info.isDirectory) return undefined;
  }
  return `${file} is a pipe or a device`;
}

/** Whether the output may appear on the terminal that shows the progress. */
function mayBeTerminal(file: string): boolean {
  return isStdout(file) ? Deno.stdout.isTerminal() : whyLast(file) !== undefined;
}

function statOf(file: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(file);
  } catch {
    // Writing will report the problem.
    return undefined;
  }
}

function choice<Name extends keyof typeof choices>(
  name: Name,
  value: string | undefined,
): { [N in Name]?: (typeof choices)[N][number] } {
  if (value === undefined) return {};
  const known: readonly string[] = choices[name];
  if (!known.includes(value)) {
    const names = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
    throw new CommandError(`--${name} takes ${names}, not ${value}${didYouMean(value, known)}`);
  }
  return { [name]: value } as { [N in Name]?: (typeof choices)[N][number] };
}
