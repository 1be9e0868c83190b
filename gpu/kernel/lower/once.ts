/**
 * Calls that stand in a tree more than once are computed once, on paths that have computed them.
 *
 * @module
 */

import type { LowerValue } from "./inline_locals.ts";
import type { Scalar } from "../ir/ir.ts";
import type { LowerContext } from "./lower_context.ts";
import { notedView } from "./view.ts";
import { int } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";

/**
 * The value of a call, which is computed if no call like it has been on the way to here. A value
 * that is remembered was not null.
 */
export function callOnce(
  context: LowerContext,
  tree: Tree & { node: "call" },
  compute: () => LowerValue | null,
): LowerValue | null {
  const { builder, values } = context;
  const number = context.repeated.keyOf(tree);
  if (number === undefined) return compute();
  const key = `call ${number}`;
  const known = builder.facts.recall(key);
  if (known?.op === "const") return values[Number(known.value)] ?? null;
  const value = compute();
  if (value === null || builder.dead) return value;
  const kept = keptValue(context, tree.fn.name, value);
  // What is remembered is where the value stands in a list: a view has a place besides its numbers.
  builder.facts.remember(key, int(values.push(kept) - 1));
  return kept;
}

/** A value that can be read wherever in the row control gets to from here. */
function keptValue(context: LowerContext, name: string, value: LowerValue): LowerValue {
  const keep = (scalar: Scalar, part = name) => context.builder.keep(part, scalar);
  switch (value.is) {
    case "scalar":
      return { is: "scalar", scalar: keep(value.scalar) };
    case "list":
      return value;
    case "wide":
      return { is: "wide", low: keep(value.low), high: keep(value.high) };
    case "view": {
      const start = keep(value.view.start, `${name}_start`);
      const stop = keep(value.view.stop, `${name}_stop`);
      return { is: "view", view: notedView(context, { ...value.view, start, stop }) };
    }
  }
}
