/**
 * What a search does behind a match: it reads on while a preferred match may follow.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32, Table, View } from "../../gpu/kernel/language/row_function.ts";
import { type Scratch, scratch } from "../../gpu/kernel/language/scratch.ts";
import { type Checkpoints, regexCheckpoints } from "./regex_checkpoints.ts";
import type { ClassOf } from "./regex_class.ts";

/** What reading on needs of a search. */
export interface ReadOnTables {
  readonly next: Table;
  /** Every index of `next` is below it; the mask makes a check of that needless. */
  readonly mask: number;
  readonly classOf: ClassOf;
  /** Register 0 holds where the match stops. */
  readonly registers: Scratch;
  /** Moves what a transition moves, and gives the next state. */
  readonly act: Helper<(state: i32, at: i32) => i32>;
}

/** The same as they are given to the functions that make the helpers. */
export interface GivenTables extends Omit<ReadOnTables, "next"> {
  readonly next: Int32Array;
}

/** The helpers of a search that read on. */
export interface ReadOn {
  /** Forgets what was learnt of another text. Gives 0. */
  readonly begin: Helper<() => i32>;
  /**
   * Reads on from `at` in a state, in a search that began at `from`: the state at the end of the
   * text, or -1 where it is known before that nothing follows.
   */
  readonly readOn: Helper<(text: View, from: i32, at: i32, state: i32) => i32>;
}

interface Consts extends ReadOnTables {
  /**
   * A state that an earlier search in the text kept to the end, where nothing came of it, and from
   * where on: a search that gets into it there is decided. Without this, `/<[^>]*>|</` would read a
   * text of `<` to its end for every match.
   */
  readonly hopeless: Scratch;
}

type LearningConsts = Consts & Checkpoints;

/** The helpers of a search that is made once, or that never reads far. */
export function plainReadOn(tables: GivenTables): ReadOn {
  const hopeless = scratch(2);
  return {
    begin: defineHelper({
      args: {},
      returns: "i32",
      consts: { hopeless },
      row(c: { hopeless: Scratch }): i32 {
        c.hopeless.set(0, -1);
        return 0;
      },
    }),
    readOn: defineHelper({
      args: { text: "string", from: "i32", at: "i32", state: "i32" },
      returns: "i32",
      consts: { ...tables, hopeless },
      row(text: View, _from: i32, at: i32, state: i32, c: Consts): i32 {
        let since = at;
        while (at < text.size) {
          if (state === c.hopeless.at(0) && at >= c.hopeless.at(1)) return -1;
          const before = state;
          const stop = c.registers.at(0);
          state = c.next.at((state + c.classOf(text.charAt(at))) & c.mask);
          if (state < 0) {
            state = c.act(state, at);
            if (state < 0) return -1;
          }
          at = text.next(at);
          if (state !== before || c.registers.at(0) !== stop) since = at;
        }
        c.hopeless.set(0, state);
        c.hopeless.set(1, since);
        return state;
      },
    }),
  };
}

/** The helpers of a search that is made from each match on, and that learns from those before. */
export function learningReadOn(tables: GivenTables): ReadOn {
  const hopeless = scratch(2);
  const { forget, placeOf, meet, settle } = regexCheckpoints();
  return {
    begin: defineHelper({
      args: {},
      returns: "i32",
      consts: { hopeless, forget },
      row(c: { hopeless: Scratch; forget: Checkpoints["forget"] }): i32 {
        c.hopeless.set(0, -1);
        return c.forget();
      },
    }),
    readOn: defineHelper({
      args: { text: "string", from: "i32", at: "i32", state: "i32" },
      returns: "i32",
      consts: { ...tables, hopeless, placeOf, meet, settle },
      row(text: View, from: i32, at: i32, state: i32, c: LearningConsts): i32 {
        let since = at;
        let stop = c.registers.at(0);
        let isOver = false;
        let level = 0;
        let place = c.placeOf(from, 0);
        while (place <= at) {
          level++;
          place = c.placeOf(from, level);
        }
        // The levels from here to `level` are those at which nothing came of this search so far.
        let first = level;
        while (!isOver && at < text.size) {
          if (state === c.hopeless.at(0) && at >= c.hopeless.at(1)) isOver = true;
          while (!isOver && at >= place) {
            if (c.meet(place, level, state)) {
              isOver = true;
            } else {
              level++;
              place = c.placeOf(from, level);
            }
          }
          if (!isOver) {
            const before = state;
            state = c.next.at((state + c.classOf(text.charAt(at))) & c.mask);
            if (state < 0) state = c.act(state, at);
            at = text.next(at);
            if (state !== before) since = at;
            if (c.registers.at(0) !== stop) {
              stop = c.registers.at(0);
              since = at;
              first = level;
            }
            isOver = state < 0;
          }
        }
        // Where the end of the text is part of a match, no search comes after this one.
        level = c.settle(first, level);
        if (isOver) return -1;
        c.hopeless.set(0, state);
        c.hopeless.set(1, since);
        return state;
      },
    }),
  };
}
