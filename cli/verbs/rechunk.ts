/**
 * The verb `rechunk`, a step of a pipeline. The standalone command is in `cli/rechunk/`.
 *
 * @module
 */

import type { RechunkOptions } from "../../mod.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { expectArgs } from "../words/arguments.ts";
import { library } from "../library/library.ts";
import { parseBytes, parseInteger } from "../words/quantities.ts";
import { type ChunkLengths, parseChunkLengths } from "../words/chunk_lengths.ts";
import type { Step, Verb } from "../session/verb.ts";

export const rechunk: Verb = {
  name: "rechunk",
  usage: "--to A,B --max-mem SIZE [--min-mem SIZE] [--stages K] [--temp DIR]",
  summary: "Divides an array into other chunks; each chunk is a row",
  details: `As a step after the read of a Zarr array, or of chunks in any file:

  --to A,B        items of a chunk along each axis, or time=-1,lat=10 by the names of axes; -1 is
                  a whole axis
  --max-mem SIZE  the memory for chunks, such as 500MB or 2GiB
  --min-mem SIZE  the least size of intermediate chunks, if the array is that large
  --stages K      the number of intermediate stores; by default, the number that costs least
  --temp DIR      the folder for these stores

  sluice read era5.zarr/t2m then rechunk --to -1,10,10 --max-mem 500MB then write t2m.zarr`,
  options: { values: ["to", "max-mem", "min-mem", "stages", "temp"] },
  parse(options): Step {
    expectArgs(options.args, `rechunk ${this.usage}`, 0);
    const [to, most] = [options.value("to"), options.value("max-mem")];
    if (to === undefined) throw new CommandError("rechunk needs --to, the chunks to make");
    if (most === undefined) throw new CommandError("rechunk needs --max-mem, such as 500MB");
    const [least, stages] = [options.value("min-mem"), options.value("stages")];
    const limits = {
      to: targetOf(parseChunkLengths(to, "--to")),
      maxMem: parseBytes(most, "--max-mem"),
      minMem: least === undefined ? undefined : parseBytes(least, "--min-mem"),
      stages: stages === undefined ? undefined : parseInteger(stages, "--stages", 0),
      temp: options.value("temp"),
    };
    return {
      role: "transform",
      apply: async (stream, { pipe }) => pipe(stream, (await library.rechunk())(limits)),
    };
  },
};

function targetOf({ kind, lengths }: ChunkLengths): RechunkOptions["to"] {
  if (kind === "list") return lengths.map((length) => length ?? -1);
  return Object.fromEntries([...lengths].map(([name, length]) => [name, length ?? -1]));
}
