/**
 * Says what to write where an operation on dates and times is called on another value.
 *
 * @module
 */

import { DataType } from "apache-arrow";
import { epoch, makeDate } from "../dates/operations.ts";
import { duration, total } from "../dates/durations.ts";
import type { StringOp } from "../syntax/node.ts";
import { printNode } from "../syntax/print.ts";
import { classOf, type Typed } from "./typed.ts";

/** The operations of the group that work on whole numbers. */
const OF_NUMBERS: readonly StringOp[] = [duration, makeDate];

/** Returns a hint for the receiver of an operation; undefined where there is none. */
export function insteadOfTime(op: StringOp, { node, type }: Typed): string | undefined {
  if (op.spec.group !== "dates") return undefined;
  const shown = printNode(node, Infinity);
  const { name } = op.spec;
  const kind = classOf(type);
  if (OF_NUMBERS.includes(op)) {
    return kind === "text" || kind === "float"
      ? `${shown}.toInteger().${name}(...) takes a whole number`
      : undefined;
  }
  if (op === total) {
    const isTime = kind === "time" && !DataType.isDuration(type);
    return isTime ? "end - start is a duration" : `${shown}.cast("duration[s]") is a duration`;
  }
  if (kind === "text") {
    return `${shown}.toTimestamp().${name}(${arguments_(op)}) reads it as ISO 8601, and ` +
      'toTimestamp("%d.%m.%Y %H:%M") by a format';
  }
  if (kind === "int" && op !== epoch) {
    return `${shown}.cast("timestamp[s]") takes it as seconds since 1970, and so on for ms, us and ns`;
  }
}

function arguments_({ parameters }: StringOp): string {
  return parameters.length === 0 ? "" : "...";
}
