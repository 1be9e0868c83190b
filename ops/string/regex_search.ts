/**
 * The helper that finds the next match in a text, and the registers that hold it.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import type { Helper, i32, Scratch, View } from "../../gpu/kernel/language/row_function.ts";
import { MAX_SCRATCH_WORDS, scratch } from "../../gpu/kernel/language/scratch.ts";
import { type CharClasses, type SearchProgram, searchProgram } from "../regex/regex_program.ts";
import type { CallArgs } from "./define/define_string_op.ts";
import { compiledOnce, PATTERN, regexProblem } from "./regex_argument.ts";
import { firstHelper } from "./regex_first.ts";
import {
  CHECKPOINT_WORDS,
  learningReadOn,
  plainReadOn,
  type ReadOnTables,
} from "./regex_read_on.ts";

/** The constants of a row function that searches. */
type RegexSearchConsts = {
  /** Finds the next match from a position on; false if there is none. */
  readonly search: Helper<(text: View, from: i32) => boolean>;
  /** After a search: 0 holds the end of the match, 1 + n tag n; -1 for a group without text. */
  readonly registers: Scratch;
  readonly following: typeof following;
};

/**
 * Returns the start of the search after a match: the end of the match, or one character further after
 * an empty match. That may lie beyond the end of the text.
 */
const following = defineHelper({
  args: ["string", "i32", "i32"],
  returns: "i32",
  row(text, start, stop) {
    if (start !== stop) return stop;
    return stop < text.size ? text.next(stop) : stop + 1;
  },
});

/** The number of searches of a text: one, or one from each match on. */
type SearchCount = "once" | "repeatedly";

/** Returns the program that finds the matches of the pattern of a call, and their starts. */
export function matchProgram(args: CallArgs): SearchProgram {
  return compiledOnce(
    args,
    "match",
    (regex) => searchProgram(regex, { anchored: false, start: true, groups: [] }),
  );
}

/** Returns the definition of an operation that looks for matches and does not need their groups. */
export function searching(count: SearchCount) {
  return {
    ...PATTERN,
    defaults: { flags: "" },
    check: (args: CallArgs) => regexProblem(() => matchProgram(args)),
    consts: (args: CallArgs) => regexSearchConsts(matchProgram(args), count),
  };
}

/** Returns the constants for a program. */
export function regexSearchConsts(program: SearchProgram, count: SearchCount): RegexSearchConsts {
  const { initial, sides, end, needed } = program;
  const next = withRoom(program.next);
  const registers = scratch(program.numRegisters);
  const tables = {
    next,
    mask: next.length - 1,
    classOf: classHelper(program),
    registers,
    act: moveHelper(program.moves, registers),
  };
  const hasRoom = program.numRegisters + CHECKPOINT_WORDS < MAX_SCRATCH_WORDS / 2;
  const learns = count === "repeatedly" && program.readsOn && hasRoom;
  const { begin, readOn } = learns ? learningReadOn(tables) : plainReadOn(tables);
  const search = defineHelper({
    args: ["string", "i32"],
    returns: "bool",
    consts: {
      ...tables,
      start: initial[1] ?? 0,
      end,
      initial,
      sides,
      begin,
      first: firstHelper(program, tables),
      readOn,
      needed,
    },
    row(
      text,
      from,
      {
        next,
        mask,
        classOf,
        registers,
        act,
        start,
        end,
        initial,
        sides,
        begin,
        first,
        readOn,
        needed,
      },
    ) {
      registers.set(0, -1);
      if (needed.size > 0 && text.find(needed, from) < 0) return false;
      let state = start;
      if (from === 0) {
        state += begin();
      } else if (sides.size > 0) {
        state = initial.at(sides.at(classOf(text.charAt(text.prev(from)))));
      }
      let at = first(text, from);
      let isOpen = true;
      while (isOpen && at < text.size) {
        state = next.at((state + classOf(text.charAt(at))) & mask);
        if (state < 0) {
          state = act(state, at);
          if (state < 0) return registers.at(0) >= 0;
          isOpen = registers.at(0) < 0;
        }
        at = text.next(at);
      }
      if (!isOpen) {
        // There is a match, and a preferred one may follow.
        state = readOn(text, from, at, state);
        if (state < 0) return true;
      }
      state = next.at((state + end) & mask);
      if (state < 0) state = act(state, text.size);
      return registers.at(0) >= 0;
    },
  });
  return { search, registers, following };
}

/** Pads a table with zeros to a power of two. */
function withRoom(table: Int32Array): Int32Array {
  const padded = new Int32Array(2 ** Math.ceil(Math.log2(table.length)));
  padded.set(table);
  return padded;
}

/** Creates the helper that performs the moves of a transition and returns the next state. */
function moveHelper(list: Int32Array, registers: Scratch): ReadOnTables["act"] {
  const moves = withRoom(list);
  return defineHelper({
    args: ["i32", "i32"],
    returns: "i32",
    consts: { moves, mask: moves.length - 1, registers },
    row(state, at, { moves, mask, registers }) {
      const list = -1 - state;
      const stop = list + 2 + 2 * moves.at((list + 1) & mask);
      for (let i = list + 2; i < stop; i += 2) {
        const from = moves.at((i + 1) & mask);
        const value = from >= 0 ? registers.at(from) : from === -1 ? at : -1;
        registers.set(moves.at(i & mask), value);
      }
      return moves.at(list & mask);
    },
  });
}

/** Creates the helper that finds the class of a character: a table for ASCII, a search beyond it. */
export function classHelper({ ascii, ranges }: CharClasses): ReadOnTables["classOf"] {
  return defineHelper({
    args: ["i32"],
    returns: "i32",
    consts: { ascii, ranges },
    row(char, { ascii, ranges }) {
      if (char < 0x80) return ascii.at(char & 0x7f);
      let low = 0;
      let high = ranges.size >> 1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (ranges.at(2 * middle) <= char) low = middle;
        else high = middle;
      }
      return ranges.at(2 * low + 1);
    },
  });
}
