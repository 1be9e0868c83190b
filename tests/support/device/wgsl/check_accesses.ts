/**
 * Whether invocations see what others have written, and leave what others change:
 *
 * - Between accesses of a workgroup variable by two invocations, of which one writes, there is a barrier
 *   on each path. Atomics need one between what changes a variable and what takes it.
 * - What is loaded from an atomic of a buffer decides nothing that is then stored there: another invocation
 *   may have come between, so that is one change (`atomicMin`, `atomicCompareExchangeWeak`).
 * - A word of bits of 32 rows is stored as a whole, with what a workgroup has joined, or its bits are
 *   joined in the buffer.
 *
 * It is told by code alone (`accesses.ts`): a fault is missed where two places have equal code but are not
 * those of one invocation, or where words that invocations share are not shared by what the code says.
 */

import { type Access, LANE, OF_LANE, walkEntry } from "./accesses.ts";
import type { Module } from "./ast.ts";

/** What is wrong with the entry points of a module: a line each. */
export function accessFaults(module: Module): string[] {
  const entries = [...module.functions.values()].filter((func) => func.workgroupSize !== null);
  return entries.flatMap((entry) => {
    const { unordered, stored } = walkEntry(module, entry, areApart);
    return [
      ...unordered.map(([a, b]) => `no barrier between ${describe(a)} and ${describe(b)}`),
      ...splitChanges(stored),
      ...storedBits(stored),
    ].map((fault) => `${entry.name}: ${fault}`);
  });
}

function describe({ kind, variable, index }: Access): string {
  return `${kind} of ${variable}[${index}]`;
}

function areApart(a: Access, b: Access): boolean {
  const kinds = new Set([a.kind, b.kind]);
  const isWritten = kinds.has("write") || kinds.has("store") || kinds.has("change");
  if (!isWritten || (kinds.size === 1 && kinds.has("change"))) return true;
  if (a.only !== null && a.only === b.only) return true;
  if (a.kind === "store" && b.kind === "store" && isLiteral(a) && a.value === b.value) return true;
  if (OF_LANE.test(a.index) && OF_LANE.test(b.index)) return true;
  if (a.index !== b.index) return false;
  const isAtomic = kinds.has("load") || kinds.has("store") || kinds.has("change");
  return isAtomic ? a.index === LANE : isOwn(a.index);
}

/** Whether a place is that of one invocation; not one for several of them, nor the same for all. */
function isOwn(index: string): boolean {
  // Words may be left out between places, so that neighbours lie in different banks.
  const plain = index.replaceAll(/\((\w[\w#.]*) \+ \(\1 (?:\/|>>) \d+\)\)/g, "$1");
  return /[a-z]/.test(plain) && !/[/&%]|>>/.test(plain);
}

function splitChanges(stored: readonly Access[]): string[] {
  const loads = stored.filter(({ kind }) => kind === "load");
  return stored.flatMap((store) => {
    // All invocations that store a literal store the same.
    if (store.kind !== "store" || isLiteral(store)) return [];
    const isConstant = /^\d+$/.test(store.index);
    const load = loads.find(({ variable, index }) =>
      variable === store.variable && (!isConstant || index === store.index)
    );
    return load === undefined ? [] : [`${describe(load)}, and then ${describe(store)}`];
  });
}

function storedBits(stored: readonly Access[]): string[] {
  const bits = stored.filter(({ kind, index, value }) =>
    (kind === "store" || kind === "write") && /(>> 5|\/ 32)\b/.test(index) &&
    !value!.startsWith("atomicLoad ")
  );
  return bits.map((access) => `${describe(access)}, which has bits of other rows`);
}

function isLiteral({ value }: Access): boolean {
  return value !== null && /^\d+$/.test(value);
}
