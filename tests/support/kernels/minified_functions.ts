/** Row functions as a plugin would hold them, for the test that compiles them after minifying. */

import { defineHelper } from "../../../gpu/kernel/fold/define_helper.ts";
import type {
  i32,
  RowFunctionSpec,
  Scratch,
  Sink,
  View,
} from "../../../gpu/kernel/language/row_function.ts";
import { scratch } from "../../../gpu/kernel/language/scratch.ts";

const counts = scratch(26);

const isLetter = defineHelper({
  args: ["i32"],
  returns: "bool",
  row(char) {
    if (char < 0x61) return false;
    if (char > 0x7a) return false;
    return true;
  },
});

const count = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { counts },
  row(letter, { counts }) {
    counts.set(letter, counts.at(letter) + 1);
    return 0;
  },
});

/** The input of `mostRepeated`. */
interface Consts {
  readonly isLetter: typeof isLetter;
  readonly counts: Scratch;
  readonly count: typeof count;
}

/** The specs. */
export const specs: RowFunctionSpec[] = [
  {
    name: "mostRepeated",
    kind: "emit",
    consts: { isLetter, counts, count },
    row(out: Sink, text: View, { isLetter, counts, count }: Consts) {
      for (let i = 0; i < counts.size; i++) counts.set(i, 0);
      let most = 0;
      for (let at = 0; at < text.size; at = text.next(at)) {
        const char = text.charAt(at);
        if (isLetter(char)) count(char - 0x61);
        if (isLetter(char) && counts.at(char - 0x61) > most) most = counts.at(char - 0x61);
      }
      if (most === 0) return;
      out.repeat(text.sub(0, 1), most);
    },
  },
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
    row(text: View, { delimiter, index }: { delimiter: View; index: i32 }) {
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
  {
    // Minified: commas in tests, also after `||`, and an assignment where a loop begins.
    name: "scan",
    kind: "measure",
    row(text: View) {
      let at = 0;
      let value = 0;
      let last = 1;
      while (at < text.size) {
        const byte = text.byteAt(at);
        at++;
        if (byte === 0x2c) continue;
        value += last;
        last = byte & 3;
        for (; last > 0 && value < 40; last--) value++;
        if (byte > 0x79) return null;
        value++;
        if (value > 90) return -1;
      }
      return value;
    },
  },
];
