/**
 * Case mappings in pages of 64 characters: a character takes two lookups, and no search.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import type { Helper, i32 } from "../../gpu/kernel/language/row_function.ts";

const PAGE_SIZE = 64;

/** Entries from here on are indices of several characters, offset by this number. */
const SPECIAL = 0x200000;

/** A table of entries, split into pages. */
interface Pages {
  /** The start of each page in `entries`. Pages with the same entries share them. */
  readonly pages: Int32Array;
  /** The amounts to add to characters. The first page is all zeros, for pages without mappings. */
  readonly entries: Int32Array;
}

/**
 * Returns the helper that maps a character by runs of `case_tables.ts`: to another character, or to
 * the complement of an index in the specials where several characters stand.
 */
export function mappingOf(runs: Int32Array): Helper<(char: i32) => i32> {
  const { pages, entries } = pagesOf(runs);
  return defineHelper({
    args: ["i32"],
    returns: "i32",
    consts: { pages, entries, special: SPECIAL },
    row(char, { pages, entries, special }) {
      // Behind the last page the table reads as 0, where those stand that stay.
      const entry = entries.at(pages.at(char >> 6) + (char & 0x3f));
      return entry < special ? char + entry : ~(entry - special);
    },
  });
}

function pagesOf(runs: Int32Array): Pages {
  const changed = new Map<number, Int32Array>();
  const set = (char: number, entry: number) => {
    const page = Math.floor(char / PAGE_SIZE);
    const entries = changed.get(page) ?? new Int32Array(PAGE_SIZE);
    entries[char % PAGE_SIZE] = entry;
    changed.set(page, entries);
  };
  for (let run = 0; run < runs.length; run += 4) {
    const [first = 0, last = 0, step = 0, delta = 0] = runs.subarray(run, run + 4);
    if (step === 0) set(first, SPECIAL + delta);
    else for (let char = first; char <= last; char += step) set(char, delta);
  }
  const places = new Map<string, number>();
  const entries: number[] = Array.from({ length: PAGE_SIZE }, () => 0);
  const pages = new Int32Array(Math.max(...changed.keys()) + 1);
  for (const [page, ofPage] of changed) {
    const key = String(ofPage);
    const place = places.get(key) ?? entries.length;
    if (place === entries.length) entries.push(...ofPage);
    places.set(key, place);
    pages[page] = place;
  }
  return { pages, entries: Int32Array.from(entries) };
}
