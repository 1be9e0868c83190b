/** @module */

import { showControls } from "../../streams/show_controls.ts";
import type { ExplainOptions, Plan } from "../../streams/plan.ts";
import type { ChosenDevice } from "./choose_device.ts";
import { explainCode } from "./explain_code.ts";
import { type Prepared, stepsOf } from "./prepare.ts";

/**
 * What would run, for a person: the device, the source, the steps after rewriting, the kernels, and
 * where it is asked for their code.
 */
export function explainPlan(
  plan: Plan,
  prepared: Prepared | undefined,
  { backend: { description, maxTextBytes }, reason }: ChosenDevice,
  fuse: boolean,
  { code = false, ascii = false }: ExplainOptions = {},
): string {
  const device = `device: ${description} (${reason})`;
  if (prepared === undefined) return `${device}\n${plan.source.name} has no batch`;
  const written = stepsOf(plan).map(({ node }) => node.name);
  const limit = maxTextBytes.toLocaleString("en");
  return [
    device,
    ...(maxTextBytes === Infinity ? [] : [
      `may run on the host: batches in which a column has or gets a text of more than ${limit} bytes`,
    ]),
    `written: ${["read", ...written].join(" > ")}`,
    fuse ? "runs as:" : "runs as (fusion is off):",
    `  read ${plan.source.name}${sourceClause(prepared)}`,
    ...prepared.steps.flatMap(({ node, stage }) => [
      `  ${node.name} ${node.kind.summary(node.spec)}`.trimEnd(),
      ...(stage.explain?.() ?? []).map((line) => `    ${line}`),
    ]),
    ...(code ? codeOf(prepared, ascii) : []),
  ].map(showControls).join("\n");
}

function codeOf({ input, steps }: Prepared, ascii: boolean): string[] {
  return steps.flatMap(({ node, step, stage: { compiled } }, index) => {
    if (compiled === undefined) return [];
    const schema = steps[index - 1]?.stage.schema ?? input;
    return ["", `code of step ${step}, ${node.name}:`, ...explainCode(compiled, schema, ascii)];
  });
}

function sourceClause({ range: { columns, start, stop } }: Prepared): string {
  const rows = start === undefined ? "" : `, rows ${start} to ${stop ?? "the end"}`;
  return `${columns === undefined ? "" : `, only ${columns.join(", ")}`}${rows}`;
}
