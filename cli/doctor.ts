/**
 * The text of `sluice doctor`.
 *
 * @module
 */

import type { GlobalOptions } from "./words/command_line.ts";
import { library } from "./library/library.ts";
import { openEngine } from "./session/session.ts";
import { wideTextRule } from "./print/quantities.ts";
import { formatBytes, formatCount } from "../base/quantities.ts";
import { version } from "./help.ts";

/** Returns the text: the device that computes, the reason for it, and the limits of the adapter. */
export async function doctor(options: GlobalOptions): Promise<string> {
  const engine = await openEngine(options);
  const { description, reason, probe } = await engine.describe();
  const adapter = await (await library.describeAdapter())();
  const lines = [
    ["sluice", `${version} on Deno ${Deno.version.deno}, ${Deno.build.os} ${Deno.build.arch}`],
    ["device", options.device],
    ["computes on", description],
    ["because", reason],
    ...(probe === undefined ? [] : [["measured", probe]]),
    ["offsets of text", wideTextRule(engine.offsets)],
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
