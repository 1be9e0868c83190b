/** Expressions that a device and the host have to agree on. */

import { assertEquals } from "@std/assert";
import { Int16, Int64, Int8, Utf8 } from "apache-arrow";
import { type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import { evaluateOnHost } from "../../../gpu/host/evaluate.ts";
import { HostKernels } from "../../../gpu/host/host_kernels.ts";
import type { WebGpuContext } from "../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { downloadColumns } from "../../../gpu/webgpu/transfer/download.ts";
import { evaluateOnDevice } from "../../../gpu/webgpu/evaluate/evaluate.ts";
import { type Value, valuesOf } from "../values/host_columns.ts";
import { compileProgram, lenientProgram } from "./programs.ts";

/** Types of the columns that expressions may read. */
export const AGREED_TYPES = {
  text: new Utf8(),
  other: new Utf8(),
  twin: new Utf8(),
  i8: new Int8(),
  i16: new Int16(),
  i64: new Int64(),
};

/** Some of those columns. */
export type AgreedColumns = Readonly<Partial<Record<keyof typeof AGREED_TYPES, HostColumn>>>;

const hostKernels = new HostKernels();

/** Computes expressions on the device, where they stay, as on the host. Returns the values. */
export async function agreed(
  context: WebGpuContext,
  expressions: readonly string[],
  columns: AgreedColumns,
  options: { readonly fuse?: boolean } = {},
): Promise<Value[][]> {
  const { inputNames, ...compiled } = compileProgram(expressions, AGREED_TYPES, options);
  const program = lenientProgram(compiled);
  const inputs = inputNames.map((name) => columns[name as keyof typeof AGREED_TYPES]!);
  const numRows = columns.text!.length;
  const { columns: results } = await evaluateOnDevice(context, program, inputs, numRows);
  const { columns: onHost } = evaluateOnHost(program, inputs, numRows, hostKernels);
  const downloaded = await downloadColumns(context, results);
  const all = expressions.map((expression, k) => {
    assertEquals(results[k]!.place, "device", expression);
    const values = valuesOf(downloaded[k]!);
    assertEquals(values, valuesOf(onHost[k]!), expression);
    return values;
  });
  results.forEach(releaseColumn);
  return all;
}
