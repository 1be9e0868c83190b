/**
 * The methods of a list as code: items become views on the data that all items of a column share.
 * What lies out of range is as `TextList` says.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import type { LowerValue } from "./inline_locals.ts";
import type { ListValue, LowerContext } from "./lower_context.ts";
import { notedView } from "./view.ts";
import type { ListMethod } from "../parse/row_code.ts";
import { and, binary, int, not, scalarKey, select } from "../ir/scalar.ts";

/** The value of a method or a property of a list; `at` is null for its size. */
export function listValue(
  context: LowerContext,
  list: ListValue,
  method: ListMethod,
  at: Scalar | null,
): LowerValue {
  if (at === null) return { is: "scalar", scalar: sizeOf(list) };
  const { builder } = context;
  const index = builder.stable("index", at);
  const item = binary("+", list.start, index);
  const present = hasItem(context, list, index, item);
  if (method === "isNull") return { is: "scalar", scalar: not(present) };
  const { column } = list;
  const edge = (position: Scalar): Scalar =>
    select(present, { op: "itemStart", type: "i32", column, at: position }, int(0));
  const view = {
    space: { one: { space: "column", column } as const },
    start: builder.stable("item_start", edge(item)),
    stop: builder.stable("item_stop", edge(binary("+", item, int(1)))),
    ascii: context.variant.ascii,
  };
  return { is: "view", view: notedView(context, view) };
}

function sizeOf({ start, stop }: ListValue): Scalar {
  return binary("-", stop, start);
}

/** Whether there is an item at an index, and it is not null; asked once on every path. */
function hasItem(
  { builder }: LowerContext,
  list: ListValue,
  index: Scalar,
  item: Scalar,
): Scalar {
  const { column } = list;
  const key = `item ${column} ${scalarKey(index)}`;
  const known = builder.facts.recall(key);
  if (known !== undefined) return known;
  const at = builder.stable("item", item);
  const valid: Scalar = { op: "itemValid", type: "bool", column, at };
  const present = builder.stable("present", and(binary("<u", index, sizeOf(list)), valid));
  builder.facts.remember(key, present);
  return present;
}
