/**
 * A plugin with a string operation: `sluice --plugin examples/shout.ts read names.csv then
 * with 'loud = name.upper().shout()'`.
 *
 * @module
 */

import { defineStringOp } from "../mod.ts";

/** Doubles exclamation marks: `Hey!` becomes `Hey!!`. */
export const shout = defineStringOp({
  name: "shout",
  summary: "Doubles exclamation marks",
  kind: "map",
  examples: [{ input: "Hey!", result: "Hey!!" }],
  row(out, char) {
    out.put(char);
    if (char === 0x21) out.put(char);
  },
});
