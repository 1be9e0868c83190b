/**
 * Row functions as a plugin would hold them, for the test that compiles them after minifying.
 *
 * @module
 */

import type { i32, RowFunctionSpec, Sink, View } from "../../gpu/kernel/row_function.ts";

/** The specs. */
export const specs: RowFunctionSpec[] = [
  {
    name: "shout",
    kind: "map",
    row(out: Sink, char: i32) {
      if (char === 0x78) return;
      if (char >= 97 && char <= 122) {
        out.put(char - 32);
      } else {
        out.put(char);
        if (char === 0x21) out.put(char);
      }
    },
  },
  {
    name: "part",
    kind: "view",
    args: { delimiter: "string", index: "i32" },
    row(text: View, delimiter: View, index: i32) {
      let from = 0;
      for (let i = 0; i < index; i++) {
        const at = text.find(delimiter, from);
        if (at < 0) return null;
        from = at + delimiter.size;
      }
      let part = text;
      const stop = text.find(delimiter, from);
      if (stop < 0) part = text.sub(from, text.size);
      else part = text.sub(from, stop);
      while (true) {
        if (part.size === 0) break;
        const last = part.prev(part.size);
        if (part.charAt(last) !== 0x20) break;
        part = part.sub(0, last);
      }
      return part;
    },
  },
  {
    name: "digits",
    kind: "measure",
    row(text: View) {
      let count = 0;
      let sum = 0;
      for (let i = 0; i < text.size; i++) {
        const byte = text.byteAt(i);
        if (byte < 48 || byte > 57) continue;
        count++;
        sum += byte - 48;
      }
      if (count === 0) return null;
      const mean = sum / count;
      return mean > 4 ? mean : -mean;
    },
  },
];
