/**
 * The text of `sluice doctor`.
 *
 * @module
 */

import type { GlobalOptions } from "./command_line.ts";
import { formatBytes, formatCount } from "./quantities.ts";
import { version } from "./version.ts";

/** Tells which device runs the work and why, and what the adapter can do. */
export async function doctor({ device }: GlobalOptions): Promise<string> {
  const { createEngine, describeAdapter } = await import("../mod.ts");
  const { description, reason } = await createEngine({ device }).describe();
  const adapter = await describeAdapter();
  const lines = [
    ["sluice", `${version} on Deno ${Deno.version.deno}, ${Deno.build.os} ${Deno.build.arch}`],
    ["device", device],
    ["computes on", description],
    ["because", reason],
    ["adapter", adapter === null ? "none" : adapter.name],
  ];
  if (adapter !== null) {
    const { limits } = adapter;
    lines.push(
      ["  kind", adapter.software ? "software" : "hardware"],
      ["  largest buffer", formatBytes(limits.maxBufferSize)],
      ["  largest binding", formatBytes(limits.maxStorageBufferBindingSize)],
      ["  buffers in a kernel", formatCount(limits.maxStorageBuffersPerShaderStage)],
      ["  workgroup", `${formatCount(limits.maxComputeInvocationsPerWorkgroup)} invocations`],
      ["  workgroup memory", formatBytes(limits.maxComputeWorkgroupStorageSize)],
    );
  }
  const width = Math.max(...lines.map(([label]) => label!.length));
  return lines.map(([label, text]) => `${label!.padEnd(width)}  ${text}\n`).join("");
}
