/**
 * The row functions that tell whether a text holds a match: `matches` and `containsRe` differ in
 * their tables only.
 *
 * @module
 */

import type { Table, View } from "../../gpu/kernel/language/row_function.ts";
import type { CallArgs, Overload } from "./define_string_op.ts";
import { type ByteProgram, byteProgram } from "../regex/byte_program.ts";
import { type TestProgram, testProgram } from "../regex/regex_program.ts";
import { compiledOnce } from "./regex_argument.ts";
import { classHelper, type ClassOf } from "./regex_class.ts";

/** A pattern as tables over bytes, or over characters where those would be too large. */
export interface RegexTest {
  /** Over bytes, if there is room. */
  readonly bytes: ByteProgram | null;
  /** Over characters. */
  readonly characters: TestProgram;
}

/** What a call of an operation asks of a text: a match that begins at its start, or anywhere. */
export function regexTest(args: CallArgs, anchored: boolean): RegexTest {
  return compiledOnce(args, anchored ? "matches" : "containsRe", (regex) => {
    const characters = testProgram(regex, anchored);
    return { bytes: byteProgram(characters), characters };
  });
}

/** The row functions over bytes and over characters; `choose` takes the first where it can. */
export function regexTestOverloads(anchored: boolean): Record<"bytes" | "characters", Overload> {
  return {
    bytes: {
      kind: "measure",
      returns: "bool",
      consts: (args) => ({ ...regexTest(args, anchored).bytes }),
      row(text: View, c: { next: Table; start: number; found: Table }): boolean {
        return c.found.at((c.next.follow(text, c.start) >> 8) & 1023) === 1;
      },
    },
    characters: {
      kind: "measure",
      returns: "bool",
      consts: (args) => {
        const { characters } = regexTest(args, anchored);
        const { next, start, end } = characters;
        return { next, start, end, classOf: classHelper(characters) };
      },
      row(text: View, c: { next: Table; start: number; end: number; classOf: ClassOf }): boolean {
        // A negative state is an outcome: -1 that there is no match, -2 that there is one.
        if (c.start < 0) return c.start === -2;
        let state = c.start;
        for (let at = 0; at < text.size; at = text.next(at)) {
          state = c.next.at(state + c.classOf(text.charAt(at)));
          if (state < 0) return state === -2;
        }
        return c.next.at(state + c.end) === -2;
      },
    },
  };
}
