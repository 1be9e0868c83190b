/**
 * Verbs about batches: regroup, joinStrings.
 *
 * @module
 */

import { CommandError, expectArgs } from "../arguments.ts";
import { parseBytes, parseInteger } from "../quantities.ts";
import type { Step, Verb } from "../verb.ts";

export const regroup: Verb = {
  name: "regroup",
  usage: "[--rows N] [--bytes SIZE]",
  summary: "Cuts the rows into batches of another size",
  details: `Give --rows, --bytes or both: a batch is full when it reaches either.

  sluice read flights.parquet then regroup --rows 65536 then write flights.arrow`,
  options: { values: ["rows", "bytes"] },
  parse(options): Step {
    expectArgs(options.args, `regroup ${this.usage}`, 0);
    const [rows, bytes] = [options.value("rows"), options.value("bytes")];
    if (rows === undefined && bytes === undefined) {
      throw new CommandError("Say how large the batches should be: --rows N, --bytes SIZE or both");
    }
    const limits = {
      ...(rows === undefined ? {} : { rows: parseInteger(rows, "--rows", 1) }),
      ...(bytes === undefined ? {} : { bytes: parseBytes(bytes, "--bytes") }),
    };
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.regroup(limits)),
    };
  },
};

export const joinStrings: Verb = {
  name: "joinStrings",
  usage: "NAME [--separator TEXT]",
  summary: "Joins the texts of a column into one row for each batch",
  details: `Nulls are skipped. A \`regroup\` before it sets the size of the batches.

  sluice read airports.csv then regroup --rows 10 then joinStrings iata --separator ", "`,
  options: { values: ["separator"] },
  parse(options): Step {
    expectArgs(options.args, `joinStrings ${this.usage}`, 1);
    const [column = ""] = options.args;
    const separator = options.value("separator") ?? "";
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.joinStrings(column, { separator })),
    };
  },
};
