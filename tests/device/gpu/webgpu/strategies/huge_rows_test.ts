/**
 * A row of 100 MB among short ones, on hardware, or on SwiftShader that is taken for it: a budget of
 * rounds for each row, then the host. Mesa's Vulkan driver ends such loops by itself, in silence.
 */

import { Buffer } from "node:buffer";
import { assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import { type HostColumn, releaseColumn } from "../../../../../gpu/column/column.ts";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import { evaluateOnDevice } from "../../../../../gpu/webgpu/evaluate/evaluate.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { isSoftware } from "../../../../support/device/adapter.ts";
import { columnDigest } from "../../../../support/values/column_digest.ts";
import { contextTest } from "../../../../support/device/device_kernels.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";

const SIZE = 100_000_000;

/** Where each is computed: a workgroup gets done with the row in time, or the host is left with it. */
const EXPRESSIONS: Readonly<Record<string, "device" | "host">> = {
  'text.contains("dle")': "device",
  'text.rfind("rst|") >= 0': "device",
  // The rounds of a needle of more than four bytes are counted as if each place were looked at.
  'text.contains("needle")': "host",
  "text.length()": "device",
  "text == twin": "device",
  "twin < text": "device",
  'text.splitPart("|", 1)': "device",
  'text.find("needle")': "host",
  'text.containsRe("ne+dle$")': "host",
  'text.replace("needle", "pin")': "host",
  "text.upper()": "host",
  'text + "!"': "host",
};

/** The row of 100 MB between others. */
function hugeColumn(last: string): HostColumn {
  const data = Buffer.alloc(SIZE, "some words, é, and ");
  data.write("begin, first| ");
  data.write(`| ${last}`, SIZE - 2 - last.length);
  const rows = [Buffer.from("short needle"), data, Buffer.from(""), Buffer.from("é needle")];
  const offsets = new Int32Array(rows.length + 1);
  rows.forEach((row, k) => offsets[k + 1] = offsets[k]! + row.length);
  return {
    place: "host",
    type: { kind: "string" },
    length: rows.length,
    nullCount: 0,
    validity: null,
    offsets,
    data: Buffer.concat(rows),
    children: [],
  };
}

const NAME = "rows of 100 MB give the bytes of the host, whatever computes them";

if (isSoftware) Deno.test({ name: `${NAME} (ignored: software)`, ignore: true, fn: () => {} });
else contextTest(NAME, assertHugeRows);

async function assertHugeRows(context: WebGpuContext): Promise<void> {
  const columns: Readonly<Record<string, HostColumn>> = {
    text: hugeColumn("the last needle"),
    twin: hugeColumn("the last noodle"),
  };
  const types = { text: new Utf8(), twin: new Utf8() };
  const places: Record<string, string> = {};
  for (const expression of Object.keys(EXPRESSIONS)) {
    const { program, inputNames } = compileProgram([expression], types);
    const inputs = inputNames.map((name) => columns[name]!);
    const numRows = inputs[0]!.length;
    const { columns: results } = await evaluateOnDevice(context, program, inputs, numRows);
    const [made] = await downloadColumns(context, results);
    places[expression] = results[0]!.place;
    results.forEach(releaseColumn);
    const [expected] = evaluateOnHost(program, inputs, numRows, testKernels()).columns;
    assertEquals(columnDigest(made!), columnDigest(expected!), expression);
  }
  assertEquals(places, EXPRESSIONS);
}
