import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { testFunction } from "./test_function.ts";

/** Test functions that repeat text. */
export const repeatFunctions = {
  /** The text up to 7 times. */
  ditto: testFunction({
    name: "ditto",
    kind: "emit",
    args: { times: "i32" },
    row(out: Sink, text: View, { times }: { times: i32 }) {
      out.repeat(text, times > 7 ? times & 7 : times);
    },
  }, (text, times: number) => text.repeat(Math.max(times > 7 ? times & 7 : times, 0))),

  /** The text between two fills of different sizes. */
  framed: testFunction({
    name: "framed",
    kind: "emit",
    args: { fill: "string", times: "i32" },
    row(out: Sink, text: View, { fill, times }: { fill: View; times: i32 }) {
      out.repeat(fill, times & 63);
      out.copy(text);
      out.repeat(fill.sub(0, fill.next(0)), times & 31);
    },
  }, (text, fill: string, times: number) => {
    return fill.repeat(times & 63) + text + ([...fill][0] ?? "").repeat(times & 31);
  }),
} as const;
