/** @module */

import type { Schema } from "apache-arrow";
import { type CodeSection, kernelCode } from "../../gpu/kernel/show/kernel_code.ts";
import type { CompiledExprs } from "../expr/fuse.ts";

/**
 * The code of the kernels of a stage, in blocks of lines. It is that for batches whose text is ASCII
 * where `ascii` says so, else for any text; null may be what the schema of the input says.
 */
export function explainCode(
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
