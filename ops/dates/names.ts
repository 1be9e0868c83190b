/**
 * Defines the operations that name a month or a day of the week.
 *
 * @module
 */

import { format } from "../string/convert/format.ts";
import { toDate } from "../string/convert/to_time.ts";
import { defineStringOp, overload } from "../string/define/define_string_op.ts";
import { callNode } from "../syntax/call_node.ts";
import { literalNode } from "../syntax/literal.ts";
import type { StringOp } from "../syntax/node.ts";

function nameOf(name: string, of: string, pattern: string, result: string): StringOp<[]> {
  return defineStringOp({
    name,
    group: "dates",
    summary: `The English name of ${of} of a date or a timestamp`,
    details: `The same as format("${pattern}"). In a time zone it is that of the local time.`,
    args: {},
    optional: [],
    result: "string",
    examples: [{ input: "2024-02-29", via: toDate, result }],
    expand: (text) => callNode(format, text, [literalNode(pattern)]),
    choose: () => undefined,
    overloads: { none: overload({ subject: "i64", row: () => 0 }) },
  });
}

/** Returns the name of the month: `February`. */
export const monthName: StringOp<[]> = nameOf("monthName", "the month", "%B", "February");

/** Returns the name of the day of the week: `Thursday`. */
export const dayName: StringOp<[]> = nameOf("dayName", "the day", "%A", "Thursday");
