/**
 * Reads on after a match, while a preferred match may follow. Repeated searches of one text learn
 * from each other, so that all of them together take n log n steps, though each of them may read to
 * the end of the text.
 *
 * `/(?:ab)*c|a/` reads a text of `ab` to its end for every `a`. Whether a match follows depends on the
 * state and the place alone. So searches note the state in which they pass certain places ahead, and,
 * once nothing came of it, that this state is hopeless there: a later search that comes to the place in
 * the same state is decided. Noting every place and state (T. Reps, "Maximal-munch tokenization in
 * linear time", 1998) would take memory that a row does not have. The next multiples of 64, 128, 256,
 * ... bytes are enough: as many searches pass each of them as there are states, at the cost of its
 * distance, and then none until it lies behind.
 *
 * That holds for up to 16 states in turn and a text of 512 KiB. `/(?:a{24})*b|a/` on 400,000 `a`
 * takes seven times as long as `/(?:a{16})*b|a/`, and with 40 the time grows with the square.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import type { Helper, i32, Scratch, View } from "../../gpu/kernel/language/row_function.ts";
import { scratch } from "../../gpu/kernel/language/scratch.ts";

/** The nearest places are multiples of 2^6 bytes. */
const FIRST_SHIFT = 6;
/** The farthest are multiples of 2^19 bytes. */
const NUM_LEVELS = 14;
/** Hopeless states that are known of a place; of more some are forgotten. */
const NUM_STATES = 16;
/** The place, the number of states noted so far, the state of this search, then the states. */
const LEVEL_WORDS = 3 + NUM_STATES;

/** Words of scratch that the checkpoints of one pattern take. */
export const CHECKPOINT_WORDS: number = NUM_LEVELS * LEVEL_WORDS;

/** The helpers with which searches share what they learn. */
interface Checkpoints {
  /** Forgets everything: another text begins. Gives 0. */
  readonly forget: Helper<() => i32>;
  /** The next place of a level behind `from`; no place that there is for a level too many. */
  readonly placeOf: Helper<(from: i32, level: i32) => i32>;
  /** Comes to the place of a level in a state: true where that is hopeless. */
  readonly meet: Helper<(place: i32, level: i32, state: i32) => boolean>;
  /**
   * Nothing came of the states that this search had at the levels from `first` to before `stop`.
   * Gives `stop`.
   */
  readonly settle: Helper<(first: i32, stop: i32) => i32>;
}

/** The checkpoints of one pattern. */
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

/** The tables of a search that reading on needs. */
export type ReadOnTables = {
  readonly next: Int32Array;
  /** Every index of `next` is below it; the mask makes a check of that needless. */
  readonly mask: number;
  /** The class of a character in the tables of the pattern. */
  readonly classOf: Helper<(char: i32) => i32>;
  /** Register 0 holds where the match stops. */
  readonly registers: Scratch;
  /** Moves what a transition moves, and gives the next state. */
  readonly act: Helper<(state: i32, at: i32) => i32>;
};

/** The helpers of a search that read on. */
interface ReadOn {
  /** Forgets what was learnt of another text. Gives 0. */
  readonly begin: Helper<() => i32>;
  /**
   * Reads on from `at` in a state, in a search that began at `from`: the state at the end of the
   * text, or -1 where it is known before that nothing follows.
   */
  readonly readOn: Helper<(text: View, from: i32, at: i32, state: i32) => i32>;
}

/**
 * A state that an earlier search in the text kept to the end, where nothing came of it, and from where
 * on: a search that gets into it there is decided. Without this, `/<[^>]*>|</` would read a text of `<`
 * to its end for every match.
 */
const hopelessState = (): Scratch => scratch(2);

/** The helpers of a search that is made once, or that never reads far. */
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

/** The helpers of a search that is made from each match on, and that learns from those before. */
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
