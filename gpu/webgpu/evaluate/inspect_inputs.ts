/**
 * Inspects the text that a program reads: it has to be valid UTF-8, and ASCII text has kernels of
 * its own. The device inspects large text, which is uploaded first, and text that a filter or a
 * join left there. Nearly always that is ASCII; the host inspects the rest and finds the row of
 * invalid UTF-8.
 *
 * @module
 */

import { type Column, type HostColumn, isTextList, stringDataBytes } from "../../column/column.ts";
import { inspectTexts, knownText, rememberText, textOf } from "../../column/utf8.ts";
import { lookedAt } from "../../kernel/partition/program_for.ts";
import type { Program } from "../../kernel/tree/tree.ts";
import { readsItems } from "../../kernel/tree/tree_facts.ts";
import { areAsciiOnDevice } from "./ascii_text.ts";
import type { WebGpuColumn } from "../memory/device_column.ts";
import type { Scope } from "../memory/scope.ts";
import { asWebGpuColumn, downloadColumns } from "../transfer/download.ts";
import { toDevice } from "../transfer/to_device.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";

/** An input of a program whose text a kernel of the device reads. */
interface LookedAt {
  readonly input: number;
  readonly column: Column;
  /** The label of the kernel. */
  readonly label: string;
}

/**
 * Finds out what is not yet known of the text that a program reads: everything for text on the
 * device, and for large text on the host whether it is ASCII. Returns the columns that it uploaded,
 * by the index of their inputs; `scope` owns them. Rejects with a `Utf8Error` for text on the
 * device that is not UTF-8.
 */
export async function inspectInputs(
  context: WebGpuContext,
  scope: Scope,
  program: Program,
  inputs: readonly Column[],
): Promise<ReadonlyMap<number, WebGpuColumn>> {
  const uploaded = new Map<number, WebGpuColumn>();
  const unknown = new Set<WebGpuColumn>();
  for (const { input, column, label } of inputsLookedAt(program, inputs)) {
    if (column.place === "device") {
      const placed = asWebGpuColumn(column);
      if (!placed.isUtf8) unknown.add(placed);
    } else if (isLargeUnknown(context, column)) {
      const placed = await toDevice(context, scope, column, label, { loopsCount: true });
      if (placed === null) continue;
      uploaded.set(input, placed);
      unknown.add(placed);
    }
  }
  const areAscii = await areAsciiOnDevice(context, [...unknown]);
  const isUploaded = new Set(uploaded.values());
  for (const [k, column] of [...unknown].entries()) {
    if (areAscii[k]!) {
      column.noteText({ ascii: true });
      if (column.host !== null) rememberText(textOf(column.host), true);
    } else if (!isUploaded.has(column)) {
      const [rows] = await downloadColumns(context, [column]);
      column.noteText(inspectTexts(rows!));
    }
  }
  return uploaded;
}

function isLargeUnknown({ inspectedBytes }: WebGpuContext, column: HostColumn): boolean {
  const text = textOf(column);
  return stringDataBytes(text) > inspectedBytes && knownText(text) === undefined;
}

function inputsLookedAt(
  { ascii, kernels: kernelsOfAny }: Program,
  inputs: readonly Column[],
): Iterable<LookedAt> {
  const found = new Map<number, LookedAt>();
  for (const { tree, label, hostOnly } of ascii?.kernels ?? kernelsOfAny) {
    if (hostOnly !== undefined) continue;
    const looksAtItems = readsItems(tree);
    for (const input of lookedAt(tree)) {
      const column = inputs[input];
      if (column === undefined || found.has(input)) continue;
      const { type } = column;
      const isText = type.kind === "string" || looksAtItems && isTextList(type);
      if (isText) found.set(input, { input, column, label });
    }
  }
  return found.values();
}
