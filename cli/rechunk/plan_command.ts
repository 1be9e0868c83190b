/**
 * The command `sluice rechunk plan`: prints or draws how arrays would be rechunked.
 *
 * @module
 */

import { planRechunk } from "../../ops/rechunk/plan/plan_rechunk.ts";
import { localPath } from "../../base/url.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { expectArgs } from "../words/arguments.ts";
import { type ParsedOptions, parseOptions } from "../words/options.ts";
import { parseInteger } from "../words/quantities.ts";
import { print, printError } from "../print/terminal.ts";
import {
  axesText,
  type ChunkLengths,
  chunkOf,
  parseChunkLengths,
  parseShape,
} from "../words/chunk_lengths.ts";
import { folderOf } from "./check_places.ts";
import type { Planned } from "./grid_rows.ts";
import {
  asMistakes,
  limitOptions,
  type Limits,
  needed,
  parseLimits,
  parseTarget,
} from "./limits.ts";
import { planFields, plansAsJson } from "./plan_json.ts";
import { planText } from "./plan_text.ts";
import { onlyArray, planStore } from "./store_plan.ts";

/** Options that describe an array without a store. */
const shapeOptions: readonly string[] = ["shape", "from", "itemsize"];

/** Runs the command: prints the plans as text or JSON, and draws a picture to a file if asked to. */
export async function planCommand(words: readonly string[]): Promise<void> {
  const options = parseOptions(words, {
    values: [...shapeOptions, ...limitOptions, "svg"],
    flags: ["json"],
  });
  expectArgs(options.args, "rechunk plan [IN.zarr] --to A,B --max-mem SIZE", 0, 1);
  const to = parseTarget(options);
  const limits = parseLimits(options);
  const [store] = options.args;
  const { arrays, json } = store === undefined
    ? planOne(options, to, limits)
    : await planAll(folderOf(store), { options, to, limits });
  const picture = options.value("svg");
  if (picture !== undefined) await writePicture(picture, onlyArray(arrays, "--svg"));
  print(options.flag("json") ? plansAsJson(json) : arrays.map(planText).join("\n"));
}

/** Plans, and their form for `--json`. */
interface Plans {
  readonly arrays: readonly Planned[];
  readonly json: Record<string, unknown>;
}

function planOne(options: ParsedOptions, to: ChunkLengths, limits: Limits): Plans {
  const array = planShape(options, to, limits);
  return { arrays: [array], json: planFields(array.plan) };
}

/** Plans for the arrays of a store. The JSON of an array is its plan; that of a group has plans by name. */
async function planAll(
  path: string,
  { options, to, limits }: {
    readonly options: ParsedOptions;
    readonly to: ChunkLengths;
    readonly limits: Limits;
  },
): Promise<Plans> {
  const surplus = shapeOptions.find((name) => options.given.includes(name));
  if (surplus !== undefined) {
    throw new CommandError(`${path} already determines --${surplus}: leave it out`);
  }
  const { node, rechunked, warnings } = await planStore({ path, output: path, to, limits });
  printError(warnings.map((warning) => `sluice: warning: ${warning}`));
  const plans = rechunked.map((array) => [array.path, arrayFields(array)] as const);
  if (node.kind !== "group") return { arrays: rechunked, json: plans[0]![1] };
  return { arrays: rechunked, json: Object.fromEntries(plans) };
}

/** Returns the JSON of an array: its plan, and the average item size if that varies. */
function arrayFields({ plan, itemType, itemsize }: Planned): Record<string, unknown> {
  return { ...planFields(plan), ...(itemType === undefined ? {} : { itemsize }) };
}

/** Plans for an array that is known by its shape alone. */
function planShape(options: ParsedOptions, to: ChunkLengths, limits: Limits): Planned {
  const shape = parseShape(
    needed(options, "shape", "the items along each axis, or a store"),
    "--shape",
  );
  const from = parseChunkLengths(needed(options, "from", "the present chunks"), "--from");
  const itemsize = parseInteger(
    needed(options, "itemsize", "the bytes of an item"),
    "--itemsize",
    1,
  );
  const chunk = (lengths: ChunkLengths, name: string) => {
    if (lengths.kind === "names") {
      throw new CommandError(`${name} names dimensions, but --shape has none: write a list`);
    }
    const found = chunkOf(lengths, { shape, chunk: shape, dimensionNames: undefined });
    if (found !== undefined) return found;
    const [has, needs] = [axesText(lengths.lengths.length), axesText(shape.length)];
    throw new CommandError(`${name} ${lengths.text} has ${has}, but --shape has ${needs}`);
  };
  const [source, target] = [chunk(from, "--from"), chunk(to, "--to")];
  const plan = asMistakes(() => planRechunk({ shape, itemsize, source, target, ...limits }));
  return { shape, itemsize, source, target, plan };
}

async function writePicture(path: string, array: Planned): Promise<void> {
  const [{ drawPlan }, { OutputFile }] = await Promise.all([
    import("./plan_picture.ts"),
    import("../../streams/sink/output_file.ts"),
  ]);
  const picture = new TextEncoder().encode(await drawPlan(array));
  const output = await OutputFile.create(localPath(path));
  try {
    await output.write([picture]);
    await output.commit();
  } catch (error) {
    output.discard();
    throw error;
  }
}
