/**
 * What repeated searches of one text learn from each other, so that all of them together take
 * n log n steps where each of them may read to the end of the text.
 *
 * Behind a match a search reads on while a preferred one may follow: `/(?:ab)*c|a/` reads a text of
 * `ab` to its end for every `a`. Whether something comes of it depends on the state and the place
 * alone. So searches note the state in which they come to certain places ahead, and, once nothing
 * came of it, that this state is hopeless there: a later search that comes to the place in the same
 * state is decided. Noting every place and state (T. Reps, "Maximal-munch tokenization in linear
 * time", 1998) would take memory that a row does not have. The next multiples of 64, 128, 256, ...
 * bytes are enough: for each of them as many searches pass it as there are states, which cost as
 * many steps as it is ahead, and then none until it lies behind.
 *
 * That holds for up to 16 states in turn and a text of 512 KiB. `/(?:a{24})*b|a/` on 400,000 `a`
 * takes seven times as long as `/(?:a{16})*b|a/`, and with 40 the time grows with the square.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32 } from "../../gpu/kernel/language/row_function.ts";
import { type Scratch, scratch } from "../../gpu/kernel/language/scratch.ts";

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
export interface Checkpoints {
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

interface Consts {
  readonly levels: number;
  readonly shift: number;
  readonly words: number;
  readonly states: number;
  readonly memory: Scratch;
}

/** The checkpoints of one pattern. */
export function regexCheckpoints(): Checkpoints {
  const consts: Consts = {
    levels: NUM_LEVELS,
    shift: FIRST_SHIFT,
    words: LEVEL_WORDS,
    states: NUM_STATES,
    memory: scratch(CHECKPOINT_WORDS),
  };
  return {
    forget: defineHelper({
      args: {},
      returns: "i32",
      consts: { ...consts },
      row(c: Consts): i32 {
        for (let level = 0; level < c.levels; level++) c.memory.set(level * c.words, -1);
        return 0;
      },
    }),
    placeOf: defineHelper({
      args: { from: "i32", level: "i32" },
      returns: "i32",
      consts: { ...consts },
      row(from: i32, level: i32, c: Consts): i32 {
        if (level >= c.levels) return 0x7fffffff;
        return ((from >> (level + c.shift)) + 1) << (level + c.shift);
      },
    }),
    meet: defineHelper({
      args: { place: "i32", level: "i32", state: "i32" },
      returns: "bool",
      consts: { ...consts },
      row(place: i32, level: i32, state: i32, c: Consts): boolean {
        const base = level * c.words;
        if (c.memory.at(base) !== place) {
          c.memory.set(base, place);
          c.memory.set(base + 1, 0);
        }
        const count = c.memory.at(base + 1);
        for (let i = 0; i < count && i < c.states; i++) {
          if (c.memory.at(base + 3 + i) === state) return true;
        }
        c.memory.set(base + 2, state);
        return false;
      },
    }),
    settle: defineHelper({
      args: { first: "i32", stop: "i32" },
      returns: "i32",
      consts: { ...consts },
      row(first: i32, stop: i32, c: Consts): i32 {
        for (let level = first; level < stop; level++) {
          const base = level * c.words;
          const count = c.memory.at(base + 1);
          // Where there is no room, which state goes depends on the level, so that few searches find
          // theirs at no level.
          const slot = count < c.states ? count : ((count * 40503 + level * 7919) >> 7) & 15;
          c.memory.set(base + 3 + slot, c.memory.at(base + 2));
          c.memory.set(base + 1, count + 1);
        }
        return stop;
      },
    }),
  };
}
