/**
 * The large texts that a program reads, of which it must be known whether they are ASCII before it is
 * chosen which kernels run: they are uploaded first, and the device looks at them. Nearly always they are;
 * other text is left to the host, which says of invalid UTF-8 where it is.
 *
 * @module
 */

import { type Column, type HostColumn, isTextList, stringDataBytes } from "../column/column.ts";
import { itemsOf } from "../column/slice.ts";
import { knownText, rememberText } from "../column/utf8.ts";
import { lookedAt } from "../kernel/partition/program_for.ts";
import type { Program } from "../kernel/tree/tree.ts";
import { readsItems } from "../kernel/tree/tree_facts.ts";
import { areAsciiOnDevice } from "./kernels/ascii_text.ts";
import type { WebGpuColumn } from "./memory/device_column.ts";
import type { Scope } from "./memory/scope.ts";
import { toDevice } from "./transfer/to_device.ts";
import type { WebGpuContext } from "./webgpu_context.ts";

/** An input of a program that a kernel of the device looks at, and its text. */
interface LargeText {
  readonly input: number;
  readonly column: HostColumn;
  /** The column, or the items of its lists. */
  readonly text: HostColumn;
  /** Of the kernel. */
  readonly label: string;
}

/**
 * Uploads the inputs of large text of which it is not known whether it is ASCII, and remembers that of
 * those that are. Returns their columns on the device by their numbers; `scope` owns them.
 */
export async function uploadLargeTexts(
  context: WebGpuContext,
  scope: Scope,
  program: Program,
  inputs: readonly Column[],
): Promise<ReadonlyMap<number, WebGpuColumn>> {
  const uploaded = new Map<number, WebGpuColumn>();
  const texts: HostColumn[] = [];
  for (const { input, column, text, label } of largeTexts(context, program, inputs)) {
    const placed = await toDevice(context, scope, column, label, { loopsCount: true });
    if (placed === null) continue;
    uploaded.set(input, placed);
    texts.push(text);
  }
  const columns = [...uploaded.values()];
  for (const [k, isAscii] of (await areAsciiOnDevice(context, columns)).entries()) {
    if (!isAscii) continue;
    columns[k]!.noteAscii();
    rememberText(texts[k]!, true);
  }
  return uploaded;
}

function largeTexts(
  { inspectedBytes }: WebGpuContext,
  { ascii, kernels: kernelsOfAny }: Program,
  inputs: readonly Column[],
): Iterable<LargeText> {
  const found = new Map<number, LargeText>();
  for (const { tree, label, hostOnly } of ascii?.kernels ?? kernelsOfAny) {
    if (hostOnly !== undefined) continue;
    const looksAtItems = readsItems(tree);
    for (const input of lookedAt(tree)) {
      const column = inputs[input];
      if (found.has(input) || column?.place !== "host") continue;
      const text = textOf(column, looksAtItems);
      if (text === undefined || stringDataBytes(text) <= inspectedBytes) continue;
      if (knownText(text) === undefined) found.set(input, { input, column, text, label });
    }
  }
  return found.values();
}

function textOf(column: HostColumn, looksAtItems: boolean): HostColumn | undefined {
  if (column.type.kind === "string") return column;
  return looksAtItems && isTextList(column.type) ? itemsOf(column) : undefined;
}
