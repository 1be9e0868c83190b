/** Counts the features of cases with Zarr arrays. */

import { nameOfType } from "./case_types.ts";
import type { CaseStep, CaseTable, FileWriter, FuzzCase } from "./fuzz_case.ts";
import { isPick } from "./pick_model.ts";
import { ZARR_CODECS, ZARR_PEERS, type ZarrLayout } from "./zarr_layout.ts";
import { LARGE_MEMORY } from "./zarr_model.ts";

/** All that a run is expected to draw. */
export const ARRAY_DETAILS: readonly string[] = [
  ...ZARR_PEERS.flatMap((peer) => [`by ${peer}`, `read by ${peer}`]),
  ...ZARR_CODECS,
  ...["of version 2", "of version 3", "of numbers", "of text", "of bytes"],
  ...["of times", "of flags"],
  ...["in shards", "big", "turned", "checked", "fill value", "fill null", "named", "renamed"],
  ...["of 0 axes", "of 1 axes", "of 2 axes", "of 3 axes", "without items", "with missing chunks"],
  ...["of chunks", "of a slice", "of a list", "rechunked", "rechunked in stages"],
  ...["rechunked in little memory", "rechunked by names", "rechunked to a whole axis"],
  ...["rechunked before it is written", "rechunked rows", "of a part of a part"],
];

/** Lists the features of arrays that one step of a case has. */
export function arrayDetails({ table, steps }: FuzzCase, index: number): string[] {
  const step = steps[index]!;
  const before = steps[index - 1];
  if (step.do === "rechunk") {
    return [
      "rechunked",
      ...(step.stages === undefined ? [] : ["rechunked in stages"]),
      ...(step.maxMem < LARGE_MEMORY ? ["rechunked in little memory"] : []),
      ...(Array.isArray(step.to) ? [] : ["rechunked by names"]),
      ...(Object.values(step.to).includes(-1) ? ["rechunked to a whole axis"] : []),
      ...(before?.do === "file" && before.format === "zarr" ? [] : ["rechunked rows"]),
    ];
  }
  const isWritten = step.do === "write" || step.do === "file" && step.layout === undefined;
  if (isWritten && step.format === "zarr") {
    return [
      ...(step.do === "file" ? ["of chunks"] : []),
      ...(steps.slice(0, index).some((step, at) => isPart(step, steps[at - 1]))
        ? ["of a part of a part"]
        : []),
      ...(step.do === "write" && step.judge !== undefined ? [`read by ${step.judge}`] : []),
      ...(before?.do === "take" ? ["of a list"] : []),
      ...(before?.do === "slice" || before?.do === "head" ? ["of a slice"] : []),
      ...(before?.do === "rechunk" ? ["rechunked before it is written"] : []),
    ];
  }
  if (step.do !== "file" || step.layout === undefined) return [];
  return layoutDetails(table, step.layout, step.writer);
}

/** Whether a step makes an array of some rows, or of all. */
function isPart(step: CaseStep, before: CaseStep | undefined): boolean {
  return step.do === "file" && step.format === "zarr" && step.layout === undefined &&
    before !== undefined && isPick(before);
}

function layoutDetails(
  { columns }: CaseTable,
  layout: ZarrLayout,
  writer: FileWriter | undefined,
): string[] {
  const { version, codec, shape, shard, isBig, isTurned, isChecked, isNamed, isRenamed, fill } =
    layout;
  // Of columns that came later nobody knows the type here.
  const column = columns.find(({ name }) => name === layout.column);
  const kind = column === undefined ? undefined : KINDS_OF_ITEMS[nameOfType(column.type)];
  return [
    ...(writer === undefined ? [] : [`by ${writer}`]),
    ...(kind === undefined ? [] : [`of ${kind}`]),
    ...[codec, `of version ${version}`, `of ${shape.length} axes`],
    ...(shard === undefined ? [] : ["in shards"]),
    ...(isBig ? ["big"] : []),
    ...(isTurned ? ["turned"] : []),
    ...(isChecked ? ["checked"] : []),
    ...(isNamed ? ["named"] : []),
    ...(isRenamed ? ["renamed"] : []),
    ...(fill === undefined ? [] : [fill === "value" ? "fill value" : "fill null"]),
    ...(shape.includes(0) ? ["without items"] : []),
    ...(layout.missing?.length ? ["with missing chunks"] : []),
  ];
}

const KINDS_OF_ITEMS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [8, 16, 32, 64].flatMap((n) => [[`int${n}`, "numbers"], [`uint${n}`, "numbers"]]),
  ),
  ...{ float16: "numbers", float32: "numbers", float64: "numbers" },
  ...{ utf8: "text", binary: "bytes", fixed: "bytes", timestamp: "times", bool: "flags" },
};
