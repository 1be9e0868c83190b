/**
 * The command `sluice rechunk plan`: prints or draws how arrays would be rechunked.
 *
 * @module
 */

import { explainPlan } from "../../ops/rechunk/plan/explain_plan.ts";
import { sizeText } from "../../ops/rechunk/plan/limits.ts";
import { product } from "../../streams/chunks/grid.ts";
import { CommandError, expectArgs } from "../arguments.ts";
import { type ParsedOptions, parseOptions } from "../options.ts";
import { parseInteger } from "../quantities.ts";
import { print } from "../terminal.ts";
import {
  axesText,
  type ChunkLengths,
  chunkOf,
  parseChunkLengths,
  parseShape,
} from "./chunk_lengths.ts";
import { counted, type Planned } from "./grid_rows.ts";
import {
  limitOptions,
  type Limits,
  needed,
  parseLimits,
  parseTarget,
  planWithin,
} from "./limits.ts";
import { planFields, plansAsJson } from "./plan_json.ts";

/** Options that describe an array which is in no store. */
const shapeOptions: readonly string[] = ["shape", "from", "itemsize"];

/** Plans what the words say: text or JSON on stdout, and a picture in a file. */
export async function planCommand(words: readonly string[]): Promise<void> {
  const options = parseOptions(words, {
    values: [...shapeOptions, ...limitOptions, "svg"],
    flags: ["json"],
  });
  expectArgs(options.args, "rechunk plan --shape A,B --from A,B --to A,B ...", 0);
  const to = parseTarget(options);
  const limits = parseLimits(options);
  const array = planShape(options, to, limits);
  const picture = options.value("svg");
  if (picture !== undefined) await writePicture(picture, array);
  print(options.flag("json") ? plansAsJson(planFields(array.plan)) : planText(array));
}

/** Plans for an array of which only the shape is known. */
function planShape(options: ParsedOptions, to: ChunkLengths, limits: Limits): Planned {
  const shape = parseShape(
    needed(options, "shape", "the items along each axis"),
    "--shape",
  );
  const from = parseChunkLengths(needed(options, "from", "the chunks that there are"), "--from");
  const itemsize = parseInteger(
    needed(options, "itemsize", "the bytes of an item"),
    "--itemsize",
    1,
  );
  const chunk = (lengths: ChunkLengths, name: string) => {
    if (lengths.kind === "names") {
      throw new CommandError(`${name} names dimensions, which --shape has none of: write a list`);
    }
    const found = chunkOf(lengths, { shape, chunk: shape, dimensionNames: undefined });
    if (found !== undefined) return found;
    const [has, needs] = [axesText(lengths.lengths.length), axesText(shape.length)];
    throw new CommandError(`${name} ${lengths.text} is for ${has}, and --shape has ${needs}`);
  };
  const [source, target] = [chunk(from, "--from"), chunk(to, "--to")];
  const plan = planWithin({ shape, itemsize, source, target, ...limits });
  return { shape, itemsize, source, target, plan };
}

/** The lines about one array. */
function planText({ plan, name, ...array }: Planned): string {
  const { shape, itemsize } = array;
  const size = sizeText(product(shape) * itemsize);
  const heading = `${shape.join(",")} items of ${counted(itemsize, "byte")}, ${size}`;
  const lines = [
    name === undefined ? heading : `${name}: ${heading}`,
    ...explainPlan(plan, { ...array, maxMem: Infinity }),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

async function writePicture(path: string, array: Planned): Promise<void> {
  const [{ drawPlan }, { OutputFile }] = await Promise.all([
    import("./plan_picture.ts"),
    import("../../streams/output_file.ts"),
  ]);
  const output = await OutputFile.create(path);
  await output.write([new TextEncoder().encode(await drawPlan(array))]);
  await output.commit();
}
