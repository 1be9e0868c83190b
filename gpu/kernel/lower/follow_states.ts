/**
 * Lowers the idiom that follows the states of an automaton through a text.
 *
 * @module
 */

import type { Follow, Scalar } from "../ir/ir.ts";
import { byteAt, type ViewValue } from "./lower_value.ts";
import type { LowerContext } from "./lower_context.ts";
import { followOf } from "./loop_idioms.ts";
import { and, binary, int, select } from "../ir/scalar.ts";
import { firstOpenState, STATE_ENTRIES } from "../language/state_table.ts";

/** The bytes between two tests for a final state. */
const BLOCK = 64;

/**
 * Lowers `Table.follow`. Every entry is a state, so nothing needs a check. The test for a final
 * state comes once a block, and not after the last one: in short texts no branch depends on the
 * states then, and a processor continues with the next row while it waits for them.
 */
export function followStates(
  context: LowerContext,
  table: Int32Array,
  view: ViewValue,
  from: Scalar,
): Scalar {
  const { builder } = context;
  const state = builder.variable("state", stateOf(context, table, from));
  const at = builder.variable("at", view.start);
  const walk = (stop: Scalar, known?: Follow) =>
    builder.loop(
      "walk",
      [() => binary("<", at, stop)],
      () => {
        const place = binary("+", state, byteAt(view.space, at));
        builder.set(state, { op: "table", type: "i32", table: context.table(table), at: place });
      },
      () => builder.set(at, binary("+", at, int(1))),
      known,
    );
  const firstOpen = firstOpenState(table);
  const known = followOf(context, view, {
    state: state.name,
    at: at.name,
    stop: view.stop,
    table: context.table(table),
    firstOpen,
  });
  if (firstOpen === 0) {
    walk(view.stop, known);
    return state;
  }
  builder.loop(
    "follow",
    [() => binary("<", at, view.stop)],
    ({ leave }) => {
      const isLast = binary("<", binary("-", view.stop, at), int(BLOCK));
      const stop = select(isLast, view.stop, binary("+", at, int(BLOCK)));
      walk(builder.stable("stop", stop));
      const isFinal = binary("<", state, int(firstOpen));
      builder.if(and(binary("<", at, view.stop), isFinal), leave);
    },
    () => {},
    known,
  );
  return state;
}

/** Returns the first state; 0 for a number that is none. */
function stateOf({ builder }: LowerContext, table: Int32Array, from: Scalar): Scalar {
  if (from.op === "const") {
    const state = Number(from.value);
    return int(state >= 0 && state < table.length ? state - state % STATE_ENTRIES : 0);
  }
  const state = builder.stable("state", from);
  const start = binary("&", state, int(-STATE_ENTRIES));
  return select(binary("<u", state, int(table.length)), start, int(0));
}
