/**
 * Reads on after a match, while a preferred match may follow. Repeated searches of one text learn
 * from each other, so that together they take n log n steps, though each may read to the end of the
 * text.
 *
 * For every `a`, `/(?:ab)*c|a/` reads a text of `ab` to its end. Whether a match follows depends only
 * on the state and the position. So a search notes its state at certain positions ahead. If no match
 * follows, that state is hopeless there, and a later search that arrives in the same state stops.
 * Noting every position and state (T. Reps, "Maximal-munch tokenization in linear time", 1998) would
 * take more memory than a row has. The next multiples of 64, 128, 256, ... bytes are enough: the
 * number of searches that pass each of them is at most the number of states, each pass costs its
 * distance, and no later search passes until the position lies behind it.
 *
 * This holds for up to 16 states in turn and a text of 512 KiB. `/(?:a{24})*b|a/` on 400,000 `a`
 * takes seven times as long as `/(?:a{16})*b|a/`, and with 40 the time is quadratic.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import type { Helper, i32, Scratch, View } from "../../gpu/kernel/language/row_function.ts";
import { scratch } from "../../gpu/kernel/language/scratch.ts";

/** The nearest positions are multiples of 2^6 bytes. */
const FIRST_SHIFT = 6;
/** The number of levels; the farthest positions are multiples of 2^19 bytes. */
const NUM_LEVELS = 14;
/** The number of hopeless states noted for a position; beyond it, new states replace old ones. */
const NUM_STATES = 16;
/** The position, the number of states noted so far, the state of this search, then the states. */
const LEVEL_WORDS = 3 + NUM_STATES;

/** Words of scratch that the checkpoints of one pattern take. */
export const CHECKPOINT_WORDS: number = NUM_LEVELS * LEVEL_WORDS;

/** The helpers through which searches share their findings. */
interface Checkpoints {
  /** Forgets everything, since another text begins. Returns 0. */
  readonly forget: Helper<() => i32>;
  /** Returns the next position of a level after `from`; the greatest i32 beyond the last level. */
  readonly placeOf: Helper<(from: i32, level: i32) => i32>;
  /** Notes the state of a search at the position of a level; true if that state is hopeless. */
  readonly meet: Helper<(place: i32, level: i32, state: i32) => boolean>;
  /**
   * Marks the states that this search had at the levels from `first` to before `stop` as hopeless.
   * Returns `stop`.
   */
  readonly settle: Helper<(first: i32, stop: i32) => i32>;
}

/** Creates the checkpoints of one pattern. */
function regexCheckpoints(): Checkpoints {
  const consts = {
    levels: NUM_LEVELS,
    shift: FIRST_SHIFT,
    words: LEVEL_WORDS,
    states: NUM_STATES,
    memory: scratch(CHECKPOINT_WORDS),
  };
  return {
    forget: defineHelper({
      args: [],
      returns: "i32",
      consts,
      row({ levels, words, memory }) {
        for (let level = 0; level < levels; level++) memory.set(level * words, -1);
        return 0;
      },
    }),
    placeOf: defineHelper({
      args: ["i32", "i32"],
      returns: "i32",
      consts,
      row(from, level, { levels, shift }) {
        if (level >= levels) return 0x7fffffff;
        return ((from >> (level + shift)) + 1) << (level + shift);
      },
    }),
    meet: defineHelper({
      args: ["i32", "i32", "i32"],
      returns: "bool",
      consts,
      row(place, level, state, { words, states, memory }) {
        const base = level * words;
        if (memory.at(base) !== place) {
          memory.set(base, place);
          memory.set(base + 1, 0);
        }
        const count = memory.at(base + 1);
        for (let i = 0; i < count && i < states; i++) {
          if (memory.at(base + 3 + i) === state) return true;
        }
        memory.set(base + 2, state);
        return false;
      },
    }),
    settle: defineHelper({
      args: ["i32", "i32"],
      returns: "i32",
      consts,
      row(first, stop, { words, states, memory }) {
        for (let level = first; level < stop; level++) {
          const base = level * words;
          const count = memory.at(base + 1);
          // Where there is no room, which state goes depends on the level, so that few searches find
          // theirs at no level.
          const slot = count < states ? count : ((count * 40503 + level * 7919) >> 7) & 15;
          memory.set(base + 3 + slot, memory.at(base + 2));
          memory.set(base + 1, count + 1);
        }
        return stop;
      },
    }),
  };
}

/** The tables of a search that reading on uses. */
export type ReadOnTables = {
  readonly next: Int32Array;
  /** All indices into `next` are masked with it, so that no bounds check is needed. */
  readonly mask: number;
  /** The class of a character in the tables of the pattern. */
  readonly classOf: Helper<(char: i32) => i32>;
  /** The tags of a match; register 0 holds its end. */
  readonly registers: Scratch;
  /** Performs the register moves of a transition, and returns the next state. */
  readonly act: Helper<(state: i32, at: i32) => i32>;
};

/** The helpers of a search that read on. */
interface ReadOn {
  /** Forgets everything learnt from another text. Returns 0. */
  readonly begin: Helper<() => i32>;
  /**
   * Reads on from `at` in a state, in a search that began at `from`. Returns the state at the end of
   * the text, or -1 where nothing can follow.
   */
  readonly readOn: Helper<(text: View, from: i32, at: i32, state: i32) => i32>;
}

/**
 * Creates the scratch for a state that an earlier search kept to the end of the text without another
 * match, and for the position from which it kept it. A search that reaches that state there can stop.
 * Without this, `/<[^>]*>|</` would read a text of `<` to its end for every match.
 */
const hopelessState = (): Scratch => scratch(2);

/** Creates the helpers for a text that is searched once, or for searches that never read far. */
export function plainReadOn(tables: ReadOnTables): ReadOn {
  const hopeless = hopelessState();
  return {
    begin: defineHelper({
      args: [],
      returns: "i32",
      consts: { hopeless },
      row({ hopeless }) {
        hopeless.set(0, -1);
        return 0;
      },
    }),
    readOn: defineHelper({
      args: ["string", "i32", "i32", "i32"],
      returns: "i32",
      consts: { ...tables, hopeless },
      row(text, _from, at, state, { next, mask, classOf, registers, act, hopeless }) {
        let since = at;
        while (at < text.size) {
          if (state === hopeless.at(0) && at >= hopeless.at(1)) return -1;
          const before = state;
          const stop = registers.at(0);
          state = next.at((state + classOf(text.charAt(at))) & mask);
          if (state < 0) {
            state = act(state, at);
            if (state < 0) return -1;
          }
          at = text.next(at);
          if (state !== before || registers.at(0) !== stop) since = at;
        }
        hopeless.set(0, state);
        hopeless.set(1, since);
        return state;
      },
    }),
  };
}

/** Creates the helpers for a search from each match on, which learns from the searches before. */
export function learningReadOn(tables: ReadOnTables): ReadOn {
  const hopeless = hopelessState();
  const { forget, placeOf, meet, settle } = regexCheckpoints();
  return {
    begin: defineHelper({
      args: [],
      returns: "i32",
      consts: { hopeless, forget },
      row({ hopeless, forget }) {
        hopeless.set(0, -1);
        return forget();
      },
    }),
    readOn: defineHelper({
      args: ["string", "i32", "i32", "i32"],
      returns: "i32",
      consts: { ...tables, hopeless, placeOf, meet, settle },
      row(
        text,
        from,
        at,
        state,
        { next, mask, classOf, registers, act, hopeless, placeOf, meet, settle },
      ) {
        let since = at;
        let stop = registers.at(0);
        let isOver = false;
        let level = 0;
        let place = placeOf(from, 0);
        while (place <= at) {
          level++;
          place = placeOf(from, level);
        }
        // The levels from here to `level` are those at which nothing came of this search so far.
        let first = level;
        while (!isOver && at < text.size) {
          if (state === hopeless.at(0) && at >= hopeless.at(1)) isOver = true;
          while (!isOver && at >= place) {
            if (meet(place, level, state)) {
              isOver = true;
            } else {
              level++;
              place = placeOf(from, level);
            }
          }
          if (!isOver) {
            const before = state;
            state = next.at((state + classOf(text.charAt(at))) & mask);
            if (state < 0) state = act(state, at);
            at = text.next(at);
            if (state !== before) since = at;
            if (registers.at(0) !== stop) {
              stop = registers.at(0);
              since = at;
              first = level;
            }
            isOver = state < 0;
          }
        }
        // Where the end of the text is part of a match, no search comes after this one.
        level = settle(first, level);
        if (isOver) return -1;
        hopeless.set(0, state);
        hopeless.set(1, since);
        return state;
      },
    }),
  };
}
