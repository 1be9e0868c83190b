/**
 * Prints how a plan runs, for `explain`.
 *
 * @module
 */

import { formatCount } from "../../base/quantities.ts";
import type { Schema } from "apache-arrow";
import { type CodeSection, kernelCode } from "../../gpu/kernel/show/kernel_code.ts";
import { showControls } from "../../base/show_controls.ts";
import type { ExplainOptions, Plan } from "../../streams/plan/plan.ts";
import { printPick } from "../../streams/rows/row_request.ts";
import type { CompiledExprs } from "../expr/compile_exprs.ts";
import type { ChosenDevice } from "./devices.ts";
import { explainSlices } from "./explain_slices.ts";
import type { CompiledPlan } from "./prepare.ts";

/**
 * Describes how a plan would run: the device, the place of each slice, the source, the steps after
 * rewriting, the kernels, and on request their code.
 */
export async function explainPlan(
  plan: Plan,
  prepared: CompiledPlan | undefined,
  { backend: { description, maxTextBytes }, reason }: ChosenDevice,
  fuse: boolean,
  { code = false, ascii = false }: ExplainOptions = {},
): Promise<string> {
  const device = `device: ${description} (${reason})`;
  if (prepared === undefined) return `${device}\n${plan.source.name} has no batch`;
  const slices = fuse ? await explainSlices(prepared, plan.source) : [];
  const written = prepared.written.filter(({ node }) => node.isOfSource !== true)
    .map(({ node }) => node.name);
  const limit = formatCount(maxTextBytes);
  return [
    device,
    ...(maxTextBytes === Infinity ? [] : [
      `may run on the host: batches in which a column has or gets a text of more than ${limit} bytes`,
    ]),
    `written: ${["read", ...written].join(" > ")}`,
    ...(slices.length === 0 ? [] : ["slices:", ...slices.map((line) => `  ${line}`)]),
    fuse ? "runs as:" : "runs as (fusion is off):",
    `  read ${plan.source.name}${sourceClause(prepared)}`,
    ...prepared.steps.flatMap(({ node, stage }) => [
      `  ${node.name} ${node.kind.summary(node.spec)}`.trimEnd(),
      ...(stage.explain?.() ?? []).map((line) => `    ${line}`),
      ...(stage.warnings ?? []).map((warning) => `    warning: ${warning}`),
    ]),
    ...(code ? codeOf(prepared, ascii) : []),
  ].map(showControls).join("\n");
}

function codeOf({ input, steps }: CompiledPlan, ascii: boolean): string[] {
  return steps.flatMap(({ node, step, stage: { compiled } }, index) => {
    if (compiled === undefined) return [];
    const schema = steps[index - 1]?.stage.schema ?? input;
    return ["", `code of step ${step}, ${node.name}:`, ...explainCode(compiled, schema, ascii)];
  });
}

function sourceClause({ columns, rows }: CompiledPlan): string {
  const picked = rows === undefined ? "" : `, rows ${rows.request.map(printPick).join(" then ")}`;
  return `${columns === undefined ? "" : `, only ${columns.join(", ")}`}${picked}`;
}

/**
 * Prints the code of a stage's kernels as lines: with `ascii` the variant for ASCII text, otherwise
 * the one for any text. The schema of the input decides which columns may be null.
 */
function explainCode(
  { program: general, inputs, inputNames }: CompiledExprs,
  input: Schema,
  ascii: boolean,
): string[] {
  const program = ascii ? general.ascii ?? general : general;
  const { kernels } = program;
  const types = [...program.inputs, ...kernels.map(({ type }) => type)];
  const names = [...inputNames, ...kernels.map((_, index) => `kernel ${index + 1}`)];
  const nullable = inputs.map((column) => input.fields[column]!.nullable);
  const text = ascii ? "text that is ASCII" : "any text";
  return kernels.flatMap((kernel, index) => {
    const variant = { ascii, nullable: [...nullable] };
    const { sections, canBeNull } = kernelCode(kernel, types, variant, names);
    nullable.push(canBeNull);
    const title = `kernel ${index + 1}: ${kernel.label}, for ${text}`;
    return ["", title, ...sections.flatMap(sectionLines)];
  });
}

function sectionLines({ title, text }: CodeSection): string[] {
  const code = text.trimEnd().replaceAll("\t", "  ");
  const lines = code.split("\n").map((line) => `    ${line}`.trimEnd());
  return ["", `  ${title}`, ...(text === "" ? [] : lines)];
}
